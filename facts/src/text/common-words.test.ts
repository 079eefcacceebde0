import { commonWordLists } from './common-word-lists.ts';
import { commonFormsOf } from './common-words.ts';
import { normalizeText } from './normalize-text.ts';
import { stopWordsOf } from './stop-words.ts';

test.each(Object.entries(commonWordLists))('%s has a list of common words in normal form', (lang, list) => {
  const words = list.trim().split(/\s+/u);
  expect(words.length).toBeGreaterThanOrEqual(90);
  expect(words.map((word) => normalizeText(word, lang))).toEqual(words);
  expect(words.filter((word) => stopWordsOf(lang).has(word))).toEqual([]);
});

test.each(['app', 'free', 'easy', 'new', 'photo'])('"%s" is common in English', (form) => {
  expect(commonFormsOf('en-GB').has(form)).toBe(true);
});

test.each(['habit', 'weather', 'calorie', 'diary'])('"%s" says what an app does', (form) => {
  expect(commonFormsOf('en-US').has(form)).toBe(false);
});

test('where no descriptions were counted, no word is common', () => {
  expect(commonFormsOf('de').size).toBe(0);
});
