import fc from 'fast-check';
import { phrasesOf } from './phrases.ts';
import { stopWordsOf } from './stop-words.ts';

test('phrases are consecutive words, each once, the shorter first', () => {
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

test('no phrase crosses punctuation or a line', () => {
  expect(phrasesOf('Run: track, walk\nswim (bike) & row', 'en', 3)).toEqual([
    'run',
    'track',
    'walk',
    'swim',
    'bike',
    'row',
  ]);
});

test('a phrase may hold a function word, but not begin or end with one', () => {
  expect(phrasesOf('the sleep for babies', 'en', 3)).toEqual(['sleep', 'sleep for babies', 'babies']);
});

test('a phrase is written as it stands there', () => {
  expect(phrasesOf('T-Shirt   Design', 'en', 2)).toEqual(['t', 't-shirt', 'shirt', 'shirt design', 'design']);
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

test('no phrase is longer than asked, and none is a function word alone', () => {
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
