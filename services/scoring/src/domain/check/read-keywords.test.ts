import fc from 'fast-check';
import { readKeywords } from './read-keywords.ts';

test('a clean field wastes nothing', () => {
  expect(readKeywords('habit,routine,planner', 'en')).toEqual({
    terms: ['habit', 'routine', 'planner'],
    duplicates: [],
    too_short: [],
    phrases: [],
    wasted_on_spaces: 0,
    wasted_on_duplicates: 0,
  });
});

test.each([
  ['Photo, Editor , video', { terms: ['photo', 'editor', 'video'], wasted_on_spaces: 3 }],
  [
    ' photo  editor ,x',
    { terms: ['photo editor', 'x'], phrases: ['photo editor'], too_short: ['x'], wasted_on_spaces: 3 },
  ],
  ['photo,PHOTO,video,photo', { duplicates: ['photo'], wasted_on_duplicates: 12 }],
  ['photo editor,video editor', { duplicates: ['editor'], wasted_on_duplicates: 7 }],
  ['photo editor,photo editor', { duplicates: ['photo editor'], wasted_on_duplicates: 13 }],
  ['ｐｈｏｔｏ,photo', { duplicates: ['photo'], wasted_on_duplicates: 6 }],
  ['写真，編集、加工', { terms: ['写真', '編集', '加工'] }],
  ['صور،فيديو', { terms: ['صور', 'فيديو'] }],
  ['rock & roll,salt & pepper,&', { duplicates: [], wasted_on_duplicates: 0 }],
  ['c++,c++,50 %,100 %', { duplicates: ['c++'], wasted_on_duplicates: 4 }],
  ['猫,犬,ㄱ', { too_short: [] }],
  ['é,🎧', { too_short: ['é', '🎧'] }],
  [',,a b,,', { terms: ['a b'], wasted_on_spaces: 0 }],
  ['', { terms: [], wasted_on_spaces: 0 }],
  ['   ', { terms: [], wasted_on_spaces: 3 }],
])('%j is read as the store reads it', (field, expected) => {
  expect(readKeywords(field, 'en')).toMatchObject(expected);
});

test('the lower case of `I` is that of the language', () => {
  const field = 'IŞIK,ışık,İZLE,izle,PIN,pin';
  expect(readKeywords(field, 'tr')).toMatchObject({
    terms: ['ışık', 'ışık', 'izle', 'izle', 'pın', 'pin'],
    duplicates: ['ışık', 'izle'],
  });
  expect(readKeywords(field, 'az').duplicates).toEqual(['ışık', 'izle']);
  expect(readKeywords(field, 'en').duplicates).toEqual(['izle', 'pin']);
});

test('terms are read in the lower case of the language', () => {
  expect(readKeywords('IŞIK,ışık', 'tr')).toMatchObject({ terms: ['ışık', 'ışık'], duplicates: ['ışık'] });
});

test.each([
  ['ﷺ'.repeat(20_000), 1],
  ['ﷺ,'.repeat(10_000), 56],
  ['ab,'.repeat(6_667), 334],
  [`${'🎧'.repeat(600)}`, 1],
])('only 1,000 units are read of a field far over its limit', (field, count) => {
  const { terms } = readKeywords(field, 'en');
  expect(terms).toHaveLength(count);
  expect(terms.join('').length).toBeLessThanOrEqual(1_000);
  expect(terms.join('')).not.toMatch(/\p{Cs}/u);
});

test('unneeded blanks and repeats are exactly what can be saved', () => {
  const word = fc.constantFrom('habit', 'photo', 'a', '写真', 'maker');
  const blanks = fc.nat({ max: 3 }).map((count) => ' '.repeat(count));
  const entry = fc
    .tuple(blanks, fc.array(word, { maxLength: 3 }), blanks)
    .map(([before, words, after]) => before + words.join(' ') + after);
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
      const field = entries.join(',');
      const {
        terms,
        duplicates,
        phrases,
        wasted_on_spaces: wastedOnSpaces,
        wasted_on_duplicates: wastedOnDuplicates,
      } = readKeywords(field, 'en');
      const words = new Set(terms.flatMap((term) => term.split(' ')));
      expect(terms.join(',').length).toBe(
        field.length - wastedOnSpaces - (entries.length - 1) + Math.max(0, terms.length - 1),
      );
      expect([...words].join(',').length).toBe(Math.max(0, terms.join(',').length - wastedOnDuplicates));
      expect(wastedOnDuplicates > 0).toBe(duplicates.length > 0);
      expect(phrases.every((phrase) => phrase.includes(' '))).toBe(true);
    }),
  );
});
