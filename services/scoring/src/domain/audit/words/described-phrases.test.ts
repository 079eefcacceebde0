import { describedPhrases, wordsToLookUp } from './described-phrases.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const described = (description: string | null) => ({ storefront, description });

test('the words that a description says most are looked up, ten at most, each form once', () => {
  const names = 'mosaic puzzle violin zebra kitchen garden harbor lantern meadow orchard pebble';
  expect(wordsToLookUp(described(`Collage. ${names}. Collages!`))).toEqual([
    'collage',
    ...names.split(' ').slice(0, 9),
  ]);
});

test('a word among the first sixty counts twice, and stop words and common words never', () => {
  const filler = 'and '.repeat(60);
  expect(wordsToLookUp(described(`The app is free. Mosaic. ${filler} Violin.`))).toEqual([
    'mosaic',
    'violin',
  ]);
  expect(wordsToLookUp(described(null))).toEqual([]);
});

test('suggestions are taken if the description has them as words or phrases, in any form', () => {
  const { description } = described('Photo collages for every day. Make a mosaic: grid and frame.');
  const suggestions = [
    'Photo Collage',
    'collage photo',
    'mosaic grid',
    'grid',
    'frames',
    'app',
    'collage maker',
  ];
  expect(describedPhrases(described(description), suggestions)).toEqual(['photo collage', 'grid', 'frames']);
});

test('suggestions that the store objects to are left out', () => {
  expect(
    describedPhrases(described('The best collage and free mosaic.'), ['best collage', 'mosaic']),
  ).toEqual(['mosaic']);
});
