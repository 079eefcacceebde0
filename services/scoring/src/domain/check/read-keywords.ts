import { cutText } from '@shelfwise/facts/text/cut-text';
import { countCharacters, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { CheckedKeywords } from '@shelfwise/proto/scoring/v1/scoring';
import { keywordEntries } from '../text/keyword-entries.ts';

/** One character is a whole word in these scripts. */
const wordScripts = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Ten times the limit, in UTF-16 units: what a field has beyond is not read. */
const maxRead = 1_000;

/**
 * The App Store's keywords field as the store reads it: terms in their normal form, in order, with their repeats; what is
 * repeated, terms and words within them, each once; terms of one character; terms of several words.
 * `wasted_on_spaces` are the blanks that part no words, `wasted_on_duplicates` the repeats with one separator each; both
 * in UTF-16 units. The first 1,000 units are read, and no more than 1,000 of the normal form. A sign such as `&` is no word
 * that could be repeated.
 */
export function readKeywords(field: string): CheckedKeywords {
  const entries = keywordEntries(cutText(field, maxRead));
  const terms = termsOf(entries);
  return {
    terms,
    ...findRepeats(terms),
    too_short: once(terms.filter((term) => countCharacters(term) === 1 && !wordScripts.test(term))),
    phrases: once(terms.filter((term) => term.includes(' '))),
    wasted_on_spaces: entries.map(countIdleBlanks).reduce((sum, count) => sum + count, 0),
  };
}

/** One character can become eighteen in its normal form: the bound is counted once more. */
function termsOf(entries: readonly string[]): string[] {
  let room = maxRead;
  return entries.flatMap((entry) => {
    const term = cutText(normalizeKeyword(entry), room).trimEnd();
    room -= term.length;
    return term === '' ? [] : [term];
  });
}

/** The store combines the words of all terms: a word of a phrase that stands elsewhere too is a repeat like any other. */
function findRepeats(terms: readonly string[]): Pick<CheckedKeywords, 'duplicates' | 'wasted_on_duplicates'> {
  const seenTerms = new Set<string>();
  const seenWords = new Set<string>();
  const repeats: string[] = [];
  for (const term of terms.filter(hasWord)) {
    if (seenTerms.has(term)) {
      repeats.push(term);
      continue;
    }
    seenTerms.add(term);
    for (const word of term.split(' ').filter(hasWord)) {
      if (seenWords.has(word)) repeats.push(word);
      seenWords.add(word);
    }
  }
  const wasted = repeats.reduce((sum, repeat) => sum + repeat.length + 1, 0);
  return { duplicates: once(repeats), wasted_on_duplicates: wasted };
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** All blanks of an entry, less one between each two words. */
function countIdleBlanks(entry: string): number {
  const blanks = entry.match(/\s/gu)?.length ?? 0;
  const words = entry.match(/\S+/gu)?.length ?? 0;
  return blanks - Math.max(0, words - 1);
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
