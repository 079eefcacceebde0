import { validateKeywords } from './validate-keywords.ts';

const problemOf = (keyword: string) => validateKeywords([keyword])[0]?.problem;

test.each([
  '写真 編集',
  'محرر الصور',
  '🎧📷',
  '👩‍👩‍👧 family',
  'c++',
  'naïve café',
  'עורך תמונות',
  'a'.repeat(100),
])('%s can be tracked', (keyword) => expect(problemOf(keyword)).toBeNull());

test('spellings with the same normal form are one keyword, and the second is refused', () => {
  const validated = validateKeywords(['Café', 'Cafe\u0301', 'photo  EDITOR', 'photo editor', 'x1']);
  expect(validated.map(({ keyword }) => keyword)).toEqual([
    'café',
    'café',
    'photo editor',
    'photo editor',
    'x1',
  ]);
  expect(validated.map(({ problem }) => problem !== null)).toEqual([false, true, false, true, false]);
  expect(validated[1]?.problem).toMatch(/twice/);
});

test('the length is that of the normal form in code points: 🎧 has one, the ligature ﬁ becomes two letters', () => {
  expect(problemOf('🎧')).toMatch(/2 to 100 characters; this one has 1/);
  expect(problemOf('   a   ')).toMatch(/this one has 1/);
  expect(problemOf('ﬁ')).toBeNull();
  expect(problemOf('🎧'.repeat(100))).toBeNull();
  expect(problemOf('🎧'.repeat(101))).toMatch(/this one has 101/);
  expect(problemOf('')).toMatch(/this one has 0/);
});

test('tabs and line breaks count as spaces; other control characters and lone surrogates are refused', () => {
  expect(validateKeywords(['photo\t\neditor'])).toEqual([{ keyword: 'photo editor', problem: null }]);
  expect(problemOf('photo\u0000editor')).toMatch(/control characters/);
  expect(problemOf('photo\u001beditor')).toMatch(/control characters/);
  expect(problemOf('photo\ud800')).toMatch(/control characters/);
});

test('a keyword without visible characters is refused', () => {
  expect(problemOf('\u200d\u200b\u200d')).toMatch(/visible/);
});
