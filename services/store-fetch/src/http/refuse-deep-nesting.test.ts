import { refuseDeepNesting } from './refuse-deep-nesting.ts';

const refuse = (markup: string, isXml = false) => refuseDeepNesting(markup, { maxDepth: 16, isXml });
const tooDeep = 'nested more than 16 deep';

test.each([
  ['omitted end tags', '<ul>'.concat('<li>x'.repeat(100), '</ul>', '<p>x'.repeat(100))],
  ['void elements', '<br><img src="x"><input>'.repeat(100)],
  ['drawings', `<svg>${'<path d="M0"/>'.repeat(100)}</svg>`.repeat(10)],
  ['comments', `<!--${'<b>'.repeat(100)}--><!-->${'<b></b>'.repeat(100)}`],
  ['scripts', `<script>${'"<b>"'.repeat(100)}</script><TITLE>${'<b>'.repeat(100)}</title >`],
  ['stray end tags', '</b></div>'.repeat(100)],
  ['sibling elements', '<div><a><b>x</b></a></div>'.repeat(100)],
  ['attributes', `<a title="${'<b '.repeat(100)}">x</a>`],
])('a page with many %s is not deep', (_, html) => expect(() => refuse(html)).not.toThrow());

test.each([
  ['a chain of nested elements', '<div>'.repeat(17)],
  ['nested elements in capitals', '<DIV>'.repeat(17)],
  ['nesting with stray end tags in between', '<div></x>'.repeat(17)],
  ['nesting with slashes that close nothing', '<div/>'.repeat(17)],
  ['nesting after a comment', `<!-->${'<b>'.repeat(17)}`],
  ['elements closed out of order', '<p><b id="x"></p>'.repeat(17)],
])('markup is too deep: %s', (_, html) => expect(() => refuse(html)).toThrow(tooDeep));

test('in XML a slash closes an element, and every element must be closed', () => {
  expect(() => refuse('<array/>'.repeat(100), true)).not.toThrow();
  expect(() => refuse(`<a><![CDATA[${'<a>'.repeat(100)}]]></a>`, true)).not.toThrow();
  expect(() => refuse('<br>'.repeat(17), true)).toThrow(tooDeep);
});

// If the time grew with the square of the size, it would exceed the time limit of a test.
test('checking 4 MiB ends soon, whatever the content', async () => {
  for (const piece of ['<a', '<b id="', '<!--', '<script>', '<p><b></p>', '</', '<![CDATA[', '<div></x>']) {
    const markup = piece.repeat(Math.ceil((4 * 1024 * 1024) / piece.length));
    try {
      refuse(markup);
    } catch {
      // Either outcome is fine.
    }
    // Lets the time limit take effect.
    await new Promise((resolve) => setImmediate(resolve));
  }
});
