import { phraseForm, queryWords, searchWords } from './words.ts';

test.each([
  ['planner', 'planning'],
  ['tracker', 'tracking'],
  ['photos', 'photo'],
  ['stories', 'story'],
  ['météo', 'meteo'],
  ['ＰＨＯＴＯ', 'photo'],
])('%s and %s are one word to a search', (a, b) => expect(searchWords(a)).toEqual(searchWords(b)));

test.each([
  ['news', 'new'],
  ['bird', 'board'],
  ['game', 'gamer'],
])('%s and %s are two words', (a, b) => expect(searchWords(a)).not.toEqual(searchWords(b)));

test('Han and Kana are compared by pairs of characters, one character by itself', () => {
  expect(searchWords('家計簿')).toEqual(['家計', '計簿']);
  expect(searchWords('株')).toEqual(['株']);
});

test('filler words do not count unless there is nothing else', () => {
  expect(searchWords('the art of the deal')).toEqual(searchWords('art deal'));
  expect(searchWords('to the')).toEqual(['to', 'the']);
});

test('the pairs of a Japanese word share what one word counts for', () => {
  expect([...queryWords('家計簿 夫婦')]).toEqual([
    ['家計', 0.5],
    ['計簿', 0.5],
    ['夫婦', 1],
  ]);
});

test.each(['habit tracker without', 'haushaltsbuch kostenlos', 'weather widgets', '天気 アプリ', 'VPN 無料'])(
  'the last word of “%s” counts for less than the first',
  (term) => {
    const shares = [...queryWords(term).values()];
    expect(shares.at(-1)).toBeLessThan((shares[0] ?? 0) / 1.5);
  },
);

test('a phrase is found only at word boundaries', () => {
  expect(phraseForm('Budget: Planner!')).toBe(' budget planner ');
  expect(phraseForm('Subway Surf')).not.toContain(phraseForm('way'));
});
