import { chooseTopKeywords } from './top-keywords.ts';

const keywordOf = (keyword: string, traffic: number | null, rank: number | null, id = 1) => ({
  keyword_id: id,
  keyword,
  traffic,
  rank,
});
const chosen = (keywords: readonly ReturnType<typeof keywordOf>[], count = 10) =>
  chooseTopKeywords(keywords, count).map(({ keyword, keyword_id: id }) => `${keyword} ${id}`);

test('the most traffic comes first, of keywords for which the app ranks 10 or better', () => {
  const keywords = [
    keywordOf('second', 40, 10),
    keywordOf('deep', 90, 11),
    keywordOf('none', 90, null),
    keywordOf('unknown', null, 1),
    keywordOf('first', 60, 3),
    keywordOf('unsearched', 0, 1),
  ];
  expect(chosen(keywords)).toEqual(['first 1', 'second 1', 'unsearched 1']);
  expect(chosen(keywords, 1)).toEqual(['first 1']);
  expect(chosen([])).toEqual([]);
});

test('equal traffic is in the order of ranks, then of keywords and ids, whatever the order of the list', () => {
  const keywords = [
    keywordOf('b', 50, 2),
    keywordOf('a', 50, 2, 9),
    keywordOf('a', 50, 2, 8),
    keywordOf('z', 50, 1),
  ];
  const expected = ['z 1', 'a 8', 'a 9', 'b 1'];
  expect(chosen(keywords)).toEqual(expected);
  expect(chosen(keywords.toReversed())).toEqual(expected);
});
