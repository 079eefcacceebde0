import { toItunesLanguage } from './itunes-language.ts';

test.each([
  ['en-US', 'en_us'],
  ['ja-JP', 'ja_jp'],
  ['pt-BR', 'pt_br'],
  ['zh-Hans-CN', 'zh_cn'],
  ['zh-Hant', 'zh_tw'],
  ['ja', 'ja'],
  ['es-419', 'es'],
  ['fil-PH', 'fil_ph'],
])('the language %s is requested as %s', (tag, code) => expect(toItunesLanguage(tag)).toBe(code));
