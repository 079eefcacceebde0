import { letterWithSymbols } from './letter-with-symbols.ts';

/** A word and where it stands in the text: `text.slice(start, end)`, in UTF-16 units. */
export type Segment = { word: string; start: number; end: number };

/** The segmenter leaves `photo:editor`, `photo·editor`, `photo_editor` and `2048;1010` whole; nobody searches for them as one. */
const unglued = /[^:·_;،]+/gu;

/** Articles and the like that lose their vowel; the word that people search for is the one behind the apostrophe. */
const romance =
  /^(l|d|j|m|t|s|c|n|qu|jusqu|lorsqu|puisqu|quoiqu|un|dell|all|nell|dall|sull|quell|quest|bell|sant)'(?=.)/u;
const elisions: ReadonlyMap<string, RegExp> = new Map([
  ['fr', romance],
  ['it', romance],
  ['ca', romance],
]);

/**
 * The words of a normal text, in order, as `Intl.Segmenter` finds them; French, Italian and Catalan articles are taken off,
 * and the signs of `c++` and `c#` belong to them. A segmenter is made for each call: that costs 10 us, and nothing has to be kept.
 */
export function segmentsOf(text: string, lang: string): Segment[] {
  const elision = elisions.get(new Intl.Locale(lang).language);
  const found: Segment[] = [];
  for (const part of new Intl.Segmenter(lang, { granularity: 'word' }).segment(text)) {
    if (!part.isWordLike) continue;
    for (const match of part.segment.matchAll(unglued)) {
      found.push(...withoutElision(match[0], part.index + match.index, elision));
    }
  }
  const signed = new Map(Array.from(text.matchAll(letterWithSymbols), (match) => [match.index, match[0]]));
  return found.map((segment) => withSigns(segment, signed.get(segment.start)));
}

function withSigns(segment: Segment, signed: string | undefined): Segment {
  return signed === undefined ? segment : { ...segment, word: signed, end: segment.start + signed.length };
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
