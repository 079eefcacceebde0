import fc from 'fast-check';
import { commonForm, createWordForms, foldForComparison } from './word-form.ts';

test.each([
  ['en', 'Pokémon GO', 'pokemon go'],
  ['en', 'Ångström', 'angstrom'],
  ['el', 'Καλημέρα', 'καλημερα'],
  ['en', 'STRASSE Straße', 'strasse strasse'],
  ['de', 'Wörter für Äpfel, Straße', 'woerter fuer aepfel strasse'],
  ['de-CH', 'CAFÉ MÜLLER', 'cafe mueller'],
  ['de', 'mu\u0308ller', 'mueller'],
  ['en', 'Müller', 'muller'],
  ['ar', 'الطقس', 'طقس'],
  ['ar', 'أخبار إسلام آية', 'اخبار اسلام ايه'],
  ['ar', 'مُصحَفٌ', 'مصحف'],
  ['ar', 'رحمٰن', 'رحمن'],
  ['ar', 'مستشفى', 'مستشفي'],
  ['ar', 'لعبة السيارات', 'لعبه سيارات'],
  ['ar', 'الم', 'الم'],
  ['ar', 'الآلي', 'الي'],
  ['en', 'طقس الطقس', 'طقس طقس'],
])('in %s, %s is compared as %s', (lang, text, folded) => {
  expect(foldForComparison(text, lang)).toBe(folded.normalize('NFC'));
});

test.each([
  ['ja', 'ガイド'],
  ['ja', 'かぎ かき'],
  ['zh', '天气预报'],
  ['ko', '가나다'],
  ['hi', 'हिन्दी कि की'],
  ['th', 'น้ำมัน'],
])('in %s, nothing of %s is folded', (lang, text) => {
  expect(commonForm(text, lang)).toBe(text.normalize('NFKC'));
});

/** The pairs that the rules were tested with; each has one form. */
test.each([
  ['en-US', 'movie', 'movies'],
  ['en', 'calorie', 'calories'],
  ['en', 'story', 'stories'],
  ['en', 'cache', 'caches'],
  ['en', 'box', 'boxes'],
  ['en', 'class', 'classes'],
  ['en', 'wish', 'wishes'],
  ['en', 'pie', 'pies'],
  ['en', 'game', 'games'],
  ['en', 'recipe', 'recipes'],
  ['es', 'coche', 'coches'],
  ['es', 'clase', 'clases'],
  ['es-MX', 'voz', 'voces'],
  ['es', 'canción', 'canciones'],
  ['es', 'juego', 'juegos'],
  ['es', 'autobús', 'autobuses'],
  ['es', 'rey', 'reyes'],
  ['fr-FR', 'photo', 'photos'],
  ['pt-BR', 'jogo', 'jogos'],
  ['nl', 'foto', 'fotos'],
  ['ar', 'ألعاب', 'الألعاب'],
  ['ar', 'العاب', 'الألعاب'],
  ['ar', 'مدرسة', 'المدرسه'],
  ['de', 'wetter österreich', 'Wetter Oesterreich'],
])('in %s, %s and %s are one', (lang, word, other) => {
  expect(commonForm(other, lang)).toBe(commonForm(word, lang));
});

test.each([
  ['en', 'new', 'news'],
  ['en', 'bus', 'bu'],
  ['en', 'ches', 'chess'],
  ['en', 'tenni', 'tennis'],
  ['en', 'ga', 'gas'],
  ['en', 'g2', 'g2s'],
  ['de', 'auto', 'autos'],
  ['de', 'schon', 'schön'],
  ['ja', 'game', 'games'],
  ['fr', 'story', 'stories'],
  ['pt', 'voz', 'voce'],
])('in %s, %s and %s are two', (lang, word, other) => {
  expect(commonForm(other, lang)).not.toBe(commonForm(word, lang));
});

test.each([
  ['en', 'caches', 'cach'],
  ['en', 'movies', 'movy'],
  ['es', 'voces', 'voz'],
  ['es', 'clase', 'clas'],
])('in %s, the form of %s is %s', (lang, word, form) => {
  expect(createWordForms(lang)(word)).toBe(form);
});

const languages = fc.constantFrom('en-US', 'de', 'es', 'fr', 'pt-BR', 'nl', 'ar', 'tr', 'el', 'ja', 'hi');
const letters = fc.constantFrom(...'abceéiosuxyzäöüßςΣίأإآاليىةهمُّطカガがか가हिI ');
const unfolded = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,8}( [a-z0-9]{1,8}){0,3}$/),
  fc.stringMatching(/^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]{1,8}$/),
);
const texts = fc.array(letters, { maxLength: 14 }).map((list) => list.join(''));

test('folding twice is folding once, and letter case does not matter', () => {
  fc.assert(
    fc.property(texts, languages, (text, lang) => {
      const folded = foldForComparison(text, lang);
      expect(foldForComparison(folded, lang)).toBe(folded);
      expect(foldForComparison(text.toUpperCase(), lang)).toBe(folded);
    }),
  );
});

test('a plural in s has the form of its singular, where the language has one', () => {
  const words = fc.stringMatching(/^[a-z]{2,8}[bdfgklmnprtvaou]$/);
  fc.assert(
    fc.property(words, fc.constantFrom('en', 'fr', 'es', 'pt', 'nl'), (word, lang) => {
      fc.pre(!word.endsWith('u') && word !== 'new');
      expect(commonForm(`${word}s`, lang)).toBe(commonForm(word, lang));
    }),
  );
});

test('what needs no folding is not changed by it', () => {
  fc.assert(
    fc.property(unfolded, languages, (text, lang) => {
      // With punctuation, which is dropped, all of the folding runs.
      expect(foldForComparison(`!${text}!`, lang)).toBe(text);
      expect(foldForComparison(text, lang)).toBe(text);
    }),
    { numRuns: 3000 },
  );
});
