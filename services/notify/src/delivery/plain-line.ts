/** A zero-width space. Programs recognize no link and no markup across it. */
export const separator = '\u200B';

/**
 * One line of at most `maxLength` UTF-16 units, plus a mark of the cut and the separators. Programs make no link of an address in
 * it, because titles and keywords are written by others. Control characters and those that change the direction are removed.
 */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  return cut.replace(/:\/\//g, `:${separator}//`).replace(domainDot, `.${separator}`);
}

/**
 * After anything but a blank, before a letter, as before each top-level domain: programs make links of bare names such as evil.example.
 * Their labels may end with a vowel sign or an emoji, too.
 */
const domainDot = /(?<=[^\s.])\.(?=\p{L})/gu;
