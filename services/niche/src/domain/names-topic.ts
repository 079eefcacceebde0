import { evidenceFor } from '@shelfwise/facts/text/evidence';
import { wordsOf } from '@shelfwise/facts/text/words';
import { genericWordsOf } from './generic-words.ts';

/** From this evidence on, a text contains all words of a phrase. */
const minEvidence = 0.85;
/** This many titles show that the store has apps about all of these words. */
const minTitles = 3;

/**
 * Returns whether a text names a topic: it has at least m of its words, up to plurals. m is the largest number that at
 * least three titles have. So `QR Code Reader` names `qr code scanner`, and `PDF Scanner` does not, if there are apps
 * for QR codes.
 * - Generic words (`app`, `for`) do not count, unless the topic has no others.
 * - When m is 1 or less, the word of the fewest titles is needed: a store without habit trackers shows other trackers.
 * - When no title has any word, as for a misspelling, every text counts.
 * @param titles of the topic's result page
 * @param lang BCP 47
 */
export function createNamesTopic(
  topic: string,
  titles: readonly string[],
  lang: string,
): (text: string) => boolean {
  const findWords = createWordFinder(topic, lang);
  const found = titles.map(findWords);
  const enough = found.map((words) => words.length).sort((a, b) => b - a)[minTitles - 1] ?? 0;
  if (enough > 1) return (text) => findWords(text).length >= enough;
  const titlesOf = new Map<string, number>();
  for (const word of found.flat()) titlesOf.set(word, (titlesOf.get(word) ?? 0) + 1);
  const fewest = Math.min(...titlesOf.values());
  return (text) => titlesOf.size === 0 || findWords(text).some((word) => titlesOf.get(word) === fewest);
}

/** Returns the words of the topic that a text has, each once. */
function createWordFinder(topic: string, lang: string): (text: string) => string[] {
  const generic = genericWordsOf(lang);
  const words = [...new Set(wordsOf(topic, lang))];
  const specific = words.filter((word) => !generic.has(word));
  // A topic without letters and digits, such as an emoji, is its own word.
  const named = words.length === 0 ? [topic] : specific.length > 0 ? specific : words;
  const counted = named.map((word) => ({ word, isIn: createIsNamed(word, lang) }));
  const isWholeTopic = createIsNamed(topic, lang);
  // The whole topic counts also when it is written without blanks (`photoeditor`).
  return (text) =>
    isWholeTopic(text) ? named : counted.filter(({ isIn }) => isIn(text)).map(({ word }) => word);
}

/** Returns whether a text has all words of a phrase, up to plurals; of a phrase without words, such as an emoji, the phrase. */
export function createIsNamed(phrase: string, lang: string): (text: string) => boolean {
  const evidenceOf = evidenceFor(phrase, lang);
  return (text) => evidenceOf(text) >= minEvidence;
}
