import { topicPrefixes } from './topic-prefixes.ts';

test('the store is queried for the topic, then for the topic with each letter', () => {
  const prefixes = topicPrefixes('  Habit  Tracker ', 'en-US');
  expect(prefixes.slice(0, 3)).toEqual(['habit tracker', 'habit tracker a', 'habit tracker b']);
  expect(prefixes).toHaveLength(27);
  expect(prefixes.at(-1)).toBe('habit tracker z');
});

test.each([
  ['ru-RU', 'привычки а'],
  ['ja-JP', 'привычки あ'],
  ['ko', 'привычки 가'],
  ['el-GR', 'привычки α'],
  ['ar', 'привычки ا'],
  ['he', 'привычки א'],
  ['hi-IN', 'привычки अ'],
  ['th-TH', 'привычки ก'],
  ['zh-Hans', 'привычки a'],
  ['zh-TW', 'привычки a'],
  ['de-DE', 'привычки a'],
  ['ka', 'привычки a'],
])('the letters for %s fit its script, each once and 30 at most', (lang, second) => {
  const prefixes = topicPrefixes('привычки', lang);
  expect(prefixes[1]).toBe(second);
  expect(prefixes.length).toBeLessThanOrEqual(31);
  expect(new Set(prefixes).size).toBe(prefixes.length);
});
