import { stopWordsOf } from '@shelfwise/facts/text/stop-words';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { ListingTexts } from '../audit-input.ts';
import { listingTerms } from './listing-terms.ts';

const blank: ListingTexts = { title: '', subtitle: null, description: '', kw_field: null };

function termsOf(store: 'ITUNES' | 'GPLAY', texts: Partial<ListingTexts>, lang = 'en-US') {
  return listingTerms({ storefront: { store, country: 'US', lang }, texts: { ...blank, ...texts } });
}

function keywords(...listing: Parameters<typeof termsOf>): string[] {
  return termsOf(...listing).map(({ keyword }) => keyword);
}

test('the words of the name, subtitle and keywords field come first, then their phrases of up to three words', () => {
  const texts = { title: 'Lumen: Photo Editor Pro Max', subtitle: 'Retouch', kw_field: 'collage,filter' };
  expect(keywords('ITUNES', texts)).toEqual([
    ...['lumen', 'photo', 'editor', 'pro', 'max', 'retouch', 'collage', 'filter'],
    ...['photo editor', 'photo editor pro', 'editor pro', 'editor pro max', 'pro max'],
  ]);
});

test('the words of a long description come last, with lower importance, and only where the store indexes it', () => {
  const texts = { title: 'Lumen', description: 'Edit photos with Lumen' };
  expect(termsOf('GPLAY', texts)).toEqual([
    { keyword: 'lumen', importance: 1 },
    { keyword: 'edit', importance: 3 },
    { keyword: 'photos', importance: 3 },
  ]);
  expect(keywords('ITUNES', texts)).toEqual(['lumen']);
});

test('stop words and single letters are not looked up, but a single Han character is', () => {
  expect(keywords('ITUNES', { title: 'Photo and the X' })).toEqual(['photo']);
  expect(keywords('ITUNES', { title: '猫' }, 'ja')).toEqual(['猫']);
});

test('Google Play has no keywords field: its text is ignored', () => {
  expect(keywords('GPLAY', { title: 'Lumen', kw_field: 'photo' })).toEqual(['lumen']);
});

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`).join(' ');

test('a long description gives at most its first 400 words', () => {
  const found = keywords('GPLAY', { description: numbered(1_000) });
  expect(found).toHaveLength(400);
  expect(found.at(-1)).toBe('x399');
});

test('one more word in the name displaces no other term', () => {
  const texts = { title: 'Lumen Camera', subtitle: numbered(20), description: numbered(1_000) };
  const before = keywords('GPLAY', texts);
  const after = keywords('GPLAY', { ...texts, title: 'Lumen Camera, Collage' });
  expect(before.filter((keyword) => !after.includes(keyword))).toEqual([]);
  expect(after).toHaveLength(before.length + 1);
});

test('name, subtitle and keywords field give at most 200 terms, all words before any phrase', () => {
  const han = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + 37 * (from + at))).join('');
  const texts = { title: han(0, 30), subtitle: han(30, 30), kw_field: han(60, 100) };
  const found = keywords('ITUNES', texts, 'zh');
  const words = Object.values(texts)
    .flatMap((text) => wordsOf(text, 'zh'))
    .filter((word) => !stopWordsOf('zh').has(word));
  expect(words.length).toBeGreaterThan(100);
  expect(found).toHaveLength(200);
  expect(found.slice(0, words.length)).toEqual(words);
});

test.each([
  ['ITUNES', 'title', 30],
  ['ITUNES', 'subtitle', 30],
  ['ITUNES', 'kw_field', 100],
  ['GPLAY', 'subtitle', 80],
  ['GPLAY', 'description', 4_000],
] as const)(
  'on %s the %s is read up to its limit of %d, without a word that crosses it',
  (store, key, limit) => {
    const fitting = `${'x'.repeat(limit - 4)} end`;
    expect(keywords(store, { [key]: `${fitting} beyond` })).toContain('end');
    expect(keywords(store, { [key]: `${fitting} beyond` })).not.toContain('beyond');
    expect(keywords(store, { [key]: `${fitting}less` }).filter((keyword) => /end/.test(keyword))).toEqual([]);
  },
);

test('a line break counts as one character, however it is written', () => {
  const title = `${'\r\n'.repeat(27)}end`;
  expect(keywords('ITUNES', { title })).toEqual(['end']);
});
