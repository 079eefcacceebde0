import { cutText } from '@shelfwise/facts/text/cut-text';
import { countCharacters, normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { CheckedKeywords } from '@shelfwise/proto/scoring/v1/scoring';
import { keywordEntries } from '../text/keyword-entries.ts';

/** Han and Hangul: one character can be a whole word, so it is not too short. */
const wordScripts = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Ten times the limit, in UTF-16 units; the rest of a longer field is not read. */
const maxRead = 1_000;

/**
 * Reads the App Store's keywords field as the store does:
 * - `terms`: in normal form, in order, with repeats
 * - `duplicates`: repeated terms and repeated words within terms, each once; a sign such as `&` is no word
 * - `wasted_on_spaces`: the number of blanks that do not separate two words
 * - `wasted_on_duplicates`: the characters of all repeats, each with one separator, in UTF-16 units
 *
 * At most 1,000 UTF-16 units are read, of the field and of its normal form.
 * @param lang BCP 47: the language of the normal form
 */
export function readKeywords(field: string, lang: string): CheckedKeywords {
  const entries = keywordEntries(cutText(field, maxRead));
  const terms = termsOf(entries, lang);
  return {
    terms,
    ...findRepeats(terms),
    too_short: once(terms.filter((term) => countCharacters(term) === 1 && !wordScripts.test(term))),
    phrases: once(terms.filter((term) => term.includes(' '))),
    wasted_on_spaces: entries.map(countIdleBlanks).reduce((sum, count) => sum + count, 0),
  };
}

/** Returns how a term of a field, or a word of it, in normal form, is first written there. Itself if it is not found. */
export function createWrittenTerm(field: string, lang: string): (term: string) => string {
  const written = new Map<string, string>();
  const add = (text: string) => {
    const term = normalizeKeyword(text, lang);
    if (!written.has(term)) written.set(term, text);
  };
  for (const entry of keywordEntries(cutText(field, maxRead)).map((one) => one.trim())) {
    add(entry);
    for (const word of entry.split(/\s+/u)) add(word);
  }
  return (term) => written.get(term) ?? term;
}

/** Cut at `maxRead` once more: one character can become eighteen in normal form. */
function termsOf(entries: readonly string[], lang: string): string[] {
  let room = maxRead;
  return entries.flatMap((entry) => {
    const term = cutText(normalizeKeyword(entry, lang), room).trimEnd();
    room -= term.length;
    return term === '' ? [] : [term];
  });
}

/**
 * The store combines the words of all terms, so a word of a phrase that also occurs elsewhere is a repeat like any
 * other.
 */
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

/** The blanks of an entry, except the one that is needed between two neighboring words. */
function countIdleBlanks(entry: string): number {
  const blanks = entry.match(/\s/gu)?.length ?? 0;
  const words = entry.match(/\S+/gu)?.length ?? 0;
  return blanks - Math.max(0, words - 1);
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
