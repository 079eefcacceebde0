/** More than any language puts on a letter; the limit of Unicode's stream-safe format. */
const maxMarks = 30;
/** NFKC makes marks of the half-width voicing signs, too. */
const mark = '[\\p{M}\\uff9e\\uff9f]';
const longRun = new RegExp(`(${mark}{${maxMarks}})${mark}+`, 'gu');

/**
 * A text in a normalization form of Unicode, with at most 30 combining marks in a row. Normalization sorts the marks of a letter
 * in a time that grows with the square of their number: some 10,000 of them would stop the process for seconds.
 */
export function normalizeUnicode(text: string, form: 'NFC' | 'NFKC'): string {
  return (mayHaveLongRun(text) ? text.replace(longRun, '$1') : text).normalize(form);
}

/** Looks at every 31st unit and what is around it, so that it costs next to nothing: few texts have such a run. */
function mayHaveLongRun(text: string): boolean {
  for (let at = maxMarks; at < text.length; at += maxMarks + 1) {
    let from = at;
    while (from > at - maxMarks && mayBeMark(text.charCodeAt(from))) from--;
    if (from === at) continue;
    let to = at;
    while (to - from <= maxMarks && mayBeMark(text.charCodeAt(to))) to++;
    if (to - from > maxMarks) return true;
  }
  return false;
}

/** All marks are beyond these: Latin letters and common signs, Kana, Han and Hangul. NaN, beyond the text, is none. */
function mayBeMark(unit: number): boolean {
  if (!(unit >= 0x300)) return false;
  const isKana = (unit >= 0x3041 && unit <= 0x3096) || (unit >= 0x309b && unit <= 0x30ff);
  return !isKana && !(unit >= 0x3400 && unit <= 0x9fff) && !(unit >= 0xac00 && unit <= 0xd7a3);
}
