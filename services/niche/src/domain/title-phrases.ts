import { phrasesOf } from '@shelfwise/facts/text/phrases';
import { wordsOf } from '@shelfwise/facts/text/words';
import { compareText } from './compare-terms.ts';
import { countTexts } from './count-texts.ts';
import { titleNames } from './title-names.ts';

/** A phrase of titles. */
type Phrase = { text: string; words: readonly string[]; titles: number };

/**
 * The phrases of 1 to 3 words of the titles, those of the most titles first, equals in the order of the normal form. Left
 * out are those with a word of an app's name (`titleNames`), and those that never stand without a longer one, which are a
 * piece of it: `voice` of `voice translator`. Where a phrase of two words ends, a single title cannot tell.
 * @param about terms about the topic
 * @param lang BCP 47
 */
export function titlePhrases(titles: readonly string[], about: readonly string[], lang: string): string[] {
  const names = titleNames(titles, about, lang);
  const phrases = [...countTexts(titles.map((title) => phrasesOf(title, lang, 3)))]
    .map(([text, count]): Phrase => ({ text, words: wordsOf(text, lang), titles: count }))
    .filter(({ words }) => !words.some((word) => names.has(word)));
  const longer = titlesOfLonger(phrases);
  return phrases
    .filter(({ words, titles: count }) => isWhole(words, count, longer))
    .sort((a, b) => b.titles - a.titles || compareText(a.text, b.text))
    .map(({ text }) => text);
}

function isWhole(words: readonly string[], titles: number, longer: ReadonlyMap<string, number>): boolean {
  return (longer.get(words.join(' ')) ?? 0) < titles || (titles === 1 && words.length > 1);
}

/** For every piece of a phrase, in how many titles the most frequent longer one stands. */
function titlesOfLonger(phrases: readonly Phrase[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { words, titles } of phrases) {
    for (const piece of piecesOf(words)) most.set(piece, Math.max(most.get(piece) ?? 0, titles));
  }
  return most;
}

/** Every run of consecutive words but the whole. */
function piecesOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words
      .map((_, last) => words.slice(from, last + 1))
      .filter((piece) => piece.length > 0 && piece.length < words.length)
      .map((piece) => piece.join(' ')),
  );
}
