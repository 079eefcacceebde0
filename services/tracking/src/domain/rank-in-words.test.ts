import { rankInWords } from './rank-in-words.ts';

const words = (rank: number | null, depth: number) =>
  rankInWords({ title: 'Prisma', keyword: 'photo editor', rank, depth });

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [42, '42nd'],
  [93, '93rd'],
  [100, '100th'],
])('rank %i reads %s', (rank, text) => {
  expect(words(rank, 100)).toBe(`Prisma ranks ${text} of 100 results for “photo editor”.`);
});

test('the sentence for an app that does not rank names the depth of the page', () => {
  expect(words(null, 100)).toBe('Prisma is not in the top 100 for “photo editor”.');
  expect(words(null, 30)).toBe('Prisma is not among the 30 results that the store shows for “photo editor”.');
  expect(words(null, 1)).toBe('The store shows one result for “photo editor”, and it is not Prisma.');
  expect(words(null, 0)).toBe('The store shows no results for “photo editor”, so Prisma does not rank.');
  expect(words(1, 1)).toBe('Prisma ranks 1st of 1 result for “photo editor”.');
});
