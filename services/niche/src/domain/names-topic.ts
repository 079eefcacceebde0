import { evidence, evidenceFor } from '@shelfwise/facts/text/evidence';
import { wordsOf } from '@shelfwise/facts/text/words';
import { genericWordsOf } from './generic-words.ts';
import { inSingular } from './singular.ts';

/** From this evidence on, a text contains all words of a phrase. */
const minEvidence = 0.85;
/** This many titles show that the store has apps about all of these words. */
const minTitles = 3;

/**
 * Returns whether a text names a topic: it has at least m words of the topic, up to plurals, where m is the largest
 * number that at least three of the titles have. So `QR Code Reader` names `qr code scanner`, and `PDF Scanner` does
 * not, if there are apps for QR codes. Generic words (`app`, `for`) do not count, unless the topic has no others. When
 * fewer titles have a word, one word is enough. When no title has one, as for a misspelling that the store corrects,
 * words say nothing and every text counts.
 * @param titles of the topic's result page
 * @param lang BCP 47
 */
export function createNamesTopic(
  topic: string,
  titles: readonly string[],
  lang: string,
): (text: string) => boolean {
  const countWords = createWordCounter(topic, lang);
  const counts = titles.map(countWords);
  const most = Math.max(0, ...counts);
  const enough = [...counts].sort((a, b) => b - a)[minTitles - 1] ?? 0;
  const required = Math.max(enough, Math.min(1, most));
  return (text) => countWords(text) >= required;
}

/** Returns the number of different words of the topic that a text has. */
function createWordCounter(topic: string, lang: string): (text: string) => number {
  const generic = genericWordsOf(lang);
  const words = [...new Set(wordsOf(topic, lang))];
  // A topic without letters and digits, such as an emoji, is its own word.
  if (words.length === 0) return (text) => (evidence(topic, text, lang) >= minEvidence ? 1 : 0);
  const specific = words.filter((word) => !generic.has(word));
  const counted = (specific.length > 0 ? specific : words).map(createIsNamed);
  const isWholeTopic = createIsNamed(topic);

  function createIsNamed(part: string): (text: string) => boolean {
    const evidenceOf = evidenceFor(inSingular(part, lang), lang);
    return (text) => evidenceOf(text) >= minEvidence;
  }

  return (text) => {
    const compared = inSingular(text, lang);
    // The whole topic counts also when it is written without blanks (`photoeditor`).
    return isWholeTopic(compared) ? counted.length : counted.filter((isNamed) => isNamed(compared)).length;
  };
}
