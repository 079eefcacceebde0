import { containsPhrase, evidenceFor, sameSpelling } from '@shelfwise/facts/text/evidence';
import { isWordBoundary } from '@shelfwise/facts/text/is-word-boundary';
import { commonForm, foldForComparison } from '@shelfwise/facts/text/word-form';
import { wordsOf } from '@shelfwise/facts/text/words';
import { titleParts } from '../text/title-parts.ts';
import type { PageApp } from './keyword-reading.ts';

/**
 * The ratings that a rival needs, as a share of the first app's, for its title to prove something. A smaller app may merely
 * borrow the first app's name.
 */
const minRatingShare = 1 / 15;
/** The `evidence` of a title that contains all words of a term, in any order. */
const allWords = 0.85;
/** This many rival titles that contain a term show that it is generic. */
const enoughTitles = 2;

/**
 * Words, without accents, after which the name of another app or developer follows: `Mods for Minecraft`, `Layout from
 * Instagram`.
 */
const nameFollows = /(?:^| )(?:for|from|by|fuer|fur|von|pour|para|per|voor|van|dla|для|от) /u;

/**
 * Whether rivals' titles show that a term with which the first app's title starts is generic, and not that app's name.
 * Any of these is enough:
 * - a rival's title starts with the term, or has it as a separate part (`Streakly - Habit Tracker`)
 * - the titles of two rivals contain it
 * - the title of one rival with at least 1/15 of the first app's ratings has all its words, in any order
 * - the first app's name is elsewhere: another part of its title, with no more words than the first part, consists of
 *   words that no rival's title has; and the first part has a word of a part that two rivals share (`Habit Builder -
 *   Streakly` next to two titles with `Habit Tracker`)
 *
 * A title that only mentions the term as another app's name (`Mods for Minecraft` for `minecraft`) proves nothing, and
 * neither does an unknown title or rating count. Terms and titles are compared without accents and plurals. (docs/scores.md, KEI)
 * @param rivals the apps of other developers among the first ten
 * @param lang BCP 47
 */
export function isGenericTerm(
  keyword: string,
  first: PageApp,
  rivals: readonly PageApp[],
  lang: string,
): boolean {
  const term = commonForm(keyword, lang);
  const startsWith = createStartsWith(keyword, lang);
  const relevantRivals = rivals.filter(isTitled).filter(({ title }) => !onlyMentions(title, term, lang));
  if (relevantRivals.some(({ title }) => startsWith(title) || hasPart(title, term, lang))) return true;
  const evidence = evidenceFor(keyword, lang);
  const titlesWithTerm = relevantRivals.filter(({ title }) => evidence(title) >= sameSpelling);
  if (titlesWithTerm.length >= enoughTitles) return true;
  if (relevantRivals.some((app) => hasEnoughRatings(app, first) && evidence(app.title) >= allWords))
    return true;
  return first.title !== null && isNamedElsewhere(first.title, relevantRivals, lang);
}

/**
 * Returns whether a title starts with a term, as whole words, without accents and plurals. Spaces may be removed from both:
 * `offer up` starts `OfferUp: Buy`.
 */
export function createStartsWith(keyword: string, lang: string): (title: string) => boolean {
  const term = commonForm(keyword, lang);
  const joinedTerm = foldForComparison(keyword, lang).replaceAll(' ', '');
  return (title) => {
    const text = commonForm(title, lang);
    if (text.startsWith(term) && isWordBoundary(text, term.length)) return true;
    return wordStarts(foldForComparison(title, lang)).has(joinedTerm);
  };
}

/** Every start of a folded text that ends with a whole word, without spaces. */
function wordStarts(text: string): Set<string> {
  const words = text.split(' ');
  return new Set(words.map((_, index) => words.slice(0, index + 1).join('')));
}

/** Whether the title has the term after a word such as `for`. `term`: its forms. */
function onlyMentions(title: string, term: string, lang: string): boolean {
  const [, ...mentions] = foldForComparison(title, lang).split(nameFollows);
  return mentions.some((text) => containsPhrase(commonForm(text, lang), term));
}

function hasPart(title: string, term: string, lang: string): boolean {
  return titleParts(title, lang).some((part) => commonForm(part, lang) === term);
}

function isTitled(app: PageApp): app is PageApp & { title: string } {
  return app.title !== null;
}

function hasEnoughRatings({ ratings }: PageApp, first: PageApp): boolean {
  return ratings !== null && first.ratings !== null && ratings >= first.ratings * minRatingShare;
}

/** Whether the app's name is not the first part of its title: the fourth case of `isGenericTerm`. */
function isNamedElsewhere(title: string, rivals: readonly { title: string }[], lang: string): boolean {
  const [head = [], ...rest] = partsOf(title, lang);
  const rivalParts = rivals.map((app) => partsOf(app.title, lang));
  const rivalWords = new Set(rivalParts.flat(2));
  const shared = sharedWords(rivalParts);
  return (
    head.some((word) => shared.has(word)) &&
    rest.some((words) => words.length <= head.length && !words.some((word) => rivalWords.has(word)))
  );
}

/** The forms of the words of each part of a title; parts without words are left out. */
function partsOf(title: string, lang: string): string[][] {
  return titleParts(title, lang)
    .map((part) => wordsOf(part, lang).map((word) => commonForm(word, lang)))
    .filter((words) => words.length > 0);
}

/** The words of those parts that at least two titles have in common. `titles`: the forms of the words of each part of each title. */
function sharedWords(titles: readonly string[][][]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const parts of titles) {
    for (const words of parts) {
      const text = words.join(' ');
      if (seen.has(text)) for (const word of words) shared.add(word);
    }
    for (const words of parts) seen.add(words.join(' '));
  }
  return shared;
}
