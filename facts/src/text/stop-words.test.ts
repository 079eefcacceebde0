import { normalizeText } from './normalize-text.ts';
import { stopWordsOf } from './stop-words.ts';
import { wordsOf } from './words.ts';

const languages = ['en', 'fr', 'de', 'es', 'pt', 'it', 'nl', 'sv', 'ja', 'ko', 'zh', 'ru', 'ar', 'tr'];

test.each(languages)('%s has a list of stop words in normal form', (lang) => {
  const words = [...stopWordsOf(lang)];
  expect(words.length).toBeGreaterThanOrEqual(90);
  expect(words.map((word) => normalizeText(word, lang))).toEqual(words);
});

test.each([
  ['en-US', 'The best apps for you', ['best', 'apps']],
  ['fr-FR', 'Le jeu de l’oie pour les enfants', ['jeu', 'oie', 'enfants']],
  ['de-DE', 'Das Spiel für die ganze Familie', ['spiel', 'ganze', 'familie']],
  ['es-MX', 'El juego de los niños', ['juego', 'niños']],
  ['pt-BR', 'O jogo da sua cidade', ['jogo', 'cidade']],
  ['it', 'Il gioco dell’oca per tutti', ['gioco', 'oca']],
  ['nl', 'Het spel voor de kinderen', ['spel', 'kinderen']],
  ['sv', 'Spelet för alla barn', ['spelet', 'barn']],
  ['ja', '写真の編集', ['写真', '編集']],
  ['ko', '사진 및 동영상', ['사진', '동영상']],
  ['zh-Hant', '照片和影片', ['照片', '影片']],
  ['ru', 'Игры для детей и взрослых', ['игры', 'детей', 'взрослых']],
  ['ar', 'ألعاب من أجل الأطفال', ['ألعاب', 'أجل', 'الأطفال']],
  ['tr-TR', 'HERKES İÇİN HIZLI OYUN', ['hızlı', 'oyun']],
])('%s: the stop words of "%s" are left out', (lang, text, left) => {
  expect(wordsOf(text, lang).filter((word) => !stopWordsOf(lang).has(word))).toEqual(left);
});

test('stop words belong to one language', () => {
  expect(stopWordsOf('en').has('die')).toBe(false);
  expect(stopWordsOf('de').has('die')).toBe(true);
});

test('a language without a list has no stop words', () => {
  expect(stopWordsOf('fi').size).toBe(0);
});
