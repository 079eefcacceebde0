import fc from 'fast-check';
import { atLeastRuns } from '../../../testing/at-least-runs.ts';
import { countCharacters, keywordProblem, normalizeKeyword, prefixProblem } from './keyword.ts';
import { wordsOf } from './words.ts';

test('NFC and NFD, full-width letters, letter case and whitespace do not make different keywords', () => {
  expect(normalizeKeyword('  Cafe\u0301   Finder ')).toBe('caf\u00e9 finder');
  expect(normalizeKeyword('ＰＨＯＴＯ\u3000editor')).toBe('photo editor');
  expect(normalizeKeyword('写真 編集')).toBe('写真 編集');
  expect(normalizeKeyword('محرر الصور')).toBe('محرر الصور');
});

test('a keyword in Turkish capitals equals the keyword that people type', () => {
  expect(normalizeKeyword('İSTANBUL')).toBe('istanbul');
  expect(normalizeKeyword('İ İ')).toBe('i i');
});

test.each(['tr', 'tr-TR', 'az', 'az-Latn-AZ'])('in %s, capitals without a dot stay without one', (lang) => {
  expect(normalizeKeyword('IŞIK', lang)).toBe('ışık');
  expect(normalizeKeyword('HIZLI  OYUN', lang)).toBe('hızlı oyun');
  expect(normalizeKeyword('FIRIN', lang)).toBe('fırın');
  expect(normalizeKeyword('İSTANBUL', lang)).toBe('istanbul');
  expect(wordsOf('IŞIK', lang)).toEqual([normalizeKeyword('IŞIK', lang)]);
});

test('in Turkish and Azeri, the capitals of any word have its normal form', () => {
  const words = fc.string({ unit: fc.constantFrom(...'abcçdeğhıijkoöşuüz '), maxLength: 12 });
  fc.assert(
    fc.property(words, fc.constantFrom('tr-TR', 'az'), (word, lang) => {
      expect(normalizeKeyword(word.toLocaleUpperCase(lang), lang)).toBe(normalizeKeyword(word, lang));
    }),
  );
});

test.each(['en-US', 'de', 'azb', 'trv'])('in %s, I is the capital of i', (lang) => {
  expect(normalizeKeyword('IŞIK FIT', lang)).toBe('işik fit');
  expect(normalizeKeyword('IŞIK FIT', lang)).toBe(normalizeKeyword('IŞIK FIT'));
});

test('a stored keyword stays as it is in every language', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'abıiİIşŞ ΣßÉé写-'), maxLength: 12 });
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('en', 'tr', 'az'),
      fc.constantFrom('en', 'tr'),
      (text, stored, lang) => {
        const keyword = normalizeKeyword(text, stored);
        expect(normalizeKeyword(keyword, lang)).toBe(keyword);
      },
    ),
  );
});

test('keywords that look the same are the same, whatever invisible characters they were pasted with', () => {
  for (const pasted of [
    'habit\u200b tracker',
    '\u200ehabit tracker',
    'habit tracker\u200f',
    '\ufeffHabit tracker',
    'ha\u00adbit\u2060 tracker',
    'habit \u200b tracker',
    'habit\u200d track\u200cer',
    'habit\u0000 tracker\u0007',
    '\u202ahabit tracker\u202c',
    '\u3164habit tracker\uffa0',
    'habit\ttracker\r\n',
    'habit\u0085tracker',
    'habit\u2800tracker',
    'ＨＡＢＩＴ\u200b\u3000ｔｒａｃｋｅｒ',
  ])
    expect(normalizeKeyword(pasted)).toBe('habit tracker');
  expect(normalizeKeyword('cafe\u200b\u0301')).toBe('caf\u00e9');
});

test('joiners that are spelling and whole emoji stay', () => {
  for (const keyword of [
    '\u06a9\u062a\u0627\u0628\u200c\u062e\u0648\u0627\u0646',
    '\u0915\u094d\u200d\u0937',
    '👨‍👩‍👧 chat',
    '❤️ tracker',
    '1️⃣ list',
  ])
    expect(normalizeKeyword(keyword)).toBe(keyword);
});

test('a text of invisible characters only is too short', () => {
  for (const text of ['\u200b\u200b', '\ufeff\u2060', '\u2800\u2800', '\u0000\u0001', '\u200da'])
    expect(keywordProblem(normalizeKeyword(text))).toContain('2 to 100 characters');
  expect(prefixProblem(normalizeKeyword('\u200b'))).toContain('1 to 60 characters');
});

test('plain keywords take the short way to the same normal form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), (text) => {
      // A letter that leaves the short way, at the end so that it changes nothing before it.
      expect(`${normalizeKeyword(`${text}x`)}é`).toBe(normalizeKeyword(`${text}xé`));
    }),
  );
});

const oddCases = [
  'İstanbul',
  'i\u0307\u0307',
  'I\u0307\u0301',
  'i\u0323\u0307',
  'ﬁtness',
  'ẞ',
  '①②',
  'ǅ',
  'K',
];

test('normalizing twice changes nothing', () => {
  const unit = fc.oneof(
    fc.constantFrom(...'\u200b\u200c\u200d\ufe0f\u06a9\u0915\u094d👨❤1\u20e3\uffa0 '),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
      const once = normalizeKeyword(units.join(''));
      expect(normalizeKeyword(once)).toBe(once);
    }),
    { ...atLeastRuns(1_000), examples: oddCases.map((text): [string[]] => [[text]]) },
  );
});

test('an emoji is one character', () => {
  expect(countCharacters('🎧')).toBe(1);
  expect(countCharacters('写真')).toBe(2);
});

test('a keyword has 2 to 100 code points, a prefix 1 to 60', () => {
  for (const text of ['ab', '🎧🎧', 'x'.repeat(100), '🎧'.repeat(100)])
    expect(keywordProblem(text)).toBeNull();
  for (const text of ['a', '字', '🎧', 'x'.repeat(60), '🎧'.repeat(60)])
    expect(prefixProblem(text)).toBeNull();
  for (const text of ['', 'a', 'x'.repeat(101)])
    expect(keywordProblem(text)).toContain('2 to 100 characters');
  for (const text of ['', 'x'.repeat(61)]) expect(prefixProblem(text)).toContain('1 to 60 characters');
});

test.each([keywordProblem, prefixProblem])(
  'text that no store can search for is refused (%p)',
  (problemOf) => {
    expect(problemOf('a\ud800')).toContain('broken Unicode');
    expect(problemOf('\ue000\ue001')).toContain('no visible character');
  },
);
