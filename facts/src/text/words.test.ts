import fc from 'fast-check';
import { normalizeKeyword } from './keyword.ts';
import { normalizeText } from './normalize-text.ts';
import { segmentsOf } from './segments.ts';
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
  ['en', 'Level 2048;1010 and 1,000 of 3.5', ['level', '2048', '1010', 'and', '1,000', 'of', '3.5']],
  ['ar', '٢٠٤٨،١٠١٠؛٣', ['٢٠٤٨', '١٠١٠', '٣']],
  ['en', 'The best app.Download Photo.Editor', ['the', 'best', 'app', 'download', 'photo', 'editor']],
  ['de', 'Ein Übergrößen-Rechner.Ändern', ['ein', 'übergrößen', 'rechner', 'ändern']],
  ['en', 'booking.com BOOKING.COM U.S.A', ['booking.com', 'booking.com', 'u.s.a']],
  ['en', 'Learn C++, C# & R: Grade A+', ['learn', 'c++', 'c#', 'r', 'grade', 'a+']],
  ['ja', 'C++入門とC#', ['c++', '入門', 'と', 'c#']],
  ['en', '1\ufe0f\u20e3 Open 2\u20e3 Write ❤\ufe0f', ['1\ufe0f\u20e3', 'open', '2\ufe0f\u20e3', 'write']],
  ['en', 'Calculator+ PDF+Scan x+y #1', ['calculator', 'pdf', 'scan', 'x', 'y', '1']],
])('the words of %s', (lang, text, words) => {
  expect(wordsOf(text, lang)).toEqual(words);
});

const casedWords = {
  en: 'Quick INSTANT Iron',
  fr: 'Éléphant ÎLE Œuvre',
  de: 'Überblick ÄRGER',
  es: 'Niño ÁRBOL',
  pt: 'Edição ÔNIBUS',
  it: 'Città PERCHÉ',
  nl: 'IJsje Foto',
  sv: 'Träning ÅKA',
  ja: 'Camera アプリ',
  ko: 'Photo 편집',
  zh: 'Video 照片',
  ru: 'Ёлка ИГРА',
  ar: 'Photo الصور',
  tr: 'Hızlı İstanbul IŞIK fırın ilk',
};

test.each(Object.entries(casedWords))('%s: letter case does not matter', (lang, text) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...text.split(' ')), { minLength: 1, maxLength: 8 }), (words) => {
      const [upper, lower] = [
        words.join(' ').toLocaleUpperCase(lang),
        words.join(' ').toLocaleLowerCase(lang),
      ];
      expect(wordsOf(upper, lang)).toEqual(wordsOf(lower, lang));
      expect(wordsOf(words.join(' '), lang)).toEqual(wordsOf(lower, lang));
    }),
  );
});

test.each(['tr', 'tr-TR', 'az'])('in %s a dotless I stays dotless and a dotted I stays dotted', (lang) => {
  expect(wordsOf('HIZLI FIRIN İSTANBUL', lang)).toEqual(['hızlı', 'fırın', 'istanbul']);
  expect(wordsOf('Hızlı Fırın İstanbul', lang)).toEqual(['hızlı', 'fırın', 'istanbul']);
});

test.each(['tr', 'en'])(
  'in %s a keyword that was tracked in Turkish capitals equals the word of the listing',
  (lang) => {
    for (const keyword of ['İSTANBUL', 'İstanbul', 'istanbul'])
      expect(wordsOf('İstanbul', lang)).toEqual([normalizeKeyword(keyword)]);
  },
);

test('a word is read as it looks, whatever invisible characters are in it', () => {
  for (const word of ['Ha\u200bbit', 'Ha\u00adbit', '\ufeffHabit\u200e', 'Ha\u0007bit', 'Ha\u2060bit'])
    expect(wordsOf(`My ${word} Tracker`, 'en')).toEqual(['my', 'habit', 'tracker']);
  const persian = '\u06a9\u062a\u0627\u0628\u200c\u062e\u0648\u0627\u0646';
  expect(wordsOf(persian, 'fa')).toEqual([persian]);
});

test('each word is a normalized keyword', () => {
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

test.each(['en-US', 'de-DE', 'fr-FR', 'sv-SE', 'tr-TR', 'ja-JP', 'th-TH', 'ko-KR', 'zh-Hans', 'ar', 'lt'])(
  'plain words of %s are those that the segmenter finds',
  (lang) => {
    const letters = [..."abisxyz019ßäåéíñöøÿ'"];
    const word = fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 })
      .map((found) => found.join(''));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const text = words.join(' ');
        const segmented = segmentsOf(normalizeText(text, lang), lang).map((segment) => segment.word);
        expect(wordsOf(text, lang)).toEqual(segmented);
      }),
    );
  },
);
