import { jaccard, wordSetOf } from './word-set.ts';

test('terms are compared by their words, in CJK by every two neighboring characters', () => {
  expect([...wordSetOf('daily habit tracker', 'en-US')]).toEqual(['daily', 'habit', 'tracker']);
  expect([...wordSetOf('習慣管理', 'ja-JP')]).toEqual(['習慣', '慣管', '管理']);
  expect([...wordSetOf('習慣 app', 'ja-JP')]).toEqual(['app', '習慣']);
  expect([...wordSetOf('本', 'ja-JP')]).toEqual(['本']);
});

test('a term without words is similar only to itself', () => {
  expect([...wordSetOf('🔥🔥', 'en-US')]).toEqual(['🔥🔥']);
});

test('similarity is the share of all words that both have', () => {
  const of = (keyword: string) => wordSetOf(keyword, 'en-US');
  expect(jaccard(of('habit tracker'), of('habit tracker free'))).toBeCloseTo(2 / 3, 12);
  expect(jaccard(of('habit tracker'), of('tracker habit'))).toBe(1);
  expect(jaccard(of('habit tracker'), of('sleep sounds'))).toBe(0);
  expect(jaccard(wordSetOf('習慣管理', 'ja'), wordSetOf('習慣', 'ja'))).toBeCloseTo(1 / 3, 12);
});
