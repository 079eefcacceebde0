import fc from 'fast-check';
import { countWords } from './count-words.ts';

test.each([
  ['en', 'Photo  Editor Pro', 3],
  ['en', 'tic-tac-toe', 3],
  ['fr', "éditeur d'images", 2],
  ['ja', '写真加工アプリ', 4],
  ['ja', 'スーパー', 2],
  ['ja', '3d モデル', 3],
  ['ja', 'ai写真', 2],
  ['en', '🔥', 1],
])('%s: "%s" counts as %i', (lang, keyword, count) => {
  expect(countWords(keyword, lang)).toBe(count);
});

test('words of letters count one each, runs of Chinese, Japanese and Korean half their characters, rounded up', () => {
  const latin = fc.stringMatching(/^[a-z]{1,8}$/).map((word) => ({ word, count: 1 }));
  const cjk = fc.stringMatching(/^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]{1,9}$/);
  const run = cjk.map((word) => ({ word, count: Math.ceil(word.length / 2) }));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(latin, run), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('en', 'ja'),
      (list, lang) => {
        const expected = list.reduce((sum, { count }) => sum + count, 0);
        expect(countWords(list.map(({ word }) => word).join(' '), lang)).toBe(expected);
      },
    ),
  );
});
