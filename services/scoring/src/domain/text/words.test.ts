import { normalizeKeyword } from '@shelfwise/facts/keyword';
import fc from 'fast-check';
import { wordsOf } from './words.ts';

test.each([
  ['en', 'Photo Editor & 2048: Fun_Games!', ['photo', 'editor', '2048', 'fun', 'games']],
  ['en', 'Don’t Starve don’t', ["don't", 'starve', "don't"]],
  ['fr', "L'éditeur d’images aujourd'hui", ['l', 'éditeur', 'd', 'images', "aujourd'hui"]],
  ['de', 'Straßen STRASSEN', ['straßen', 'strassen']],
  ['es', '¿Cómo editar vídeos?', ['cómo', 'editar', 'vídeos']],
  ['pt', 'Edição de VÍDEO', ['edição', 'de', 'vídeo']],
  ['it', 'Giochi dell’oca', ['giochi', 'dell', 'oca']],
  ['nl', 'Foto’s bewerken', ["foto's", 'bewerken']],
  ['sv', 'Träningsapp för dig', ['träningsapp', 'för', 'dig']],
  ['ja', '写真加工アプリ ｶﾒﾗ', ['写真', '加工', 'アプリ', 'カメラ']],
  ['ko', '사진 편집 앱', ['사진', '편집', '앱']],
  ['zh-Hans', '照片编辑免费', ['照片', '编辑', '免费']],
  ['ru', 'Редактор ФОТО', ['редактор', 'фото']],
  ['ar', 'محرر الصور', ['محرر', 'الصور']],
  ['tr', 'FOTOĞRAF DÜZENLEYİCİ', ['fotoğraf', 'düzenleyici']],
])('the words of %s', (lang, text, words) => {
  expect(wordsOf(text, lang)).toEqual(words);
});

test('each word is a keyword in its normal form', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('en', 'fr', 'tr', 'ja', 'ar'),
      (text, lang) => {
        for (const word of wordsOf(text, lang)) expect(normalizeKeyword(word)).toBe(word);
      },
    ),
  );
});
