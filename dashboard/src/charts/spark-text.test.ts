import { readSparkText, toSparkText } from './spark-text.ts';

const [from, to] = ['2026-11-01', '2026-11-04'];
const read = [
  { date: '2026-11-01', rank: 3 },
  { date: '2026-11-02', rank: null },
  { date: '2026-11-04', rank: 12 },
];

test('a day that was not read, one without a rank and a rank stay apart', () => {
  expect(toSparkText(from, to, read)).toBe('3,-,,12');
  expect(readSparkText(from, to, '3,-,,12')).toEqual(read);
});

test('no day was read', () => {
  expect(readSparkText(from, to, toSparkText(from, to, []))).toEqual([]);
});
