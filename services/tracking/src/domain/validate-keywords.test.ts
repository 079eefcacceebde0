import { validateKeywords } from './validate-keywords.ts';

const problemOf = (keyword: string) => validateKeywords([keyword], 'en-US')[0]?.problem;

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
  const validated = validateKeywords(['Café', 'Cafe\u0301', 'photo  EDITOR', 'photo editor', 'x1'], 'en-US');
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

test('in Turkish, a keyword in capitals is the one in small letters', () => {
  const [first, second] = validateKeywords(['ışık', 'IŞIK'], 'tr-TR');
  expect([first?.keyword, second?.keyword]).toEqual(['ışık', 'ışık']);
  expect(second?.problem).toMatch(/twice/);
});

test('the length is that of the normal form in code points: 🎧 has one, the ligature ﬁ becomes two letters', () => {
  expect(problemOf('🎧')).toMatch(/2 to 100 characters; this one has 1/);
  expect(problemOf('   a   ')).toMatch(/this one has 1/);
  expect(problemOf('ﬁ')).toBeNull();
  expect(problemOf('🎧'.repeat(100))).toBeNull();
  expect(problemOf('🎧'.repeat(101))).toMatch(/this one has 101/);
  expect(problemOf('')).toMatch(/this one has 0/);
});

test('tabs and line breaks count as spaces, other control characters are removed, lone surrogates are refused', () => {
  expect(validateKeywords(['photo\t\neditor'], 'en-US')).toEqual([
    { keyword: 'photo editor', problem: null },
  ]);
  expect(validateKeywords(['photo\u0000 edi\u001btor'], 'en-US')).toEqual([
    { keyword: 'photo editor', problem: null },
  ]);
  expect(problemOf('photo\ud800')).toMatch(/broken Unicode/);
});

test('keywords that look the same are one: the first counts, the others are doubles', () => {
  const pasted = ['habit\u200b tracker', '\u200ehabit tracker', 'habit tracker\u200f'];
  const double = expect.stringContaining('twice');
  expect(validateKeywords(pasted, 'en-US')).toEqual(
    [null, double, double].map((problem) => ({ keyword: 'habit tracker', problem })),
  );
});

test('a keyword without visible characters is refused', () => {
  expect(problemOf('\u200d\u200b\u200d')).toMatch(/this one has 0/);
  expect(problemOf('\ue000\ue001')).toMatch(/visible/);
});
