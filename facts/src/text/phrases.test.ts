import fc from 'fast-check';
import { phrasesOf } from './phrases.ts';
import { stopWordsOf } from './stop-words.ts';

test('phrases are consecutive words, each listed once, the shorter first', () => {
  expect(phrasesOf('Photo Editor Pro photo editor', 'en', 3)).toEqual([
    'photo',
    'photo editor',
    'photo editor pro',
    'editor',
    'editor pro',
    'editor pro photo',
    'pro',
    'pro photo',
    'pro photo editor',
  ]);
});

test('a phrase does not cross punctuation or a line break', () => {
  expect(phrasesOf('Run: track, walk\nswim (bike) & row', 'en', 3)).toEqual([
    'run',
    'track',
    'walk',
    'swim',
    'bike',
    'row',
  ]);
});

test('a phrase inside a text may contain a stop word but not start or end with one', () => {
  expect(phrasesOf('Songs and sleep for babies', 'en', 3)).toEqual([
    'songs',
    'songs and sleep',
    'sleep',
    'sleep for babies',
    'babies',
  ]);
});

test.each([
  ['en', 'To Do List & How to Draw', ['to do list', 'list', 'how to draw', 'draw']],
  ['en', 'To-Do List: All in One', ['to-do list', 'list', 'all in one', 'one']],
  ['en', 'What to Wear Outfit', ['what to wear', 'wear', 'wear outfit', 'outfit']],
  ['en', 'Me,The Sims', ['the sims', 'sims']],
  ['en', 'Scan on', ['scan', 'scan on']],
  ['en', 'Draw it all day', ['draw', 'day']],
  ['fr', 'Tout en un', ['tout en un']],
  ['de', 'Wer bin ich?', ['wer bin ich']],
  ['tr', 'BU NE, nasıl çizilir', ['bu ne', 'nasıl çizilir', 'çizilir']],
])(
  '%s: a name such as "%s" may start with stop words, and end with one if it is the whole run',
  (lang, text, phrases) => {
    expect(phrasesOf(text, lang, 3)).toEqual(phrases);
  },
);

test('a phrase keeps the spelling of the text', () => {
  expect(phrasesOf('T-Shirt   Design', 'en', 2)).toEqual(['t', 't-shirt', 'shirt', 'shirt design', 'design']);
  expect(phrasesOf('Learn C++ Fast', 'en', 2)).toEqual(['learn', 'learn c++', 'c++', 'c++ fast', 'fast']);
  expect(phrasesOf('写真加工', 'ja', 2)).toEqual(['写真', '写真加工', '加工']);
  expect(phrasesOf('Éditeur d’images', 'fr', 3)).toEqual(['éditeur', "éditeur d'images", 'images']);
});

test('a text without words has no phrases', () => {
  expect(phrasesOf('', 'en', 3)).toEqual([]);
  expect(phrasesOf('🔥 — !!', 'en', 3)).toEqual([]);
});

test('letter case does not matter', () => {
  const words = fc.array(fc.constantFrom('photo', 'the', 'für', 'straßenkarte', ',', 'ποδόσφαιρο', 'élan'));
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(' ');
      const shouted = list.map((word) => (word.includes('ß') ? word : word.toUpperCase())).join(' ');
      expect(phrasesOf(shouted, 'en', 3)).toEqual(phrasesOf(text, 'en', 3));
    }),
  );
});

test('a phrase has at most the given number of words, and no phrase is a lone stop word', () => {
  const words = fc.array(fc.constantFrom('run', 'walk', 'of', 'the', 'swim', '-', '.'), { maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 4 }), (list, max) => {
      for (const phrase of phrasesOf(list.join(' '), 'en', max)) {
        expect(phrase.split(' ').length).toBeLessThanOrEqual(max);
        expect(stopWordsOf('en').has(phrase)).toBe(false);
      }
    }),
  );
});
