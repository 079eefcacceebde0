import { typedReading } from './typed-reading.ts';

const readings = new Map([['無料', 'むりょう']]);

test.each([
  ['家計簿 無料', '家計簿 むりょう'],
  ['天気 アプリ', '天気 あぷり'],
  ['間取り 部屋 アプリ', '間取り 部屋 あぷり'],
  ['レシピ フィルター', 'レシピ ふぃるたー'],
])('%s is typed %s', (term, typed) => expect(typedReading(term, readings)).toBe(typed));

test.each(['家計簿', 'アプリ', 'カメラ かわいい', '家計簿 夫婦', 'photo editor', 'RPG 3D'])(
  '%s has no known typed form',
  (term) => expect(typedReading(term, readings)).toBeNull(),
);
