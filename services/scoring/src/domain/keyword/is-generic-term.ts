import { evidence } from '@shelfwise/facts/text/evidence';
import { isWordBoundary } from '@shelfwise/facts/text/is-word-boundary';
import { foldWithoutPunctuation } from '@shelfwise/facts/text/normalize-text';
import { wordsOf } from '@shelfwise/facts/text/words';
import { titleParts } from '../text/title-parts.ts';
import type { PageApp } from './keyword-reading.ts';

/** A rival with a smaller share of the first app's ratings may only borrow the first app's name. */
const smallestShare = 1 / 15;
/** The `evidence` of a title that contains all words of a term, in any order. */
const allWords = 0.85;
/** This many rival titles that contain a term show that it is generic. */
const enoughTitles = 2;

/** Words before the name of another app or developer: `Mods for Minecraft`, `Layout from Instagram`. */
const nameFollows = /(?:^| )(?:for|from|by|für|von|pour|para|per|voor|van|för|dla|для|от) /u;

/**
 * Whether the titles of other developers show that a term is generic and not the name of the first app, whose title
 * starts with it. Any of these is enough:
 * - a rival's title starts with the term, or has it as a separate part (`Streakly - Habit Tracker`);
 * - two rival titles contain it, or one of an app with at least 1/15 of the first app's ratings, in any word order;
 * - the first app's name is elsewhere: another part of its title, with no more words than the first part, consists of
 *   words that no other title has, and the first part has a word of a part that two rivals share (`Habit Builder -
 *   Streakly` next to two titles with `Habit Tracker`).
 * Titles that mention another app (`Mods for Minecraft`) and unknown rating counts are ignored.
 * @param rivals the apps of other developers among the first ten
 * @param lang BCP 47
 */
export function isGenericTerm(
  keyword: string,
  first: PageApp,
  rivals: readonly PageApp[],
  lang: string,
): boolean {
  const term = foldWithoutPunctuation(keyword);
  const others = rivals.filter(({ title }) => !namesAnotherApp(title, term));
  if (others.some(({ title }) => startsWith(title, term) || hasPart(title, term, lang))) return true;
  const titlesWithTerm = others.filter(({ title }) => evidence(keyword, title, lang) === 1);
  if (titlesWithTerm.length >= enoughTitles) return true;
  if (others.some((app) => hasEnoughRatings(app, first) && evidence(keyword, app.title, lang) >= allWords))
    return true;
  return isNamedElsewhere(first, others, lang);
}

/** Whether a title starts with a term. `term`: folded, without punctuation. */
export function startsWith(title: string, term: string): boolean {
  const text = foldWithoutPunctuation(title);
  return text.startsWith(term) && isWordBoundary(text, term.length);
}

function namesAnotherApp(title: string, term: string): boolean {
  const [, ...behind] = foldWithoutPunctuation(title).split(nameFollows);
  return behind.some((text) => text.includes(term));
}

function hasPart(title: string, term: string, lang: string): boolean {
  return titleParts(title, lang).some((part) => foldWithoutPunctuation(part) === term);
}

function hasEnoughRatings({ ratings }: PageApp, first: PageApp): boolean {
  return ratings !== null && first.ratings !== null && ratings >= first.ratings * smallestShare;
}

function isNamedElsewhere({ title }: PageApp, others: readonly PageApp[], lang: string): boolean {
  const [head = [], ...rest] = partsOf(title, lang);
  const parts = others.map((app) => partsOf(app.title, lang));
  const known = new Set(parts.flat(2));
  const shared = sharedWords(parts);
  return (
    head.some((word) => shared.has(word)) &&
    rest.some((words) => words.length <= head.length && !words.some((word) => known.has(word)))
  );
}

/** The words of each part of a title; parts without words are left out. */
function partsOf(title: string, lang: string): string[][] {
  return titleParts(title, lang)
    .map((part) => wordsOf(part, lang))
    .filter((words) => words.length > 0);
}

/** The words of the parts that at least two titles share. */
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
