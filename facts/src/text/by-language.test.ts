import { createByLanguage, languageOf, scriptOf, segmenterOf } from './by-language.ts';

test('a value is created once per language, and again after too many languages', () => {
  const create = jest.fn((lang: string) => ({ lang }));
  const getValue = createByLanguage(create);
  expect(getValue('en-US')).toBe(getValue('en-US'));
  expect(getValue('en-GB')).not.toBe(getValue('en-US'));
  expect(create).toHaveBeenCalledTimes(2);
  for (let n = 0; n < 600; n += 1) getValue(`en-x-${n}`);
  expect(getValue('en-US')).toEqual({ lang: 'en-US' });
  expect(create).toHaveBeenCalledTimes(603);
});

test('a segmenter splits by the rules of its language', () => {
  const words = (text: string, lang: string) =>
    Array.from(segmenterOf(lang).segment(text), ({ segment }) => segment);
  expect(words('今日の天気', 'ja-JP')).toEqual(['今日', 'の', '天気']);
});

test('a language has its usual script', () => {
  expect(['pt-BR', 'zh-TW', 'sr', 'sr-Latn'].map(scriptOf)).toEqual(['Latn', 'Hant', 'Cyrl', 'Latn']);
});

test('an invalid tag is refused each time', () => {
  expect(languageOf('pt-BR')).toBe('pt');
  expect(() => languageOf('_')).toThrow(RangeError);
  expect(() => languageOf('_')).toThrow(RangeError);
});
