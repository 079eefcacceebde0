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
 * The words of a text from `normalizeText`, in order, as `Intl.Segmenter` finds them. French, Italian and Catalan
 * articles become words of their own (`l'app`: `l`, `app`); the symbols of `c++` and `c#` stay with their letter.
 * @param lang BCP 47
 */
export function segmentsOf(text: string, lang: string): Segment[] {
  return createSegments(lang)(text);
}

/** The same for many short texts: a segmenter costs more than such a text, 20 us. @param lang BCP 47 */
export function createSegments(lang: string): (text: string) => Segment[] {
  const elision = elisions.get(new Intl.Locale(lang).language);
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  return (text) => segment(text, segmenter, elision);
}

function segment(text: string, segmenter: Intl.Segmenter, elision: RegExp | undefined): Segment[] {
  const segments: Segment[] = [];
  for (const part of segmenter.segment(text)) {
    if (!part.isWordLike) continue;
    for (const match of part.segment.matchAll(unseparated)) {
      segments.push(...withoutElision(match[0], part.index + match.index, elision));
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
