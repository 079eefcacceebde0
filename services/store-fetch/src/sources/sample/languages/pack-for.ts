import type { WrittenLanguage } from '../topic.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import type { LanguagePack } from './language-pack.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

export const packs: Readonly<Record<WrittenLanguage, LanguagePack>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ja: japanese,
};

/** The language of the catalogue that a storefront in this language is shown: its own where written, else English. */
export function writtenLanguage(lang: string): WrittenLanguage {
  const [language = ''] = lang.split('-');
  return Object.hasOwn(packs, language) ? (language as WrittenLanguage) : 'en';
}
