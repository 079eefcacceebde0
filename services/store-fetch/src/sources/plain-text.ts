import { load } from 'cheerio/slim';

/**
 * A text that the store writes as HTML: line breaks and blocks become line breaks, other elements are dropped, and
 * character references are decoded once. A block that starts or ends at a line break adds none. Linear in the length; the
 * caller limits length and nesting.
 */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  /** Whether a block has started or ended since the last text. */
  let isAtBoundary = false;
  const add = (text: string) => {
    const isAfterLine = parts.at(-1)?.endsWith('\n') ?? true;
    if (isAtBoundary && !isAfterLine && !text.startsWith('\n')) parts.push('\n');
    isAtBoundary = false;
    parts.push(text);
  };
  const visit = ({ type, data = '', name, children }: Node) => {
    if (type === 'text') add(data);
    if (name === undefined || children === undefined) return;
    if (name === 'br') add('\n');
    const isBlock = blocks.has(name);
    isAtBoundary ||= isBlock;
    for (const child of children) visit(child);
    isAtBoundary ||= isBlock;
  };
  for (const node of load(html.replace(/\r\n?/g, '\n'), null, false).root().contents()) visit(node);
  return parts.join('');
}

/** What is used of a node of the parsed HTML. */
type Node = { type: string; data?: string; name?: string; children?: Node[] };

const blocks: ReadonlySet<string> = new Set(
  'p div ul ol li dl dt dd h1 h2 h3 h4 h5 h6 hr pre center section article blockquote table tr td th'.split(
    ' ',
  ),
);

/** What no character reference begins with: `&` in `R&D`, `&copy that`. */
const plainAmpersand = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;

/**
 * Decodes the character references (`&amp;`, `&#39;`) of a text that is not HTML otherwise: `<3` stays. Each is decoded
 * once, and only with its semicolon: `R&D` and `&copy that` stay. Linear in the length.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const html = text.replace(plainAmpersand, '&amp;').replaceAll('<', '&lt;');
  return load(html, null, false).text();
}
