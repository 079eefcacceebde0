import { refuseDeepNesting } from './refuse-deep-nesting.ts';

const refuse = (markup: string, isXml = false) => refuseDeepNesting(markup, { maxDepth: 16, isXml });
const tooDeep = 'nested more than 16 deep';

test.each([
  ['ends that are left out', '<ul>'.concat('<li>x'.repeat(100), '</ul>', '<p>x'.repeat(100))],
  ['elements without an end', '<br><img src="x"><input>'.repeat(100)],
  ['drawings', `<svg>${'<path d="M0"/>'.repeat(100)}</svg>`.repeat(10)],
  ['comments', `<!--${'<b>'.repeat(100)}--><!-->${'<b></b>'.repeat(100)}`],
  ['scripts', `<script>${'"<b>"'.repeat(100)}</script><TITLE>${'<b>'.repeat(100)}</title >`],
  ['ends of nothing', '</b></div>'.repeat(100)],
  ['elements side by side', '<div><a><b>x</b></a></div>'.repeat(100)],
  ['attributes', `<a title="${'<b '.repeat(100)}">x</a>`],
])('a page with many %s is not deep', (_, html) => expect(() => refuse(html)).not.toThrow());

test.each([
  ['one element in another', '<div>'.repeat(17)],
  ['in capitals', '<DIV>'.repeat(17)],
  ['ends of nothing between them', '<div></x>'.repeat(17)],
  ['slashes that close nothing', '<div/>'.repeat(17)],
  ['after a comment', `<!-->${'<b>'.repeat(17)}`],
  ['elements closed out of order', '<p><b id="x"></p>'.repeat(17)],
])('%s is deep', (_, html) => expect(() => refuse(html)).toThrow(tooDeep));

test('in XML a slash closes, and no element is without an end', () => {
  expect(() => refuse('<array/>'.repeat(100), true)).not.toThrow();
  expect(() => refuse(`<a><![CDATA[${'<a>'.repeat(100)}]]></a>`, true)).not.toThrow();
  expect(() => refuse('<br>'.repeat(17), true)).toThrow(tooDeep);
});

test('a look at 4 MiB takes no longer than reading them, whatever they hold', () => {
  for (const piece of ['<a', '<b id="', '<!--', '<script>', '<p><b></p>', '</', '<![CDATA[', '<div></x>']) {
    const markup = piece.repeat(Math.ceil((4 * 1024 * 1024) / piece.length));
    const startedMs = performance.now();
    try {
      refuse(markup);
    } catch {
      // Refused or not: it is over.
    }
    expect([piece, performance.now() - startedMs < 2_000]).toEqual([piece, true]);
  }
});
