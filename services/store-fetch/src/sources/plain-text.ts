import { load } from 'cheerio/slim';

/**
 * A text that the store writes as HTML: line breaks and blocks become line breaks, other elements are dropped, and
 * character references are decoded once. The caller limits length and nesting.
 */
export function htmlToText(html: string): string {
  const $ = load(html.replace(/\r\n?/g, '\n'), null, false);
  $('br').replaceWith('\n');
  $(blocks).each((_, block) => {
    // A list or a paragraph starts and ends a line, but adds none where the text has one already.
    $(block).before(boundary).after(boundary);
  });
  return $.root()
    .text()
    .replace(new RegExp(`${boundary}*\n${boundary}*`, 'g'), '\n')
    .replace(new RegExp(`^${boundary}+|${boundary}+$`, 'g'), '')
    .replace(new RegExp(`${boundary}+`, 'g'), '\n');
}

const blocks = 'p, div, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote, table, tr';

/** A noncharacter, which no text of a store has. */
const boundary = '\ufdd0';

/**
 * Decodes the character references (`&amp;`, `&#39;`) of a text that is not HTML otherwise: `<3` stays. Each is decoded
 * once, and only with its semicolon: `R&D` and `&copy that` stay.
 */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (reference) =>
    load(reference, null, false).text(),
  );
}
