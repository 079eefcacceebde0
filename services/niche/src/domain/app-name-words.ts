import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { wordsOf } from '@shelfwise/facts/text/words';
import { genericWordsOf } from './generic-words.ts';
import { documentFrequencies } from './word-set.ts';

/**
 * What parts an app's name from what it does: `Streakly: Habit Tracker`, `Habit Tracker - Streakly`. Not the signs
 * of scoring's `titleParts`, which also looks for a part that is one searched term: a comma, a semicolon or a bracket parts
 * what is said (`Sleep, Relax (Timer)`), and a piece of that which stands last would be taken for a name.
 */
const separator = /\s*[:：|｜•·～〜]\s*|\s+[-–—]\s*|\s*[–—]\s+|(?<=\p{Lo})-|-(?=\p{Lo})/u;
/** Where words are written without blanks, a blank parts too: `英語 Streakly`. */
const separatorOrBlank = new RegExp(`${separator.source}|\\s+`, 'u');
/** A title of one part and so few words is hardly more than a name and the topic. */
const shortTitle = 4;

type Part = readonly string[];
/** The words of a title that name the app, and those that describe it; of other words the role is unknown. */
type Roles = { name: Part; description: Part };
type WordFacts = {
  isTopical: (word: string) => boolean;
  /** No other title has the word, and it is not about the topic. */
  isRare: (word: string) => boolean;
  /** All words of the topic are among them. */
  isTopic: (words: Part) => boolean;
  /** Another title has the same part: it is no app's name. */
  isShared: (part: Part) => boolean;
};

/**
 * The words of titles that are known to be names of apps: they stand where names stand, never where it is said what an app
 * does, and not in what is said about the topic. Of a title in several parts the first or the last one is the name: the
 * one without a word about the topic, where the other has one. Where that decides nothing, it is the one all of whose words
 * no other title has, the shorter one if both are so; the last part is then no name if it has several words and the
 * first begins with one; where no part is made of such words, they are a name in the first. In a title of one part the name
 * stands before the topic, if all of it follows (`Noble Streakly Habit Tracker`, not `Mood Tracker`): one word that no other title
 * has, or, if the title is short, all before it. So may one word without anything about the topic behind it.
 * @param topic normal form
 * @param suggested what the store suggests
 * @param lang BCP 47
 */
export function appNameWords(
  titles: readonly string[],
  topic: string,
  suggested: readonly string[],
  lang: string,
): ReadonlySet<string> {
  const split = titles.map((title) => partsOf(title, lang));
  const words = documentFrequencies(split.map((parts) => new Set(parts.flat())));
  const partCounts = documentFrequencies(split.map((parts) => new Set(parts.map(textOf))));
  const generic = genericWordsOf(lang);
  const specificWordsOf = (term: string) => wordsOf(term, lang).filter((word) => !generic.has(word));
  const topical = new Set([topic, ...suggested].flatMap(specificWordsOf));
  const topicWords = specificWordsOf(topic);
  const facts: WordFacts = {
    isTopical: (word) => topical.has(word),
    isRare: (word) => words.get(word) === 1 && !topical.has(word),
    isTopic: (words) => topicWords.every((word) => words.includes(word)),
    isShared: (part) => (partCounts.get(textOf(part)) ?? 0) > 1,
  };
  const roles = split.map((parts) =>
    parts.length > 1 ? rolesOf(parts, facts) : rolesOfSinglePart(parts[0] ?? [], facts),
  );
  const descriptive = new Set(roles.flatMap((title) => title.description));
  const names = roles.flatMap((title) => title.name);
  return new Set(names.filter((word) => !descriptive.has(word) && !topical.has(word) && !generic.has(word)));
}

function rolesOf(parts: readonly Part[], facts: WordFacts): Roles {
  const [first, last] = [parts[0] ?? [], parts.at(-1) ?? []];
  const isFirstTopical = first.some(facts.isTopical);
  const isClear = isFirstTopical !== last.some(facts.isTopical);
  const name = isClear ? (isFirstTopical ? last : first) : rarePart(first, last, facts.isRare);
  const description = parts.filter((part) => part !== name || facts.isShared(part)).flat();
  return { name: isClear ? name : name.filter(facts.isRare), description };
}

function rarePart(first: Part, last: Part, isRare: WordFacts['isRare']): Part {
  const isLast = last.every(isRare);
  if (first.every(isRare)) return isLast && last.length < first.length ? last : first;
  return isLast && (last.length === 1 || !isRare(first[0] ?? '')) ? last : first;
}

function rolesOfSinglePart(words: Part, { isTopical, isRare, isTopic }: WordFacts): Roles {
  const at = words.findIndex(isTopical);
  if (at === -1) return { name: words.slice(0, 1).filter(isRare), description: words.slice(shortTitle) };
  if (!isTopic(words.slice(at))) return { name: [], description: words };
  const name =
    words.length > shortTitle ? words.slice(0, Math.min(at, 1)).filter(isRare) : words.slice(0, at);
  return { name, description: words.slice(name.length) };
}

/** The words of each part that has any. */
function partsOf(title: string, lang: string): Part[] {
  const parts = title.split([...title].some(isUnspaced) ? separatorOrBlank : separator);
  return parts.map((part) => wordsOf(part, lang)).filter((words) => words.length > 0);
}

function textOf(words: Part): string {
  return words.join(' ');
}
