import { countCharacters, keywordProblem, normalizeKeyword, prefixProblem } from './keyword.ts';

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

test('normalizing twice changes nothing', () => {
  for (const keyword of [
    'İstanbul',
    'i\u0307\u0307',
    'I\u0307\u0301',
    'i\u0323\u0307',
    'ﬁtness',
    'ẞ',
    '①②',
    'ǅ',
    'K',
  ]) {
    expect(normalizeKeyword(normalizeKeyword(keyword))).toBe(normalizeKeyword(keyword));
  }
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
    for (const text of ['a\u0000b', 'a\ud800', '\u007fb'])
      expect(problemOf(text)).toContain('control characters');
    for (const text of ['\u200b\u200d', '\u2060\u2060'])
      expect(problemOf(text)).toContain('no visible character');
  },
);
