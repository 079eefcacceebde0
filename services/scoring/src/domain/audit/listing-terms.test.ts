import type { ListingTexts } from './audit-input.ts';
import { listingTerms } from './listing-terms.ts';

const blank: ListingTexts = { title: '', subtitle: null, description: '', kw_field: null };

function termsOf(store: 'ITUNES' | 'GPLAY', texts: Partial<ListingTexts>, lang = 'en-US') {
  return listingTerms({ storefront: { store, country: 'US', lang }, texts: { ...blank, ...texts } });
}

function keywords(...listing: Parameters<typeof termsOf>): string[] {
  return termsOf(...listing).map(({ keyword }) => keyword);
}

test('the words of name, subtitle and keywords come first, then their phrases of up to three words', () => {
  const texts = { title: 'Lumen: Photo Editor Pro Max', subtitle: 'Retouch', kw_field: 'collage,filter' };
  expect(keywords('ITUNES', texts)).toEqual([
    ...['lumen', 'photo', 'editor', 'pro', 'max', 'retouch', 'collage', 'filter'],
    ...['photo editor', 'photo editor pro', 'editor pro', 'editor pro max', 'pro max'],
  ]);
});

test('a long description gives its words last, as less important, and only where the store indexes it', () => {
  const texts = { title: 'Lumen', description: 'Edit photos with Lumen' };
  expect(termsOf('GPLAY', texts)).toEqual([
    { keyword: 'lumen', importance: 1 },
    { keyword: 'edit', importance: 2 },
    { keyword: 'photos', importance: 2 },
  ]);
  expect(keywords('ITUNES', texts)).toEqual(['lumen']);
});

test('stop words and single letters are not looked up, a single Han character is', () => {
  expect(keywords('ITUNES', { title: 'Photo and the X' })).toEqual(['photo']);
  expect(keywords('ITUNES', { title: '猫' }, 'ja')).toEqual(['猫']);
});

test('a keywords field is none on Google Play', () => {
  expect(keywords('GPLAY', { title: 'Lumen', kw_field: 'photo' })).toEqual(['lumen']);
});

test('there are 600 at most, of which those of the name are never cut', () => {
  const description = Array.from({ length: 1_000 }, (_, at) => `x${at}`).join(' ');
  const found = keywords('GPLAY', { title: 'Lumen Camera', description });
  expect(description.length).toBeGreaterThan(4_000);
  expect(found).toHaveLength(600);
  expect(found.slice(0, 3)).toEqual(['lumen', 'camera', 'lumen camera']);
});

test('of a text that is longer than any store allows only the beginning is read', () => {
  const subtitle = `${'photo '.repeat(666)}end beyond`;
  expect(subtitle.indexOf('beyond')).toBe(4_000);
  expect(keywords('ITUNES', { subtitle })).toContain('end');
  expect(keywords('ITUNES', { subtitle })).not.toContain('beyond');
});
