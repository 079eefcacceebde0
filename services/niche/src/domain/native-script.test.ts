import { isNativeScript } from './native-script.ts';

test.each([
  ['habit 2 log!', 'en-US'],
  ['español über', 'en-US'],
  ['привычки app', 'ru-RU'],
  ['習慣トラッカー', 'ja-JP'],
  ['コーヒー 〆', 'ja-JP'],
  ['習慣', 'zh-TW'],
  ['습관 app', 'ko-KR'],
  ['عادات', 'ar-SA'],
  ['ขนม', 'th-TH'],
  ['ગમે તે', 'gu-IN'],
])('%s can be a search in %s', (text, lang) => {
  expect(isNativeScript(text, lang)).toBe(true);
});

test.each([
  ['habit 感動', 'en-US'],
  ['привычки', 'de-DE'],
  ['습관', 'ja-JP'],
  ['トラッカー', 'zh-Hans'],
  ['привычки', 'ja-JP'],
])('%s has letters that are foreign to %s', (text, lang) => {
  expect(isNativeScript(text, lang)).toBe(false);
});
