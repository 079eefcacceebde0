import { known, pending } from '../../figure.ts';
import type { KeywordRow } from './model.ts';
import { toCsv } from './to-csv.ts';

const row: KeywordRow = {
  id: '1',
  keyword: 'habit tracker',
  isFavorite: true,
  rank: known(2),
  change: known(-3),
  status: 'down',
  traffic: known(70),
  difficulty: known(73),
  kei: known(24.9),
  keiReason: null,
  first: { title: 'Focus, "the" app' },
  day: '2026-11-28',
};

test('a row has its numbers, and texts with commas are quoted', () => {
  expect(toCsv([row])).toBe(
    'keyword,favorite,rank,change,traffic,difficulty,kei,status,first_result,read_on,notes\r\n' +
      'habit tracker,true,2,-3,70,73,24.9,down,"Focus, ""the"" app",2026-11-28,""\r\n',
  );
});

test('what is missing is empty, never 0, and the notes say why', () => {
  const [, line] = toCsv([
    { ...row, rank: { state: 'not_ranked', depth: 80, day: null }, kei: pending, first: null },
  ]).split('\r\n');
  expect(line).toBe(
    'habit tracker,true,,-3,70,73,,down,,2026-11-28,rank: not in the first 80; kei: being read',
  );
});

test('the notes say what holds a KEI down', () => {
  const [, line] = toCsv([{ ...row, kei: known(19.9), keiReason: 'unsearched' }]).split('\r\n');
  expect(line).toMatch(/,kei: searches not confirmed$/);
});

test('a KEI whose suggestions are not read yet says so, and nothing about searches', () => {
  const kei = { state: 'partial', value: 19.9 } as const;
  const [, line] = toCsv([{ ...row, kei, keiReason: 'search_unknown' }]).split('\r\n');
  expect(line).toMatch(/,kei: incomplete: suggestions not read yet; kei: searches not known yet$/);
});

test('a text of a store is no formula, and hides nothing', () => {
  const [, line] = toCsv([{ ...row, first: { title: '\u202e=HYPERLINK("http://x")' } }]).split('\r\n');
  expect(line).toContain(`"'=HYPERLINK(""http://x"")"`);
});
