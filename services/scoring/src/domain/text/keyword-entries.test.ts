import { wordsOf } from '@shelfwise/facts/text/words';
import { keywordEntries } from './keyword-entries.ts';

test.each([
  ['en', '2048,1010,puzzle', ['2048', '1010', 'puzzle']],
  ['en', 'sudoku,100,000', ['sudoku', '100', '000']],
  ['ja', '2048、1010，パズル', ['2048', '1010', 'パズル']],
  ['ar', '2048،1010،لعبة', ['2048', '1010', 'لعبة']],
  ['en', 'photo editor, video', ['photo', 'editor', 'video']],
])('%s: numbers of the keywords field "%s" are separate words', (lang, field, words) => {
  expect(keywordEntries(field).flatMap((entry) => wordsOf(entry, lang))).toEqual(words);
});

test('entries are returned as written, empty ones too', () => {
  expect(keywordEntries('a, b,,C')).toEqual(['a', ' b', '', 'C']);
});
