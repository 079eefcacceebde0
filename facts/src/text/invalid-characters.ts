/**
 * No store accepts NUL or lone surrogates, and some parsers stop at them. U+FFFD replaces a surrogate that was lost
 * earlier.
 */
const invalid = /[\0\p{Cs}\ufffd]/u;

/** Whether a text contains characters that no store accepts. */
export function hasInvalidCharacters(text: string): boolean {
  return invalid.test(text);
}
