import { dayMs, utcDay } from '@shelfwise/runtime/day';
import fc from 'fast-check';
import { type ChartPage, nextChart } from './chart-page.ts';
import { findChartAlerts } from './find-chart-alerts.ts';
import type { Rule } from './rule.ts';

const chart = { store: 'ITUNES', country: 'US', category: '6007', collection: 'free' } as const;
const app = { id: 1, app_id: 'own', title: 'Own' };
const tracker = { account_id: 'ann', app };
const rule = (kind: 'chart_entered' | 'chart_left', threshold: number): Rule => ({
  id: 1,
  account_id: 'ann',
  kind,
  app_id: null,
  threshold,
  keywords: 'all',
});

/** A day's chart with this many places, in which the app has this rank; null: it is not in the chart. */
function pageOf(day: string, rank: number | null, places = 100): ChartPage {
  const appIds = Array.from({ length: places }, (_, index) => `other ${index}`);
  if (rank !== null && rank <= places) appIds[rank - 1] = app.app_id;
  return { chart_id: 'ITUNES:US:6007:free', day, app_ids: appIds };
}

const kindsOf = (before: ChartPage, after: ChartPage, threshold = 100) =>
  findChartAlerts({ chart, before, after }, tracker, [
    rule('chart_entered', threshold),
    rule('chart_left', threshold),
  ]).map(({ kind, chart: found }) => `${kind} ${found?.depth}`);

const [first, second] = ['2026-03-01', '2026-03-02'];

test('an app enters the chart and leaves it, with the ranks of both days', () => {
  const before = pageOf(first, null);
  const after = pageOf(second, 34);
  expect(kindsOf(before, after)).toEqual(['chart_entered 100']);
  expect(kindsOf({ ...after, day: first }, { ...before, day: second })).toEqual(['chart_left 100']);
  const [alert] = findChartAlerts({ chart, before, after }, tracker, [rule('chart_entered', 100)]);
  expect(alert).toMatchObject({
    before: null,
    after: 34,
    day_before: first,
    day_after: second,
    ranks: [{ app_id: 'own', before: null, after: 34 }],
    chart: { ...chart, depth: 100 },
  });
});

test('the threshold is how many places count', () => {
  expect(kindsOf(pageOf(first, 12), pageOf(second, 9), 10)).toEqual(['chart_entered 10']);
  expect(kindsOf(pageOf(first, 12), pageOf(second, 11), 10)).toEqual([]);
  expect(kindsOf(pageOf(first, 150, 200), pageOf(second, 120, 200))).toEqual([]);
});

test('below the last place of the shorter day nothing is known', () => {
  // It may have been in one of the last five places that day.
  expect(kindsOf(pageOf(first, null, 95), pageOf(second, 97))).toEqual([]);
  expect(kindsOf(pageOf(first, 97), pageOf(second, null, 95))).toEqual([]);
  expect(kindsOf(pageOf(first, 30), pageOf(second, null, 95))).toEqual(['chart_left 95']);
});

test('a short chart is compared as deep as it is', () => {
  expect(kindsOf(pageOf(first, 30, 41), pageOf(second, null, 40))).toEqual(['chart_left 40']);
});

test.each<[string, ChartPage | null, ChartPage, boolean, boolean]>([
  ['the first reading', null, pageOf(second, 1), false, true],
  ['an empty one', pageOf(first, 1), pageOf(second, null, 0), false, false],
  ['one of the same day', pageOf(first, 1), pageOf(first, 2), false, false],
  ['one of an earlier day', pageOf(second, 1), pageOf(first, 2), false, false],
  ['a part of the chart', pageOf(first, 1), pageOf(second, 1, 60), false, false],
  ['nearly all of it', pageOf(first, 1), pageOf(second, 1, 90), true, true],
  ['a longer one', pageOf(first, 1, 60), pageOf(second, 1), true, true],
  ['a whole one after two weeks', pageOf(first, 1), pageOf('2026-03-15', 1), true, true],
  ['a whole one after more', pageOf(first, 1), pageOf('2026-03-16', 1), false, true],
  ['a short one after two weeks', pageOf(first, 1), pageOf('2026-03-15', 1, 60), false, false],
  ['a short one after more', pageOf(first, 1), pageOf('2026-03-16', 1, 60), false, true],
])('%s', (_, kept, taken, isCompared, isKept) => {
  expect(nextChart(kept, taken)).toEqual({ before: isCompared ? kept : null, isKept });
});

const days = Array.from({ length: 120 }, (_, index) =>
  utcDay(new Date(Date.UTC(2026, 0, 1) + index * dayMs)),
);
const anyYear = fc.array(
  fc.record({
    rank: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null, freq: 2 }),
    fault: fc.constantFrom('none', 'none', 'none', 'missing', 'empty', 'part', 'twice'),
  }),
  { minLength: days.length, maxLength: days.length },
);

test('over days with faults, every entry and exit between days that were read is found once, and nothing else', () => {
  let total = 0;
  fc.assert(
    fc.property(anyYear, (year) => {
      const found: string[] = [];
      let kept: ChartPage | null = null;
      for (const [index, { rank, fault }] of year.entries()) {
        if (fault === 'missing') continue;
        const places = fault === 'empty' ? 0 : fault === 'part' ? 50 : 100;
        const page = pageOf(days[index] ?? '', rank, places);
        for (const taken of fault === 'twice' ? [page, page] : [page]) {
          const { before, isKept } = nextChart(kept, taken);
          if (before) found.push(...kindsOf(before, taken).map((kind) => `${kind} ${taken.day}`));
          if (isKept) kept = taken;
        }
      }
      // From the drawn ranks alone. Half of a chart is a reading only after two weeks without a whole one.
      const read = year.flatMap(({ rank, fault }, index) =>
        fault === 'none' || fault === 'twice' ? [{ rank, day: days[index] ?? '', index }] : [],
      );
      fc.pre(read.every(({ index }, at) => index - (read[at - 1]?.index ?? 0) < 14));
      fc.pre(year[0]?.fault === 'none');
      const expected = read.flatMap(({ rank, day }, at) => {
        const before = read[at - 1];
        if (!before || (before.rank === null) === (rank === null)) return [];
        return [`${rank === null ? 'chart_left' : 'chart_entered'} 100 ${day}`];
      });
      total += expected.length;
      expect(found).toEqual(expected);
    }),
    { numRuns: 50 },
  );
  expect(total).toBeGreaterThan(500);
});
