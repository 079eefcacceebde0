import { languageOf, segmenterOf } from './by-language.ts';
import { letterWithSymbols } from './letter-with-symbols.ts';

/** A word and its position: `text.slice(start, end)`, in UTF-16 units. */
export type Segment = { word: string; start: number; end: number };

/**
 * The segmenter does not split `photo:editor`, `photo·editor`, `photo_editor` and `2048;1010`, but people search for
 * the parts.
 */
const unseparated = /[^:·_;،]+/gu;

/** Articles and similar words that lose their vowel before another word. People search for the word after them. */
const romanceElision =
  /^(l|d|j|m|t|s|c|n|qu|jusqu|lorsqu|puisqu|quoiqu|un|dell|all|nell|dall|sull|quell|quest|bell|sant)'(?=.)/u;
const elisions: ReadonlyMap<string, RegExp> = new Map([
  ['fr', romanceElision],
  ['it', romanceElision],
  ['ca', romanceElision],
]);

/**
 * `Intl.Segmenter` copies its whole text for every word that it finds, so a text is given to it in pieces. A piece ends at a
 * space or line break, or at a punctuation mark that no word contains. Only runs of 500 units without any are cut elsewhere.
 */
const pieces = /[^ \n]{1,500}(?![^ \n])|[^ \n]{0,499}[、。!?…」』】]|[^ \n]{1,500}/gu;

/** A word of Western Europe's letters in lower case and digits: the segmenter would find it, and nothing else. */
const plainPiece = /^([a-z0-9\u00df-\u00f6\u00f8-\u00ff]+)[.,!?;:]?$/;

/**
 * The words of a text from `normalizeText`, in order, as `Intl.Segmenter` finds them. French, Italian and Catalan
 * articles become words of their own (`l'app`: `l`, `app`); the symbols of `c++` and `c#` stay with their letter.
 * @param lang BCP 47
 */
export function segmentsOf(text: string, lang: string): Segment[] {
  const elision = elisions.get(languageOf(lang));
  const segmenter = segmenterOf(lang);
  const segments: Segment[] = [];
  for (const { 0: piece, index: start } of text.matchAll(pieces)) {
    const plain = plainPiece.exec(piece)?.[1];
    if (plain !== undefined) {
      segments.push({ word: plain, start, end: start + plain.length });
      continue;
    }
    for (const part of segmenter.segment(piece)) {
      if (!part.isWordLike) continue;
      for (const match of part.segment.matchAll(unseparated)) {
        segments.push(...withoutElision(match[0], start + part.index + match.index, elision));
      }
    }
  }
  const symbolWords = new Map(
    Array.from(text.matchAll(letterWithSymbols), (match) => [match.index, match[0]]),
  );
  return segments.map((segment) => withSymbols(segment, symbolWords.get(segment.start)));
}

function withSymbols(segment: Segment, symbolWord: string | undefined): Segment {
  return symbolWord === undefined
    ? segment
    : { ...segment, word: symbolWord, end: segment.start + symbolWord.length };
}

function withoutElision(word: string, start: number, elision: RegExp | undefined): Segment[] {
  const end = start + word.length;
  const article = elision?.exec(word)?.[1];
  if (article === undefined) return [{ word, start, end }];
  const rest = start + article.length + 1;
  return [
    { word: article, start, end: start + article.length },
    { word: word.slice(article.length + 1), start: rest, end },
  ];
}
