/**
 * No store takes them, and some readers end there: NUL, halves of surrogate pairs, and the sign that stands for what was
 * lost when such a half was sent on.
 */
const broken = /[\0\p{Cs}\ufffd]/u;

/** Whether a text holds characters that no store takes. */
export function hasInvalidCharacters(text: string): boolean {
  return broken.test(text);
}
