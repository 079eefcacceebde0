import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import { checkCharacters } from './check-characters.ts';

function warningsOn(store: Store, key: string, text: string): [string, string][] {
  const field = listingFields[store].find((one) => one.key === key);
  if (!field) throw new Error('no such field');
  return checkCharacters(store, field, text).map(({ level, message }) => [level, message]);
}

const controls = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, code) => 0x7f + code),
]
  .filter((code) => code !== 0 && code !== 0x0d)
  .map(
    (code) => [`U+${code.toString(16).toUpperCase().padStart(4, '0')}`, String.fromCodePoint(code)] as const,
  );

test.each(controls)('%s is refused by the App Store and a warning on Google Play', (code, control) => {
  const text = `My${control}App`;
  for (const key of ['title', 'subtitle', 'kw_field'])
    expect(warningsOn('ITUNES', key, text)).toEqual([['error', expect.stringContaining(code)]]);
  const isLineBreak = control === '\n';
  for (const key of ['title', 'subtitle'])
    expect(warningsOn('GPLAY', key, text)).toEqual(
      isLineBreak ? [] : [['warning', expect.stringContaining(code)]],
    );
  const isLayout = isLineBreak || control === '\t';
  for (const [store, level] of [
    ['ITUNES', 'error'],
    ['GPLAY', 'warning'],
  ] as const)
    expect(warningsOn(store, 'description', text)).toEqual(
      isLayout ? [] : [[level, expect.stringContaining(code)]],
    );
});

test.each([
  ['invisible', '\u200b', 'U+200B'],
  ['invisible', '\u202e', 'U+202E'],
  ['invisible', '\u200d', 'U+200D'],
  ['invisible', '\ufeff', 'U+FEFF'],
  ['invisible', '\u00ad', 'U+00AD'],
  ['invisible', '\u2060', 'U+2060'],
  ['invisible', '\u3164', 'U+3164'],
  ['invisible', '\u115f', 'U+115F'],
  ['invisible', '\u2800', 'U+2800'],
  ['invisible', '\u2028', 'U+2028'],
  ['invisible', '\u2029', 'U+2029'],
  ['invisible', '\u{e0041}', 'U+E0041'],
  ['invisible', '\ufe0f', 'U+FE0F'],
  ['invisible', '\ufff9', 'U+FFF9'],
  ['private', '\uf8ff', 'U+F8FF'],
  ['private', '\ue020', 'U+E020'],
  ['private', '\u{100001}', 'U+100001'],
  ['unassigned', '\ufdd0', 'U+FDD0'],
  ['unassigned', '\uffff', 'U+FFFF'],
  ['unassigned', '\u{1fffe}', 'U+1FFFE'],
  ['unassigned', '\u0378', 'U+0378'],
])('a warning of %s characters names the code point of %j: %s', (kind, character, code) => {
  for (const store of stores)
    for (const { key } of listingFields[store])
      expect(warningsOn(store, key, `Ha${character}bit`)).toEqual([
        [
          'warning',
          expect.stringMatching(new RegExp(`${kind} characters.*: ${code.replace('+', '\\+')}\\.$`)),
        ],
      ]);
});

test.each([
  'کتاب‌خوان',
  'می‌خواهم',
  'क्‍ष',
  'শ্রী র‍্যাব',
  'ශ්‍රී ලංකා',
  'Family 👨‍👩‍👧',
  'Love ❤️',
  'Keys 1️⃣',
  'Flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈',
  'Thumbs 👍🏽',
  'Newer \u{1faf9}',
  'Café\u00a0写真\u3000한글 ไทย עברית',
])('"%s" has no such characters: joiners of a spelling and parts of emoji are fine', (text) => {
  for (const store of stores) expect(warningsOn(store, 'title', text)).toEqual([]);
});

test('each kind is one warning with at most five code points', () => {
  const text = '\u200b\u200e\u200f\u2060\ufeff\u00ad\u200b\ue000\ufdd0';
  expect(warningsOn('GPLAY', 'title', `A${text}b`)).toEqual([
    ['warning', expect.stringMatching(/: U\+200B, U\+200E, U\+200F, U\+2060, U\+FEFF and 1 more\.$/)],
    ['warning', expect.stringMatching(/: U\+E000\.$/)],
    ['warning', expect.stringMatching(/: U\+FDD0\.$/)],
  ]);
});
