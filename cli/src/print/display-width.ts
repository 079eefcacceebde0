const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that a terminal shows two columns wide: East Asian ones and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** The columns that a text takes in a terminal. */
export function displayWidth(text: string): number {
  // Most texts: a list has thousands of them.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...segments.segment(text)].reduce((width, { segment }) => width + widthOf(segment), 0);
}

/** The beginning of a text in at most `width` columns; a cut text ends with “…”. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function widthOf(segment: string): number {
  return wide.test(segment) ? 2 : 1;
}
