import { toPlayLanguage } from './play-language.ts';

test.each([
  ['en', 'en'],
  ['en-US', 'en-US'],
  ['pt-BR', 'pt-BR'],
  ['es-419', 'es-419'],
  ['zh', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-HK'],
  ['zh-Hant-MO', 'zh-HK'],
  ['zh-Hans-HK', 'zh-CN'],
  ['he', 'iw'],
  ['he-IL', 'iw-IL'],
  ['nb', 'no'],
  ['nb-NO', 'no-NO'],
  ['no', 'no'],
  ['sr-Latn-RS', 'sr-RS'],
  ['fil', 'fil'],
  ['id', 'id'],
])('the language %s is requested as %s', (tag, requested) => expect(toPlayLanguage(tag)).toBe(requested));
