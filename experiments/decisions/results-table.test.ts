import type { Deltas } from './audit-subtitles.ts';
import { answerOf, isAgainst, isMet, type Question, questionsFor } from './questions.ts';
import { answerText, resultsTable, wilsonInterval } from './results-table.ts';

const deltas = (changed: Partial<Deltas> = {}): Deltas => ({
  own: 12,
  sameGenre: 3,
  otherGenre: 0,
  names: -2,
  ...changed,
});
const [own, sameGenre, , , , names] = questionsFor('even') as [Question, Question, ...Question[]];

test('a share has the interval of Wilson', () => {
  // By hand, with z = 1.96: (1.92 + 10) / 23.84 -+ 1.96 / 23.84 * sqrt(20 / 4 + .96)
  expect(wilsonInterval(10, 20).map((end) => end.toFixed(3))).toEqual(['0.299', '0.701']);
  expect(wilsonInterval(0, 20).map((end) => end.toFixed(3))).toEqual(['0.000', '0.161']);
  expect(wilsonInterval(20, 20).map((end) => end.toFixed(3))).toEqual(['0.839', '1.000']);
  expect(answerText({ count: 1, total: 3 })).toBe('33.3 % of 3 [6.1, 79.2]');
  expect(answerText({ count: 0, total: 0 })).toBe('no listing');
});

test('equal is not more, and a listing without one of the subtitles is not counted', () => {
  const all = [deltas(), deltas({ own: 3 }), deltas({ own: 0, sameGenre: null }), deltas({ own: 1 })];
  expect(answerOf(own, all)).toEqual({ count: 3, total: 4 });
  expect(answerOf(sameGenre, all)).toEqual({ count: 1, total: 3 });
  expect(all.map((row) => isAgainst(sameGenre, row))).toEqual([false, true, false, true]);
});

test('a goal is met at its bound, and without a listing it is not', () => {
  expect([84, 85].map((count) => isMet(own, { count, total: 100 }))).toEqual([false, true]);
  expect(isMet(questionsFor('odd')[0] as Question, { count: 82, total: 100 })).toBe(true);
  expect([12, 13].map((count) => isMet(names as Question, { count, total: 100 }))).toEqual([true, false]);
  expect([own, names as Question].map((one) => isMet(one, { count: 0, total: 0 }))).toEqual([false, false]);
});

test('a listing whose rivals’ names pay speaks against the goal that they must not', () => {
  expect(isAgainst(names as Question, deltas({ names: 1 }))).toBe(true);
  expect(isAgainst(names as Question, deltas({ names: null }))).toBe(false);
});

test('the table shows each run, and judges the last', () => {
  const before = Array.from({ length: 4 }, () => deltas({ own: 0 }));
  const table = resultsTable(questionsFor('even').slice(0, 2), [
    { name: 'before: version 3', deltas: before },
    { name: 'version 4', deltas: [deltas(), deltas(), deltas(), deltas({ sameGenre: 20 })] },
  ]);
  expect(table.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['in the empty subtitle', 'goal', 'before: version 3', 'version 4'],
    ['own words > 0', 'at least 85 %', '0.0 % of 4 [0.0, 49.0]', '100.0 % of 4 [51.0, 100.0]', 'met'],
    [
      'own words > words of the same genre',
      'at least 80 %',
      '0.0 % of 4 [0.0, 49.0]',
      '75.0 % of 4 [30.1, 95.4]',
      'missed',
    ],
  ]);
});
