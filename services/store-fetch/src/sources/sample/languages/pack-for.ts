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

/** The catalog's language for a storefront: the storefront's own if the catalog has it, otherwise English. */
export function writtenLanguage(lang: string): WrittenLanguage {
  const [language = ''] = lang.split('-');
  return Object.hasOwn(packs, language) ? (language as WrittenLanguage) : 'en';
}
