import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { isUnspaced } from '@shelfwise/facts/text/scripts';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import { appNameWords } from './app-name-words.ts';
import { genericWordsOf } from './generic-words.ts';
import { isNativeScript } from './native-script.ts';
import { compareText } from './niche-term.ts';
import { phraseBoundaries } from './phrase-boundaries.ts';
import { wordSetOf } from './word-set.ts';

type Phrase = {
  /** normal form */
  text: string;
  words: readonly string[];
  /** the titles that contain it */
  titles: readonly string[];
};

/** A phrase in this many titles is what the results are about, even without a word of the topic. */
const commonTitles = 3;

/** Fillers with which a search may begin or end: `drawing app`. */
const appWords: ReadonlySet<string> = new Set(['app', 'apps', 'アプリ', '앱', '应用']);

/**
 * The phrases of 1 to 3 words in the titles that may be about a topic, in normal form: most titles first, ties in the
 * order of the normal form. A phrase is related if one of these holds:
 * - it shares a word with the topic (in CJK two neighboring characters)
 * - it has several words and shares one with a suggestion
 * - at least three titles have it
 * Left out are:
 * - phrases with a word of an app's name (`appNameWords`)
 * - phrases of generic words only (`genericWordsOf`), and phrases with letters foreign to the language
 * - phrases that begin or end with a number, a stop word or a filler (`pro`), unless three titles have them (`to do
 *   list`)
 * - phrases that occur only within a longer one (`voice` of `voice translator`)
 * - phrases that are cut out of a longer expression (`phraseBoundaries`): both ends must be boundaries somewhere in
 *   scripts without blanks, else one end, unless several titles have the phrase
 * @param topic normal form
 * @param suggested the store's suggestions
 * @param lang BCP 47
 */
export function titlePhrases(
  titles: readonly string[],
  topic: string,
  suggested: readonly string[],
  lang: string,
): string[] {
  const names = appNameWords(titles, topic, suggested, lang);
  const phrases = phrasesIn(titles, lang)
    .filter(({ words }) => !words.some((word) => names.has(word)))
    .filter(createIsWellFormed(lang));
  const titlesOfLonger = countTitlesOfLonger(phrases);
  const isRelated = createIsRelated(topic, suggested, lang);
  const isDelimited = createIsDelimited([topic, ...suggested], lang);
  return phrases
    .filter((phrase) => isRelated(phrase) && isIndependent(phrase, titlesOfLonger) && isDelimited(phrase))
    .sort((a, b) => b.titles.length - a.titles.length || compareText(a.text, b.text))
    .map(({ text }) => text);
}

function phrasesIn(titles: readonly string[], lang: string): Phrase[] {
  const titlesByPhrase = new Map<string, string[]>();
  for (const title of titles)
    for (const text of phrasesOf(title, lang, 3))
      titlesByPhrase.set(text, [...(titlesByPhrase.get(text) ?? []), title]);
  return [...titlesByPhrase].map(([text, titles]) => ({ text, words: wordsOf(text, lang), titles }));
}

function createIsWellFormed(lang: string): (phrase: Phrase) => boolean {
  const stopWords = stopWordsOf(lang);
  const generic = genericWordsOf(lang);
  const isWeakEnd = (word = '') =>
    stopWords.has(word) || /^\p{N}+$/u.test(word) || (fillerWords.has(word) && !appWords.has(word));
  return ({ text, words, titles }) =>
    words.some((word) => !generic.has(word)) &&
    isNativeScript(text, lang) &&
    (titles.length >= commonTitles || !(isWeakEnd(words[0]) || isWeakEnd(words.at(-1))));
}

function createIsRelated(
  topic: string,
  suggested: readonly string[],
  lang: string,
): (phrase: Phrase) => boolean {
  const generic = genericWordsOf(lang);
  const specificWordsOf = (term: string) => [...wordSetOf(term, lang)].filter((word) => !generic.has(word));
  const topicWords = new Set(specificWordsOf(topic));
  const knownWords = new Set([topic, ...suggested].flatMap(specificWordsOf));
  return ({ text, words, titles }) => {
    if (titles.length >= commonTitles) return true;
    const relatedWords = words.length > 1 ? knownWords : topicWords;
    return specificWordsOf(text).some((word) => relatedWords.has(word));
  };
}

/** @param searches the topic and the suggestions: further texts in which a phrase may have boundaries */
function createIsDelimited(searches: readonly string[], lang: string): (phrase: Phrase) => boolean {
  const stopWords = stopWordsOf(lang);
  return ({ text, titles }) => {
    const boundariesIn = (texts: readonly string[]) =>
      texts.flatMap((source) => phraseBoundaries(text, source, stopWords, lang));
    if ([...text].some(isUnspaced))
      return boundariesIn([...titles, ...searches]).some(({ atStart, atEnd }) => atStart && atEnd);
    return titles.length > 1 || boundariesIn(titles).some(({ atStart, atEnd }) => atStart || atEnd);
  };
}

/** Whether more titles have the phrase than have the most frequent longer phrase that contains it. */
function isIndependent({ words, titles }: Phrase, titlesOfLonger: ReadonlyMap<string, number>): boolean {
  return (titlesOfLonger.get(words.join(' ')) ?? 0) < titles.length;
}

/** By piece (words joined by blanks): how many titles have the most frequent longer phrase that contains it. */
function countTitlesOfLonger(phrases: readonly Phrase[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { words, titles } of phrases) {
    for (const piece of piecesOf(words)) most.set(piece, Math.max(most.get(piece) ?? 0, titles.length));
  }
  return most;
}

/** All shorter runs of consecutive words. */
function piecesOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words
      .map((_, last) => words.slice(from, last + 1))
      .filter((piece) => piece.length > 0 && piece.length < words.length)
      .map((piece) => piece.join(' ')),
  );
}
