/** The characters of a text as a person counts them: a letter with its marks, a whole emoji. The same in all languages. */
export function graphemesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}
