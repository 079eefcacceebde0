import { containsPhraseUnspaced, evidenceFor, sameSpelling } from '@shelfwise/facts/text/evidence';
import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';
import { createWordForms, foldForComparison } from '@shelfwise/facts/text/word-form';
import { wordsOf } from '@shelfwise/facts/text/words';
import { companyWords } from '../text/company-words.ts';
import { titleHead } from '../text/title-parts.ts';
import { createStartsWith, isGenericTerm } from './is-generic-term.ts';
import type { PageApp } from './keyword-reading.ts';
import type { Brand } from './keyword-score.ts';

/** From this many results on, a page tells what people want. */
export const thinPage = 5;

/** Whether a page has so few results that a brand is only suspected. (docs/scores.md, KEI) */
export function isThin(results: number): boolean {
  return results < thinPage;
}

/**
 * The first app, if the term is its name: its developer's name has every word of the term (`isDeveloper` has exceptions), or
 * its title starts with it. Before it the title may have `The` and words of the developer's name (`onenote` in `Microsoft
 * OneNote`). Both are compared without accents and plurals, and also with spaces removed, so that `offer up` is OfferUp's.
 * Generic terms start titles too (`photo editor` starts `Photo Editor Pro`), so a title counts only where `isGenericTerm` is
 * false. (docs/scores.md, KEI)
 * @param apps the first ten results, in the store's order
 * @param lang BCP 47
 */
export function brandOf(keyword: string, apps: readonly PageApp[], lang: string): Brand | null {
  const [first] = apps;
  if (first === undefined || foldWithoutPunctuation(keyword) === '') return null;
  if (!isDeveloper(keyword, apps, lang) && !isTitle(keyword, apps, lang)) return null;
  return { app_id: first.app_id, developer_name: first.developer_name };
}

/**
 * A term of company words and `the` alone is no developer's name. Neither is a part of one that half of the rivals, at least
 * two, have in their titles: `weather` of `Oak Weather Works`.
 */
function isDeveloper(keyword: string, apps: readonly PageApp[], lang: string): boolean {
  const developerName = apps[0]?.developer_name ?? null;
  if (developerName === null) return false;
  const words = wordsOf(keyword, lang).map((word) => foldForComparison(word, lang));
  if (!words.some(isTelling)) return false;
  const formOf = createWordForms(lang);
  const name = wordsOf(developerName, lang).map((word) => foldForComparison(word, lang));
  const forms = new Set(name.map(formOf));
  const isNamed =
    words.every((word) => forms.has(formOf(word))) ||
    containsPhraseUnspaced(foldForComparison(developerName, lang), foldForComparison(keyword, lang));
  if (!isNamed) return false;
  const telling = name.filter(isTelling);
  const named = new Set(words.map(formOf));
  const isWhole =
    telling.every((word) => named.has(formOf(word))) || words.join('').includes(telling.join(''));
  return isWhole || !isInHalfOfTheTitles(keyword, rivalsOf(apps), lang);
}

/** Whether a folded word can tell one developer from another. */
function isTelling(word: string): boolean {
  return word !== 'the' && !companyWords.has(word);
}

function isInHalfOfTheTitles(keyword: string, rivals: readonly PageApp[], lang: string): boolean {
  const evidence = evidenceFor(keyword, lang);
  const titles = rivals.filter(({ title }) => title !== null && evidence(title) >= sameSpelling);
  return titles.length >= Math.max(2, rivals.length / 2);
}

function isTitle(keyword: string, apps: readonly PageApp[], lang: string): boolean {
  const [first] = apps;
  if (first === undefined || first.title === null) return false;
  const startsWith = createStartsWith(keyword, lang);
  if (!startsWith(first.title) && !startsWith(withoutMaker(first.title, first.developer_name, lang)))
    return false;
  return !isGenericTerm(keyword, first, rivalsOf(apps), lang);
}

/** The apps of other developers than the first one's. An app whose developer is unknown proves nothing. */
function rivalsOf([first, ...others]: readonly PageApp[]): PageApp[] {
  const developer = first?.developer_name && foldWithoutPunctuation(first.developer_name);
  return others.filter(
    ({ developer_name: name }) => name !== null && foldWithoutPunctuation(name) !== developer,
  );
}

/**
 * The first part of the title, folded, without `the` and words of the developer's name at its beginning; empty if it has no
 * others.
 */
function withoutMaker(title: string, developerName: string | null, lang: string): string {
  const maker = new Set(['the', ...foldForComparison(developerName ?? '', lang).split(' ')]);
  const words = foldForComparison(titleHead(title, lang), lang).split(' ');
  const start = words.findIndex((word) => !maker.has(word));
  return start < 0 ? '' : words.slice(start).join(' ');
}
