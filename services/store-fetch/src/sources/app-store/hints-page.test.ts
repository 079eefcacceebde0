import fc from 'fast-check';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { parseHintsPage } from './hints-page.ts';

const plist = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  ${content}
</plist>
`;
const hint = (term: string) =>
  `<dict><key>term</key><string>${term}</string><key>priority</key><integer>7</integer></dict>`;
const page = (...hints: string[]) =>
  plist(
    `<dict><key>title</key><string>建议</string> <key>hints</key><array>${hints.join('\n')}</array></dict>`,
  );

function failureOf(xml: string): unknown {
  try {
    return parseHintsPage(xml);
  } catch (error) {
    return error;
  }
}

test('terms are in the store’s order and spelling, at most ten', () => {
  expect(parseHintsPage(page(hint('notes &amp; lists'), hint('写真'), hint('no &#34;ads&#34;')))).toEqual([
    'notes & lists',
    '写真',
    'no "ads"',
  ]);
  const many = Array.from({ length: 14 }, (_, i) => `term ${i}`);
  expect(parseHintsPage(page(...many.map(hint)))).toEqual(many.slice(0, 10));
});

test('each term appears once, without surrounding spaces', () => {
  expect(parseHintsPage(page(hint('notes'), hint(' notes '), hint('lists\n')))).toEqual(['notes', 'lists']);
});

test('a list without suggestions is empty', () => {
  expect(parseHintsPage(page())).toEqual([]);
  expect(parseHintsPage(plist('<dict><key>hints</key><array/></dict>'))).toEqual([]);
});

test.each([
  ['nothing', '', /an empty body instead of a property list/],
  ['a web page', '<!doctype html><p>moved', /a web page instead of a property list/],
  ['another kind of XML', '<rss></rss></plist>', /a web page instead of a property list/],
  ['no list with that name', plist('<dict><key>ideas</key><array></array></dict>'), /shape \(hints: /],
  ['a list that is text', plist('<dict><key>hints</key><string>a</string></dict>'), /shape \(hints: /],
  ['a list instead of the page', plist('<array></array>'), /of another shape/],
  ['two lists', plist('<dict></dict><dict></dict>'), /2 values instead of one/],
  [
    'a suggestion without a term',
    page(hint('a'), '<dict><key>url</key><string>x</string></dict>'),
    /hints\.1\.term/,
  ],
  ['a suggestion without words', page(hint('')), /hints\.0\.term/],
  ['a suggestion of blanks', page(hint(' \n')), /hints\.0\.term/],
  [
    'a suggestion that is a number',
    page('<dict><key>term</key><integer>5</integer></dict>'),
    /hints\.0\.term/,
  ],
  [
    'an empty list next to a list with another name',
    plist(`<dict><key>hints</key><array/><key>ideas</key><array>${hint('a')}</array></dict>`),
    /empty suggestions \(hints\) and another list \(ideas\)/,
  ],
  [
    'two lists with the same name',
    plist(`<dict><key>hints</key><array>${hint('a')}</array><key>hints</key><array/></dict>`),
    /a duplicate key/,
  ],
  [
    'a key with elements in it',
    plist(`<dict><key><a/>x</key><string/><key>hints</key><array/></dict>`),
    /do not alternate/,
  ],
  [
    'a key nested endlessly',
    plist(`<dict><key>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</key><string/></dict>`),
    /nested more than/,
  ],
  ['a suggestion that is text', page('<string>a</string>'), /hints\.0: /],
  ['a key without a value', page('<dict><key>term</key></dict>'), /do not alternate/],
  ['a value without a key', page('<dict><string>term</string><string>a</string></dict>'), /do not alternate/],
  ['an unknown element', page('<set></set>'), /does not belong in it \(set\)/],
  ['an element inside text', page(hint('<b>a</b>')), /does not belong in it \(string\)/],
  ['text between the elements', page('a', hint('a')), /text between its elements/],
  [
    'a list nested endlessly',
    page(`${'<array>'.repeat(5000)}${'</array>'.repeat(5000)}`),
    /nested more than/,
  ],
])('%s is malformed, and the message names the problem', (_, xml, message) => {
  expect(failureOf(xml)).toBeInstanceOf(StoreFailure);
  expect(failureOf(xml)).toMatchObject({ kind: 'malformed', message: expect.stringMatching(message) });
});

test('a page cut off at any position is malformed, never a shorter list', () => {
  const whole = page(hint('notes'), hint('notebook')).trimEnd();
  for (let end = 0; end < whole.length; end++) {
    expect(failureOf(whole.slice(0, end))).toMatchObject({ kind: 'malformed' });
  }
});

test('any input results in terms or a malformed failure', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<dict>',
      '</dict>',
      '<key>hints</key>',
      '<array>',
      '</array>',
      '<key>',
      '</key>',
      '<![CDATA[',
      '&#x0;',
    ),
    fc.constant(hint('notes')),
  );
  const soup = fc.array(piece).map((pieces) => pieces.join(''));
  const wrapped = fc.oneof(
    soup,
    soup.map(plist),
    soup.map((text) => page(text)),
  );
  fc.assert(
    fc.property(wrapped, (xml) => {
      const outcome = failureOf(xml);
      if (outcome instanceof StoreFailure) expect(outcome.kind).toBe('malformed');
      else expect((outcome as string[]).every((term) => typeof term === 'string' && term !== '')).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
