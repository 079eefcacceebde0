/** Has no width, and nothing that a program would make a link or a mark of goes across it. */
export const separator = '\u200B';

/**
 * One line of at most `maxLength` UTF-16 units, in which no address is made a link: titles and keywords are the words of others.
 * Without control characters, and without those that change the direction of what follows.
 */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  return cut.replace(/:\/\//g, `:${separator}//`).replace(domainDot, `.${separator}`);
}

/** Between letters or digits, before a letter: programs make links of bare names such as evil.example. */
const domainDot = /(?<=[\p{L}\p{N}])\.(?=\p{L})/gu;
