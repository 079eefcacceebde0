import { titlePhrases } from './title-phrases.ts';

const listing = {
  storefront: { store: 'ITUNES' as const, lang: 'en-US' },
  developer_name: 'Oak Works',
  ownTerms: new Set(['photo']),
};
const app = (title: string, developer: string) => ({ title, developer_name: developer });

test('words and phrases in the titles of two developers are candidates, most developers first', () => {
  const found = titlePhrases(
    [
      app('Photo Collage Maker', 'A'),
      app('Pixly: Collage Maker', 'B'),
      app('Collage Maker & Grid', 'C'),
      app('Collage', 'D'),
      app('Filters for Photo', 'E'),
    ],
    listing,
  );
  expect(found).toEqual(['collage', 'collage maker', 'maker']);
});

test('several apps of one developer, and those of the app’s own, prove nothing', () => {
  const titles = [app('Pixly Grid', 'A'), app('Pixly Lab', 'A'), app('Pixly Pro', 'a')];
  expect(titlePhrases([...titles, app('Pixly', 'Oak Works')], listing)).toEqual([]);
});

test('stop words and fillers alone are no candidates, nor are terms that the audit already has', () => {
  const titles = ['A', 'B', 'C'].map((developer) => app('Photo for free', developer));
  expect(titlePhrases(titles, listing)).not.toEqual(expect.arrayContaining(['photo']));
  expect(titlePhrases(titles, listing).filter((term) => /^(for|free|for free)$/.test(term))).toEqual([]);
});

test('words that the store objects to are no candidates', () => {
  const titles = ['A', 'B'].map((developer) => app('Free Workout & Best Planner', developer));
  const found = titlePhrases(titles, listing);
  expect(found).toEqual(expect.arrayContaining(['workout', 'planner']));
  expect(found).not.toEqual(expect.arrayContaining(['free workout']));
});

test('at most forty are chosen, and the order of the apps does not matter', () => {
  const words = Array.from(
    { length: 45 },
    (_, at) => `word${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
  );
  const titles = ['A', 'B', 'C'].flatMap((developer) => words.map((word) => app(word, developer)));
  const found = titlePhrases(titles, listing);
  expect(found).toHaveLength(40);
  expect(titlePhrases(titles.toReversed(), listing)).toEqual(found);
});
