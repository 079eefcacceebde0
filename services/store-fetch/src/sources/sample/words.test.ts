import { phraseForm, queryWords, searchWords } from './words.ts';

test.each([
  ['planner', 'planning'],
  ['tracker', 'tracking'],
  ['photos', 'photo'],
  ['stories', 'story'],
  ['météo', 'meteo'],
  ['ＰＨＯＴＯ', 'photo'],
])('a search treats %s and %s as one word', (a, b) => expect(searchWords(a)).toEqual(searchWords(b)));

test.each([
  ['news', 'new'],
  ['bird', 'board'],
  ['game', 'gamer'],
])('a search treats %s and %s as two words', (a, b) => expect(searchWords(a)).not.toEqual(searchWords(b)));

test('Han and Kana are compared in pairs of characters, a single character by itself', () => {
  expect(searchWords('家計簿')).toEqual(['家計', '計簿']);
  expect(searchWords('株')).toEqual(['株']);
});

test('filler words count only when a query has no other words', () => {
  expect(searchWords('the art of the deal')).toEqual(searchWords('art deal'));
  expect(searchWords('to the')).toEqual(['to', 'the']);
});

test('the pairs of a Japanese word share the weight of one word', () => {
  expect([...queryWords('家計簿 夫婦')]).toEqual([
    ['家計', 0.5],
    ['計簿', 0.5],
    ['夫婦', 1],
  ]);
});

test.each(['habit tracker without', 'haushaltsbuch kostenlos', 'weather widgets', '天気 アプリ', 'VPN 無料'])(
  'the last word of “%s” has less weight than the first',
  (term) => {
    const shares = [...queryWords(term).values()];
    expect(shares.at(-1)).toBeLessThan((shares[0] ?? 0) / 1.5);
  },
);

test('a phrase is found only at word boundaries', () => {
  expect(phraseForm('Budget: Planner!')).toBe(' budget planner ');
  expect(phraseForm('Subway Surf')).not.toContain(phraseForm('way'));
});
