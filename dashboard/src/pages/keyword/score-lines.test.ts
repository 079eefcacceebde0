import { known, unknown } from '../../figure.ts';
import { toScoreLines, versionChanges } from './score-lines.ts';

const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
const history = [
  { day: '2026-11-20', traffic: known(40), difficulty: known(30), version: '3' },
  { day: '2026-11-21', traffic: known(41), difficulty: unknown('too_little_read'), version: '3' },
  { day: '2026-11-22', traffic: known(60), difficulty: known(0), version: '4' },
];

test('no line joins two scoring versions, and a day without a score is a gap', () => {
  expect(toScoreLines(days, history)).toEqual([
    { score: 'traffic', version: '3', values: [40, 41, null, null] },
    { score: 'traffic', version: '4', values: [null, null, 60, null] },
    { score: 'difficulty', version: '3', values: [30, null, null, null] },
    { score: 'difficulty', version: '4', values: [null, null, 0, null] },
  ]);
  expect(toScoreLines(days, [])).toEqual([]);
});

test('the day of a new version is named; one version alone is not', () => {
  expect(versionChanges(history)).toEqual([{ day: '2026-11-22', version: '4' }]);
  expect(versionChanges(history.slice(0, 2))).toEqual([]);
});
