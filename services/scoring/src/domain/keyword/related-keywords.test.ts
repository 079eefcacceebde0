import fc from 'fast-check';
import { relatedCandidates, relatedKeywords } from './related-keywords.ts';

const input = {
  keyword: 'Photo Editor',
  lang: 'en',
  suggestions: ['photo editor', 'Photo Editor  Free', 'picsart'],
  titles: ['Photo Editor: Collage Maker', 'Collage Maker - Pics', 'Sky Changer', 'Photo Lab'],
};

test('suggestions come first, then what titles share, then what holds a word of the keyword', () => {
  expect(relatedCandidates(input)).toEqual([
    'photo editor free',
    'picsart',
    'photo',
    'collage',
    'collage maker',
    'maker',
    'editor',
    'photo lab',
  ]);
});

test('the best traffic comes first, unknown ones follow in their order, unsearched ones are left out', () => {
  const known = new Map([
    ['collage', 30],
    ['picsart', 80],
    ['maker', 0],
    ['photo', 30],
    ['editor', 4],
  ]);
  expect(relatedKeywords({ ...input, trafficOf: (keyword) => known.get(keyword) ?? null }, 6)).toEqual([
    'picsart',
    'photo',
    'collage',
    'photo editor free',
    'collage maker',
    'photo lab',
  ]);
});

test('there are at most as many as asked for, and at most 100 candidates', () => {
  const titles = Array.from({ length: 100 }, (_, at) => `Photo a${at} b${at}`);
  expect(relatedCandidates({ ...input, titles })).toHaveLength(100);
  expect(relatedKeywords({ ...input, titles, trafficOf: () => null }, 20)).toHaveLength(20);
});

test('what cannot be searched for is no keyword', () => {
  expect(relatedCandidates({ ...input, suggestions: ['x', 'y'.repeat(101), 'ok'], titles: [] })).toEqual([
    'ok',
  ]);
});

test('the keyword itself is never among them, and none is there twice', () => {
  const word = fc.constantFrom('Photo', 'Editor', 'free', 'the', '-', 'Lab');
  const texts = fc.array(
    fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(texts, texts, (suggestions, titles) => {
      const candidates = relatedCandidates({ keyword: 'photo  Editor', lang: 'en', suggestions, titles });
      expect(candidates).not.toContain('photo editor');
      expect(new Set(candidates).size).toBe(candidates.length);
    }),
  );
});
