import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { sampleContent } from './content.ts';

/** Han, Kana and Hangul, in which spaces do not reliably separate words. */
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** A run is a sequence of such characters, or of other letters and digits. */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}]+/gu;

/** Words that certainly have no accents: the most frequent case, which needs no normalization. */
const plain = /^[a-z0-9]*$/;

/** The weight of a vague word; all other words have 1. */
const vagueShare = 0.25;

/**
 * The words of a text as search compares them: in normal form, without accents, with short endings removed so that
 * "planner" and "planning" match. Han, Kana and Hangul become pairs of neighboring characters, a single character
 * itself.
 */
export function searchWords(text: string): string[] {
  const { stopWords } = sampleContent().words;
  const words = runsOf(text).flatMap(wordsOfRun);
  const meaningful = words.filter((word) => !stopWords.has(word));
  return [...new Set(meaningful.length > 0 ? meaningful : words)];
}

/**
 * The words of a query with their weights. The pairs of one run share one weight, so that a long Japanese word counts
 * as much as a short one. In "habit tracker without ads" the habit tracker counts most.
 */
export function queryWords(text: string): ReadonlyMap<string, number> {
  const { vagueWords } = sampleContent().words;
  const meaningful = new Set(searchWords(text));
  const shares = new Map<string, number>();
  for (const run of runsOf(text)) {
    const words = wordsOfRun(run).filter((word) => meaningful.has(word));
    const isVague = vagueWords.has(run) || words.every((word) => vagueWords.has(word));
    for (const word of words)
      shares.set(word, Math.max(shares.get(word) ?? 0, (isVague ? vagueShare : 1) / words.length));
  }
  return shares;
}

function runsOf(text: string): string[] {
  return normalizeKeyword(text).match(runs) ?? [];
}

function wordsOfRun(run: string): string[] {
  return cjk.test(run) ? pairs(run) : [stem(withoutAccents(run))];
}

/** A form for finding one phrase in another: words with single spaces between and around them. */
export function phraseForm(text: string): string {
  return ` ${runsOf(text).map(withoutAccents).join(' ')} `;
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

/** Removes an English plural, then -ing, -er or -or and the consonant doubled before it: planners, plan. */
function stem(word: string): string {
  const singular = word.replace(/(?<=..)ies$/, 'y').replace(/(?<=...[^s])s$/, '');
  const root = singular.replace(/(?<=....)(?:ing|er|or)$/, '');
  return root === singular ? singular : root.replace(/([^aeiou])\1$/, '$1');
}
