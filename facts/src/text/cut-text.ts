/** The first `max` UTF-16 units of a text, one less where they would end within a pair of surrogates. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
