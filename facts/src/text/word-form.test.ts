import fc from 'fast-check';
import { atLeastRuns } from '../../../testing/at-least-runs.ts';
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

/** Beside the regular plurals, which a property generates below. */
test.each([
  ['en-US', 'movie', 'movies'],
  ['en', 'cache', 'caches'],
  ['en', 'box', 'boxes'],
  ['en', 'pie', 'pies'],
  ['es', 'coche', 'coches'],
  ['es-MX', 'voz', 'voces'],
  ['es', 'canción', 'canciones'],
  ['es', 'autobús', 'autobuses'],
  ['es', 'rey', 'reyes'],
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
  ['fr', 'jeu', 'jeux'],
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
  // Signs of Devanagari are letters of a word, not accents.
  fc
    .array(fc.constantFrom('कि', 'की', 'हूँ', 'न्द', 'मैं'), { minLength: 1, maxLength: 5 })
    .map((list) => list.join('')),
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

const begin = fc.stringMatching(/^[b-df-hj-np-tv-z]{0,2}[aeiou][b-df-hj-np-tv-z]$/);
/** Language, singular and plural ending; a beginning has three letters or more here. */
const plurals = fc.constantFrom(
  ...['ory ories', 'ie ies', 'ache aches', 'ash ashes', 'ox oxes', 'ass asses', 'e es'].map(
    (pair) => `en ${pair}`,
  ),
  ...['or ores', 'oche oches', 'az aces', 'ión iones', 'o os', 'ey eyes'].map((pair) => `es ${pair}`),
);

test('the regular plurals of English and Spanish have the form of their singular', () => {
  fc.assert(
    fc.property(begin, plurals, (start, plural) => {
      const [lang = '', one, many] = plural.split(' ');
      expect(commonForm(`${start}${many}`, lang)).toBe(commonForm(`${start}${one}`, lang));
    }),
  );
});

test('accents of Latin and Greek letters do not matter, apart from German umlauts; nor do the marks of Arabic', () => {
  const marks = fc.constantFrom('\u0300', '\u0301', '\u0302', '\u0308', '\u0327', '\u0323');
  const accents = fc.array(fc.tuple(fc.constantFrom(...'aeinosuzαεηοω'), marks), {
    minLength: 1,
    maxLength: 8,
  });
  const vowels = fc.constantFrom('', '\u064b', '\u064e', '\u0650', '\u0651', '\u0652', '\u0670');
  const arabic = fc.array(fc.tuple(fc.constantFrom(...'بتجدرسعمن'), vowels), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(accents, arabic, fc.constantFrom('en', 'fr', 'el', 'de', 'ar'), (marked, voweled, lang) => {
      const isUmlaut = ([letter, mark]: [string, string]) => 'aou'.includes(letter) && mark === '\u0308';
      const umlauts = (given: [string, string]) =>
        isUmlaut(given) && lang === 'de' ? `${given[0]}e` : given[0];
      const [written, plain] = [marked.flat().join(''), marked.map(umlauts).join('')];
      expect(foldForComparison(written, lang)).toBe(plain);
      const word = voweled.map(([letter]) => letter).join('');
      expect(foldForComparison(`ال${voweled.flat().join('')}`, lang)).toBe(word);
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
    atLeastRuns(3_000),
  );
});
