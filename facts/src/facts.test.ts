import { canonicalCountry, countries } from './country.ts';
import { countCharacters, normalizeKeyword } from './keyword.ts';
import { canonicalLanguage } from './language.ts';

test('a country is accepted in any letter case, and only where the store sells', () => {
  expect(canonicalCountry('ITUNES', 'us')).toBe('US');
  expect(canonicalCountry('ITUNES', 'XX')).toBeNull();
  expect(canonicalCountry('ITUNES', 'CN')).toBe('CN');
  expect(canonicalCountry('GPLAY', 'CN')).toBeNull();
  expect(countries.ITUNES.size).toBeGreaterThan(150);
});

test.each([
  ['en-us', 'en-US'],
  ['EN', 'en'],
  ['zh-hans-cn', 'zh-Hans-CN'],
  ['pt-BR', 'pt-BR'],
  ['es-419', 'es-419'],
])('the language %s is stored as %s', (given, stored) => expect(canonicalLanguage(given)).toBe(stored));

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

test('the normal form is its own normal form', () => {
  for (const keyword of ['İstanbul', 'ﬁtness', 'ẞ', '①②', 'ǅ', 'K']) {
    expect(normalizeKeyword(normalizeKeyword(keyword))).toBe(normalizeKeyword(keyword));
  }
});

test('an emoji is one character', () => {
  expect(countCharacters('🎧')).toBe(1);
  expect(countCharacters('写真')).toBe(2);
});
