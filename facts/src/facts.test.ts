import fc from 'fast-check';
import { canonicalCountry, countries } from './stores/country.ts';
import { canonicalLanguage } from './stores/language.ts';
import { storeInSentence } from './stores/store.ts';
import { parseStorefront } from './stores/storefront.ts';
import { countCharacters, keywordProblem, normalizeKeyword, prefixProblem } from './text/keyword.ts';

test('a country is accepted in any letter case, and only where the store sells', () => {
  expect(canonicalCountry('ITUNES', 'us')).toBe('US');
  expect(canonicalCountry('ITUNES', 'XX')).toBeNull();
  expect(canonicalCountry('ITUNES', 'CN')).toBe('CN');
  expect(canonicalCountry('GPLAY', 'CN')).toBeNull();
  expect(canonicalCountry('ITUNES', 'ıt')).toBeNull();
  expect(countries.ITUNES.size).toBeGreaterThan(150);
});

test.each([
  ['en-us', 'en-US'],
  ['EN', 'en'],
  ['zh-hans-cn', 'zh-Hans-CN'],
  ['pt-BR', 'pt-BR'],
  ['es-419', 'es-419'],
])('the language %s is stored as %s', (given, stored) => expect(canonicalLanguage(given)).toBe(stored));

test.each(['und', 'und-US', 'UND-Latn', 'mul', 'zxx', 'mis', 'en-ZZ', 'en-Zzzz', 'en-Abcd'])(
  'the language %j, which names none in particular, is refused',
  (given) => expect(canonicalLanguage(given)).toBeNull(),
);

/** Whether what is said of any tag is null or a spelling that stays as it is; it must not throw. */
function isSettled(tag: string): boolean {
  const canonical = canonicalLanguage(tag);
  return canonical === null || canonicalLanguage(canonical) === canonical;
}

test('every language of two or three letters is refused or has one canonical spelling', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const triples = pairs.flatMap((pair) => letters.map((third) => pair + third));
  expect([...pairs, ...triples].filter((tag) => !isSettled(tag))).toEqual([]);
});

test('any language, script and region is refused or has one canonical spelling', () => {
  const scripts = fc.constantFrom('', '-latn', '-HANS', '-Cyrl', '-zzzz', '-abcd');
  const tags = fc
    .tuple(fc.stringMatching(/^[A-Za-z]{2,3}$/), scripts, fc.stringMatching(/^(-([A-Za-z]{2}|[0-9]{3}))?$/))
    .map((parts) => parts.join(''));
  fc.assert(fc.property(tags, isSettled), { numRuns: 2000 });
  fc.assert(fc.property(fc.string(), isSettled));
});

test.each(['', 'english', 'xx', 'en_US', 'en-XX', 'en-US-x-private', 'e', 'en-', '{"$gt":""}', 'klingon'])(
  'the language %j is refused',
  (given) => expect(canonicalLanguage(given)).toBeNull(),
);

test('NFC and NFD spellings, full-width letters, case and blanks make one keyword', () => {
  expect(normalizeKeyword('  Cafe\u0301   Finder ')).toBe('caf\u00e9 finder');
  expect(normalizeKeyword('ＰＨＯＴＯ\u3000editor')).toBe('photo editor');
  expect(normalizeKeyword('写真 編集')).toBe('写真 編集');
  expect(normalizeKeyword('محرر الصور')).toBe('محرر الصور');
});

test('a keyword in Turkish capitals is the keyword that people type', () => {
  expect(normalizeKeyword('İSTANBUL')).toBe('istanbul');
  expect(normalizeKeyword('İ İ')).toBe('i i');
});

test('the normal form is its own normal form', () => {
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

test('a keyword has 2 to 100 characters and a prefix 1 to 60, as a person counts them', () => {
  for (const text of ['ab', '🎧🎧', 'x'.repeat(100), '🎧'.repeat(100)])
    expect(keywordProblem(text)).toBeNull();
  for (const text of ['a', '字', '🎧', 'x'.repeat(60), '🎧'.repeat(60)])
    expect(prefixProblem(text)).toBeNull();
  for (const text of ['', 'a', 'x'.repeat(101)])
    expect(keywordProblem(text)).toContain('2 to 100 characters');
  for (const text of ['', 'x'.repeat(61)]) expect(prefixProblem(text)).toContain('1 to 60 characters');
});

test.each([keywordProblem, prefixProblem])(
  'what no store can be searched for is refused (%p)',
  (problemOf) => {
    for (const text of ['a\u0000b', 'a\ud800', '\u007fb'])
      expect(problemOf(text)).toContain('control characters');
    for (const text of ['\u200b\u200d', '\u2060\u2060'])
      expect(problemOf(text)).toContain('no visible character');
  },
);

test('a storefront is read into its canonical spelling, or every part of it that is unknown is named', () => {
  expect(parseStorefront({ store: 'GPLAY', country: 'br', lang: 'pt-br' })).toEqual({
    storefront: { store: 'GPLAY', country: 'BR', lang: 'pt-BR' },
  });
  expect(parseStorefront({ store: 'GPLAY', country: 'CN', lang: 'xx' })).toEqual({
    problems: { country: 'is not a country of GPLAY', lang: expect.stringMatching(/BCP 47/) },
  });
  expect(parseStorefront({ store: 'ITUNES', country: 'CN', lang: '' })).toEqual({
    problems: { lang: expect.any(String) },
  });
  const unknownStore = { problems: { store: 'must be ITUNES or GPLAY' } };
  expect(parseStorefront({ store: 'itunes', country: 'US', lang: 'en' })).toEqual(unknownStore);
  expect(parseStorefront(null)).toEqual(unknownStore);
});

test('a store is spoken of as people do', () => {
  expect(`from ${storeInSentence('ITUNES')}`).toBe('from the App Store');
  expect(`from ${storeInSentence('GPLAY')}`).toBe('from Google Play');
});
