/**
 * Texts from stores and users may hold control characters, which a terminal executes: colors, cursor moves, titles, and
 * directions that show a text in another order.
 */

const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const controlsExceptNewlines = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text on one line without control characters: each becomes a space. */
export function toPrintableLine(text: string): string {
  return text.replace(controls, ' ');
}

/** A text of several lines without control characters except newlines: each becomes a space. */
export function toPrintableLines(text: string): string {
  return text.replace(controlsExceptNewlines, ' ');
}

/** A JSON document for a terminal: control characters are escaped, so its content does not change. */
export function toPrintableJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** A JSON text on one line, with its control characters escaped. */
export function escapeControls(json: string): string {
  return json.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
