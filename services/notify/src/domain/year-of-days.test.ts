import { rankKinds } from '@shelfwise/facts/alerts/alert-kinds';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import fc from 'fast-check';
import { alertKey } from './alert.ts';
import { findRankAlerts } from './find-rank-alerts.ts';
import { comparePages, type KeywordPage } from './keyword-page.ts';
import type { Rule } from './rule.ts';

const days = Array.from({ length: 365 }, (_, index) =>
  utcDay(new Date(Date.UTC(2026, 0, 1) + index * dayMs)),
);
const own = { id: 1, app_id: 'own', title: 'Own' };
const rival = { id: 2, app_id: 'rival', title: 'Rival' };
const keywordId = 7;
const thresholds = { rank_drop: 5, rank_rise: 5, entered_top: 10, left_top: 10, overtaken: null };
const rules = rankKinds.map(
  (kind, index): Rule => ({
    id: index + 1,
    account_id: 'ann',
    kind,
    app_id: null,
    threshold: thresholds[kind],
    keywords: 'all',
  }),
);

/** What happens to the page of a day. */
const faults = [
  'read',
  'read',
  'read',
  'blocked',
  'empty',
  'empty, then disproved',
  'suspect',
  'twice',
  'late copy',
] as const;
type Fault = (typeof faults)[number];
type Day = { fault: Fault; own: number | null; rival: number | null };

/** Mostly steady ranks: a change comes every few days. */
const anyRank = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null, freq: 8 });
const anyYear: fc.Arbitrary<Day[]> = fc
  .array(
    fc.record({ fault: fc.constantFrom(...faults), own: anyRank, rival: anyRank, isSteady: fc.boolean() }),
    { minLength: days.length, maxLength: days.length },
  )
  .map((drawn) => {
    let last: Pick<Day, 'own' | 'rival'> = { own: 1, rival: 2 };
    return drawn.map(({ fault, isSteady, ...ranks }) => {
      if (!isSteady && ranks.own !== ranks.rival) last = ranks;
      return { fault, own: last.own, rival: last.rival };
    });
  });

/** A page of 100 results with the two apps at their ranks. */
function pageOf(day: string, ranks: Pick<Day, 'own' | 'rival'>): KeywordPage {
  const appIds = Array.from({ length: 100 }, (_, index) => `other ${index}`);
  if (ranks.own !== null) appIds[ranks.own - 1] = own.app_id;
  if (ranks.rival !== null) appIds[ranks.rival - 1] = rival.app_id;
  return { keyword_id: keywordId, day, app_ids: appIds };
}

type Taken = KeywordPage & { is_suspect?: boolean };

/** The pages in the order in which their events arrive. */
function eventsOf(year: readonly Day[]): Taken[] {
  const empty = (day: string): KeywordPage => ({ keyword_id: keywordId, day, app_ids: [] });
  return year.flatMap((one, index) => {
    const day = days[index] ?? '';
    const page = pageOf(day, one);
    const before = year.slice(0, index).findLastIndex(({ fault }) => isRead(fault));
    switch (one.fault) {
      case 'blocked':
        return [];
      case 'empty':
        return [empty(day)];
      case 'empty, then disproved':
        return [empty(day), page];
      case 'suspect':
        // Anything can be on it.
        return [{ ...pageOf(day, { own: 101 - (one.own ?? 50), rival: null }), is_suspect: true }];
      case 'twice':
        return [page, page];
      case 'late copy':
        // The event of an earlier day comes again, as from a copy that was taken over.
        return before < 0 ? [page] : [page, pageOf(days[before] ?? '', year[before] ?? one)];
      default:
        return [page];
    }
  });
}

function isRead(fault: Fault): boolean {
  return fault !== 'blocked' && fault !== 'empty' && fault !== 'suspect';
}

/** What the engine finds, as `<rule kind> <day>`; each alert once, as in the feed. */
function findAll(events: readonly Taken[]): string[] {
  const kept = new Map<number, KeywordPage>();
  const found = new Map<string, string>();
  const tracker = { account_id: 'ann', keyword_id: keywordId, is_favorite: false, app: own, rivals: [rival] };
  for (const event of events) {
    const { fresh, changes } = comparePages(kept, [{ ...event, keyword: 'planner' }]);
    for (const change of changes.values())
      for (const alert of findRankAlerts(change, tracker, rules)) {
        const key = alertKey(alert);
        expect(found.has(key)).toBe(false);
        found.set(key, `${alert.kind} ${alert.day_after}`);
      }
    for (const page of fresh) kept.set(page.keyword_id, page);
  }
  return [...found.values()].sort();
}

/** What should be found, from the ranks of the generator alone, written without the functions under test. */
function trueChanges(year: readonly Day[]): string[] {
  const read = year.flatMap((one, index) => (isRead(one.fault) ? [{ ...one, day: days[index] ?? '' }] : []));
  const changes: string[] = [];
  for (const [index, { own: ownAfter, rival: rivalAfter, day }] of read.entries()) {
    const before = read[index - 1];
    if (!before) continue;
    const [a, b] = [before.own ?? 101, ownAfter ?? 101];
    const [ra, rb] = [before.rival ?? 101, rivalAfter ?? 101];
    const best = Math.min(a, b);
    const isLarge = Math.abs(a - b) > 5 && Math.abs(a - b) / best > 0.2 && best <= 50;
    if (isLarge) changes.push(`${b > a ? 'rank_drop' : 'rank_rise'} ${day}`);
    if (a > 10 && b <= 10) changes.push(`entered_top ${day}`);
    if (a <= 10 && b > 10) changes.push(`left_top ${day}`);
    if (a < ra && rb < b) changes.push(`overtaken ${day}`);
  }
  return changes.sort();
}

test('over a year of days with faults, every true change above its threshold is found once, and nothing else', () => {
  let total = 0;
  fc.assert(
    fc.property(anyYear, (year) => {
      const found = findAll(eventsOf(year));
      total += found.length;
      expect(found).toEqual(trueChanges(year));
    }),
    { numRuns: 30 },
  );
  expect(total).toBeGreaterThan(1000);
});

test('a store that is away for days gives no alert, and the change since the last read day is found once it is back', () => {
  const away: Day = { fault: 'blocked', own: 40, rival: 41 };
  const year: Day[] = [
    { fault: 'read', own: 3, rival: 9 },
    ...Array.from({ length: 10 }, () => away),
    { fault: 'read', own: 30, rival: 9 },
    { fault: 'read', own: 30, rival: 9 },
  ];
  const back = days[11];
  expect(findAll(eventsOf(year))).toEqual([`left_top ${back}`, `overtaken ${back}`, `rank_drop ${back}`]);
});
