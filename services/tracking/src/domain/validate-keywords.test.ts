import { validateKeywords } from './validate-keywords.ts';

const problemOf = (keyword: string) => validateKeywords([keyword], 'en-US')[0]?.problem;

test.each(['写真 編集', 'محرر الصور', '👩‍👩‍👧 family', 'c++', 'naïve café', 'ﬁ', '🎧'.repeat(100)])(
  '%s can be tracked',
  (keyword) => expect(problemOf(keyword)).toBeNull(),
);

test('spellings with the same normal form are one keyword, and the second is refused', () => {
  const sent = ['Café', 'Cafe\u0301', 'photo  EDITOR', 'photo\u200b\teditor', 'x1'];
  const twice = expect.stringContaining('twice');
  expect(validateKeywords(sent, 'en-US')).toEqual([
    { keyword: 'café', problem: null },
    { keyword: 'café', problem: twice },
    { keyword: 'photo editor', problem: null },
    { keyword: 'photo editor', problem: twice },
    { keyword: 'x1', problem: null },
  ]);
});

test('in Turkish, a keyword in capitals is the one in small letters', () => {
  const [first, second] = validateKeywords(['ışık', 'IŞIK'], 'tr-TR');
  expect([first?.keyword, second?.keyword]).toEqual(['ışık', 'ışık']);
  expect(second?.problem).toMatch(/twice/);
});

test('what no store can be searched for is refused; the length is that of the normal form in code points', () => {
  expect(problemOf('   🎧   ')).toMatch(/2 to 100 characters; this one has 1/);
  expect(problemOf('🎧'.repeat(101))).toMatch(/this one has 101/);
  expect(problemOf('\u200d\u200b\u200d')).toMatch(/this one has 0/);
  expect(problemOf('\ue000\ue001')).toMatch(/visible/);
  expect(problemOf('photo\ud800')).toMatch(/broken Unicode/);
});
