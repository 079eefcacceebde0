import { normalizeKeyword } from '@shelfwise/facts/keyword';

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}]+/gu;

/** Without any accent: most words of most languages here. */
const plain = /^[a-z0-9]*$/;

/** Words that say nothing about what is searched. */
const stopWords = new Set(
  'app apps a an the and or for of to with in on my your de la le les des du el los las da do der die das und für mit et y e o'.split(
    ' ',
  ),
);

/**
 * The words of a text as search compares them: normal form, without accents, small endings cut so that "planner" and
 * "planning" meet; Han, Kana and Hangul as pairs of neighbouring characters, a single character as itself.
 */
export function searchWords(text: string): string[] {
  const found = normalizeKeyword(text).match(runs) ?? [];
  const words = found.flatMap((run) => (cjk.test(run) ? pairs(run) : [stem(withoutAccents(run))]));
  const telling = words.filter((word) => !stopWords.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

/** A text in which one phrase can be looked for in another: words with single blanks between and around. */
export function phraseForm(text: string): string {
  const found = normalizeKeyword(text).match(runs) ?? [];
  return ` ${found.map(withoutAccents).join(' ')} `;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function withoutAccents(word: string): string {
  if (plain.test(word)) return word;
  return word.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') || word;
}

function stem(word: string): string {
  const singular = word.replace(/(?<=..)ies$/, 'y').replace(/(?<=...[^s])s$/, '');
  const root = singular.replace(/(?<=....)(?:ing|er|or)$/, '');
  return root === singular ? singular : root.replace(/([^aeiou])\1$/, '$1');
}
