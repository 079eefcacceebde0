import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { wordsOf } from '@shelfwise/facts/text/words';
import { genericWordsOf } from './generic-words.ts';
import { documentFrequencies } from './word-set.ts';

/**
 * Separates an app's name from what the app does: `Streakly: Habit Tracker`, `Habit Tracker - Streakly`. Commas,
 * semicolons and brackets do not count: they separate parts of a description (`Sleep, Relax (Timer)`).
 */
const separator = /\s*[:：|｜•·～〜]\s*|\s+[-–—]\s*|\s*[–—]\s+|(?<=\p{Lo})-|-(?=\p{Lo})/u;
/** Where words are written without blanks, a blank separates too: `英語 Streakly`. */
const separatorOrBlank = new RegExp(`${separator.source}|\\s+`, 'u');
/** In words. A title of one part that is no longer is hardly more than a name and the topic. */
const shortTitle = 4;

/** The words of a part of a title. */
type Part = readonly string[];
/** What a title's words say of the app: its name, or what it does. Words in neither may be either. */
type Roles = { name: Part; description: Part };
/** What is known of words from all titles, the topic and the suggestions. */
type WordFacts = {
  /** The topic or a suggestion has the word, and it is not generic. */
  isTopical: (word: string) => boolean;
  /** No other title has the word, and neither the topic nor a suggestion has it. */
  isRare: (word: string) => boolean;
  /** The words include all words of the topic that are not generic. */
  isTopic: (words: Part) => boolean;
  /** Another title has the same part, so it is no app's name. */
  isShared: (part: Part) => boolean;
};

/**
 * The words that are names of apps: they are at the position of the name in some title (see below), describe no app in
 * any title, and are neither generic nor topical. A word is topical when the topic or a suggestion has it. It is rare
 * when it is not topical and only one title has it.
 * - In a title of several parts, the name is the first or the last part:
 * - the one without a topical word, if only the other has one
 * - else the one whose words are all rare, if only one is so, but not a last part of several words after a first part
 *   that begins with a rare word
 * - if both are so, the shorter one, on a tie the first
 * - else the rare words of the first part are names
 * - In a title of one part, the name precedes the topic, if all of the topic follows (`Noble Streakly Habit Tracker`,
 *   not `Mood Tracker`). In a short title it is everything before the topic, else the first word if it is rare.
 * - In a title of one part without a topical word, the first word is the name if it is rare.
 * @param topic normal form
 * @param suggested the store's suggestions
 * @param lang BCP 47
 */
export function appNameWords(
  titles: readonly string[],
  topic: string,
  suggested: readonly string[],
  lang: string,
): ReadonlySet<string> {
  const partsOfTitles = titles.map((title) => partsOf(title, lang));
  const titlesByWord = documentFrequencies(partsOfTitles.map((parts) => new Set(parts.flat())));
  const titlesByPart = documentFrequencies(partsOfTitles.map((parts) => new Set(parts.map(textOf))));
  const generic = genericWordsOf(lang);
  const specificWordsOf = (term: string) => wordsOf(term, lang).filter((word) => !generic.has(word));
  const topical = new Set([topic, ...suggested].flatMap(specificWordsOf));
  const topicWords = specificWordsOf(topic);
  const facts: WordFacts = {
    isTopical: (word) => topical.has(word),
    isRare: (word) => titlesByWord.get(word) === 1 && !topical.has(word),
    isTopic: (words) => topicWords.every((word) => words.includes(word)),
    isShared: (part) => (titlesByPart.get(textOf(part)) ?? 0) > 1,
  };
  const roles = partsOfTitles.map((parts) =>
    parts.length > 1 ? rolesOf(parts, facts) : rolesOfSinglePart(parts[0] ?? [], facts),
  );
  const descriptive = new Set(roles.flatMap((title) => title.description));
  const names = roles.flatMap((title) => title.name);
  return new Set(names.filter((word) => !descriptive.has(word) && !topical.has(word) && !generic.has(word)));
}

/** For a title of several parts. */
function rolesOf(parts: readonly Part[], facts: WordFacts): Roles {
  const [first, last] = [parts[0] ?? [], parts.at(-1) ?? []];
  const isFirstTopical = first.some(facts.isTopical);
  const isOnlyOneTopical = isFirstTopical !== last.some(facts.isTopical);
  const name = isOnlyOneTopical ? (isFirstTopical ? last : first) : rarePart(first, last, facts.isRare);
  const description = parts.filter((part) => part !== name || facts.isShared(part)).flat();
  return { name: isOnlyOneTopical ? name : name.filter(facts.isRare), description };
}

/** The part whose words are all rare, as `appNameWords` chooses it; the first part if there is none. */
function rarePart(first: Part, last: Part, isRare: WordFacts['isRare']): Part {
  const isLastRare = last.every(isRare);
  if (first.every(isRare)) return isLastRare && last.length < first.length ? last : first;
  return isLastRare && (last.length === 1 || !isRare(first[0] ?? '')) ? last : first;
}

function rolesOfSinglePart(words: Part, { isTopical, isRare, isTopic }: WordFacts): Roles {
  const topicAt = words.findIndex(isTopical);
  // No topic shows where the name ends: only words beyond a short title's length surely describe the app.
  if (topicAt === -1) return { name: words.slice(0, 1).filter(isRare), description: words.slice(shortTitle) };
  if (!isTopic(words.slice(topicAt))) return { name: [], description: words };
  const name =
    words.length > shortTitle ? words.slice(0, Math.min(topicAt, 1)).filter(isRare) : words.slice(0, topicAt);
  return { name, description: words.slice(name.length) };
}

/** The words of each part; parts without words are left out. */
function partsOf(title: string, lang: string): Part[] {
  const parts = title.split([...title].some(isUnspaced) ? separatorOrBlank : separator);
  return parts.map((part) => wordsOf(part, lang)).filter((words) => words.length > 0);
}

function textOf(words: Part): string {
  return words.join(' ');
}
