import { titleHead, titleParts } from './title-parts.ts';

const parts = (title: string, lang = 'en') => titleParts(title, lang).map((part) => part.trim());

test.each([
  ['Duolingo: Language Lessons', 'en', ['duolingo', 'language lessons']],
  ['Spider-Man - Unlimited', 'en', ['spider-man', 'unlimited']],
  ['Notes (Fast)', 'en', ['notes', 'fast)']],
  ['Lose It! – Calorie Counter', 'en', ['lose it!', 'calorie counter']],
  ['習慣化・習慣トラッカー Daily Willow', 'ja', ['習慣化', '習慣トラッカー', 'daily willow']],
  ['Lark 英語', 'ja', ['lark', '英語']],
])('the title %s is split into its parts', (title, lang, expected) => {
  expect(parts(title, lang)).toEqual(expected);
});

test('the head of a title is the text before its first separator', () => {
  expect(titleHead(' Spider-Man: Unlimited', 'en').trim()).toBe('spider-man');
  expect(titleHead('Acorn', 'en')).toBe('acorn');
});
