/** What no database takes in a regular expression, and what none stores as it is. */
const unstorable = /[\0\p{Surrogate}]/gu;
const special = /[\\^$.*+?()[\]{}|]/g;

/**
 * A text in which letter case and the ways to write one letter no longer differ. Upper case, for it knows no final
 * forms: of `ΟΔΟΣ` each part is found, which its lower case would not allow.
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').replace(unstorable, '\uFFFD').toUpperCase();
}

/** Finds a text, taken literally, in what `foldCase` made. */
export function literalPattern(text: string): RegExp {
  return new RegExp(foldCase(text).replace(special, '\\$&'));
}
