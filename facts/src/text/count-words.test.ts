import { countWords } from './count-words.ts';

test.each([
  ['en', 'photo', 1],
  ['en', 'Photo  Editor Pro', 3],
  ['en', 'tic-tac-toe', 3],
  ['fr', "éditeur d'images", 2],
  ['ja', '写真', 1],
  ['ja', '写真加工', 2],
  ['ja', '写真加工アプリ', 4],
  ['ja', 'スーパー', 2],
  ['ja', '3d モデル', 3],
  ['ja', 'ai写真', 2],
  ['zh', '照', 1],
  ['ko', '사진 편집', 2],
  ['ko', '사진편집기', 3],
  ['en', '🔥', 1],
])('%s: "%s" counts as %i', (lang, keyword, count) => {
  expect(countWords(keyword, lang)).toBe(count);
});
