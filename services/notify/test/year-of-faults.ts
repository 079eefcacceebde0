import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { createRandom, type Random } from '@shelfwise/runtime/random';

/**
 * What can happen to the daily run of a day.
 * - `blocked`, `captcha`: nothing is read for one to three days
 * - `empty search`: the page of the first keyword is empty, and so is the chart; `disproved`: the page, and the same day another one
 *   has results
 * - `suspect`: the page of the first keyword has results, but none of the apps, and its storefront is suspect
 * - `partial`: the last keyword is not read for one to four days, nor the rating, nor the end of the chart, and the audit leaves
 *   words out
 * - `slow`: the pages arrive after midnight; `late`: after those of the next day
 * - `twice`: everything is read twice
 * - `clock back`, `clock ahead`: the service's clock is three hours off
 * - `two copies`: two copies get each event at the same time
 */
export const yearFaults = [
  'none',
  'blocked',
  'captcha',
  'empty search',
  'disproved',
  'suspect',
  'partial',
  'slow',
  'late',
  'twice',
  'clock back',
  'clock ahead',
  'two copies',
] as const;
export type YearFault = (typeof yearFaults)[number];

export type Ranks = { own: number | null; rival: number | null };

/** What a listing shows apart from its rating. */
export type ShownListing = { title: string; subtitle: string; version: string; icon: string };

/** The stores on one day, whether or not that is read, and what happens to its reading. */
export type YearDay = {
  /** YYYY-MM-DD */
  date: string;
  fault: YearFault;
  /** by keyword */
  ranks: readonly Ranks[];
  /** of the own app in its top chart; null: it is not in the chart */
  chartRank: number | null;
  own: ShownListing;
  rival: ShownListing;
  /** of the own app, in hundredths of a star */
  rating: number;
  /** ASO Health */
  health: number;
  scoringVersion: number;
  isAuditPending: boolean;
  /** Whether the receiver answers 410. */
  isGone: boolean;
};

export const keywordIds = [7, 8, 9] as const;
export const ownId = 1;
export const rivalId = 2;
export const store = 'ITUNES';

export const isAway = ({ fault }: YearDay) => fault === 'blocked' || fault === 'captcha';
export const isRatingRead = (day: YearDay) => !isAway(day) && day.fault !== 'partial';
export const isAuditComplete = (day: YearDay) => isRatingRead(day) && !day.isAuditPending;
/** Whether a page of the keyword was read that is compared. */
export function isPageRead(day: YearDay, keyword: number): boolean {
  if (isAway(day)) return false;
  if (day.fault === 'partial') return keyword < keywordIds.length - 1;
  return !isUncomparedRead(day, keyword);
}
/** How many places of the chart are read: all 100, some, or none. */
export function chartPlaces({ fault }: YearDay): number {
  if (fault === 'empty search') return 0;
  return fault === 'partial' ? 60 : 100;
}
/** An empty page and one of a suspect storefront are readings, too, but compared with nothing. */
export const isUncomparedRead = ({ fault }: YearDay, keyword: number) =>
  keyword === 0 && (fault === 'empty search' || fault === 'suspect');

/** Mostly steady days, with a change every few days and a fault every other one. */
export function drawYear({ seed, from, days }: { seed: number; from: string; days: number }): YearDay[] {
  const random = createRandom(seed);
  const chartRandom = createRandom(seed + 1);
  const faults = drawFaults(random, days);
  const happens = (percent: number) => random.below(100) < percent;
  let ranks: Ranks[] = keywordIds.map(() => ({ own: 1 + random.below(40), rival: null }));
  let [own, rival] = [drawListing(random), drawListing(random)];
  let [rating, health] = [450, 70];
  let chartRank: number | null = null;
  return faults.map((fault, index) => {
    ranks = ranks.map((last) => (happens(35) ? drawRanks(random, last) : last));
    if (happens(6)) own = changeListing(random, own);
    if (happens(4)) rival = changeListing(random, rival);
    if (happens(25)) rating = Math.min(500, Math.max(100, rating + 5 * (random.below(9) - 4)));
    if (chartRandom.below(100) < 30)
      chartRank = chartRandom.below(2) === 0 ? null : 1 + chartRandom.below(100);
    if (happens(15)) health = Math.min(100, Math.max(20, health + random.below(25) - 12));
    return {
      date: utcDay(new Date(Date.parse(from) + index * dayMs)),
      fault,
      ranks,
      chartRank,
      own,
      rival,
      rating,
      health,
      scoringVersion: index < days / 2 ? 4 : 5,
      isAuditPending: happens(8),
      isGone: happens(5),
    };
  });
}

function drawFaults(random: Random, days: number): YearFault[] {
  const faults: YearFault[] = ['none'];
  // Nothing arrives after the last day.
  while (faults.length < days - 2) {
    const fault = random.below(2) === 0 ? 'none' : random.pick(yearFaults);
    const length = fault === 'partial' ? 4 : fault === 'blocked' || fault === 'captcha' ? 3 : 1;
    faults.push(...Array.from({ length: 1 + random.below(length) }, () => fault));
    // The next day is read in time, so that what is late comes after it.
    if (fault === 'late') faults.push('none');
  }
  return [...faults.slice(0, days - 2), 'none', 'none'];
}

function drawRanks(random: Random, { own }: Ranks): Ranks {
  const draw = () => (random.below(8) === 0 ? null : 1 + random.below(60));
  // Near the last rank, so that changes below and above the thresholds are both there.
  const near = own === null ? draw() : Math.min(100, Math.max(1, own + random.below(25) - 12));
  const next = random.below(3) === 0 ? draw() : near;
  const other = draw();
  return { own: next, rival: other === next ? null : other };
}

const drawListing = (random: Random): ShownListing => ({
  title: `Title ${random.below(1000)}`,
  subtitle: `Subtitle ${random.below(1000)}`,
  version: '1.0',
  icon: `icon-${random.below(1000)}`,
});

/** Another value of one of its fields. */
function changeListing(random: Random, listing: ShownListing): ShownListing {
  const field = random.pick(Object.keys(listing) as (keyof ShownListing)[]);
  return { ...listing, [field]: `${field} ${random.below(1_000_000)}` };
}

/**
 * What must be published, as `<kind> <subject> <day>`, from the days of the generator alone: written without the functions under
 * test, for rules with their usual thresholds.
 */
export function trueAlerts(year: readonly YearDay[]): string[] {
  const ofRanks = keywordIds.flatMap((id, keyword) => rankAlerts(year, id, keyword));
  return [
    ...ofRanks,
    ...channelAlerts(year, ofRanks),
    ...listingAlerts(year, 'own', ownId),
    ...listingAlerts(year, 'rival', rivalId),
    ...dropsOf(year.filter(isRatingRead), ({ rating }) => rating, 10, 'rating_drop'),
    ...auditAlerts(year),
    ...chartAlerts(year),
    ...storeAlerts(year),
    ...unreadAlerts(year),
  ].sort();
}

function rankAlerts(year: readonly YearDay[], id: number, keyword: number): string[] {
  const read = year.filter((day) => isPageRead(day, keyword) && day.fault !== 'late');
  return read.flatMap(({ date, ranks }, index) => {
    const before = read[index - 1]?.ranks[keyword];
    const after = ranks[keyword];
    if (!before || !after) return [];
    const [a, b, ra, rb] = [before.own, after.own, before.rival, after.rival].map((rank) => rank ?? 101) as [
      number,
      number,
      number,
      number,
    ];
    const better = Math.min(a, b);
    const isLarge = Math.abs(a - b) > 5 && Math.abs(a - b) > better / 5 && better <= 50;
    const kinds = [];
    if (isLarge) kinds.push(b > a ? 'rank_drop' : 'rank_rise');
    if (a > 10 && b <= 10) kinds.push('entered_top');
    if (a <= 10 && b > 10) kinds.push('left_top');
    if (a < ra && rb < b) kinds.push('overtaken');
    return kinds.map((kind) => `${kind} ${id} ${date}`);
  });
}

/** Drops are sent, also those of slow pages on the next day: the channel is off when its receiver is gone by then. */
function channelAlerts(year: readonly YearDay[], ofRanks: readonly string[]): string[] {
  const hasDrop = (date: string | undefined) =>
    ofRanks.some((alert) => alert.startsWith('rank_drop') && alert.endsWith(` ${date}`));
  return year.flatMap(({ date, fault, isGone }, index) => {
    const before = year[index - 1];
    const isSent = (fault !== 'slow' && hasDrop(date)) || (before?.fault === 'slow' && hasDrop(before.date));
    return isGone && isSent ? [`channel_off channel ${date}`] : [];
  });
}

function listingAlerts(year: readonly YearDay[], which: 'own' | 'rival', id: number): string[] {
  const read = year.filter((day) => !isAway(day));
  return read.flatMap((day, index) => {
    const before = read[index - 1];
    const hasChanged = before && JSON.stringify(before[which]) !== JSON.stringify(day[which]);
    return hasChanged ? [`listing_changed ${id} ${day.date}`] : [];
  });
}

function auditAlerts(year: readonly YearDay[]): string[] {
  const complete = year.filter(isAuditComplete);
  return [4, 5].flatMap((version) =>
    dropsOf(
      complete.filter(({ scoringVersion }) => scoringVersion === version),
      ({ health }) => health,
      5,
      'audit_drop',
    ),
  );
}

/** Between days on which the whole chart was read, in time. */
function chartAlerts(year: readonly YearDay[]): string[] {
  const read = year.filter((day) => !isAway(day) && chartPlaces(day) === 100 && day.fault !== 'late');
  return read.flatMap(({ date, chartRank }, index) => {
    const before = read[index - 1];
    if (!before || (before.chartRank === null) === (chartRank === null)) return [];
    return [`${chartRank === null ? 'chart_left' : 'chart_entered'} ${ownId} ${date}`];
  });
}

function dropsOf(
  read: readonly YearDay[],
  value: (day: YearDay) => number,
  least: number,
  kind: string,
): string[] {
  return read.flatMap((day, index) => {
    const before = read[index - 1];
    return before && value(before) - value(day) >= least ? [`${kind} ${ownId} ${day.date}`] : [];
  });
}

function storeAlerts(year: readonly YearDay[]): string[] {
  return year.flatMap((day, index) => {
    const before = year[index - 1];
    const wasAway = before !== undefined && isAway(before);
    if (isAway(day) === wasAway) return [];
    return [`${wasAway ? 'store_recovered' : 'store_blocked'} ${store} ${day.date}`];
  });
}

/** Looked for each night: two whole days without a reading, while the store was there. */
function unreadAlerts(year: readonly YearDay[]): string[] {
  let isKnown = false;
  return year.flatMap(({ date }, today) => {
    const days = year.slice(0, today);
    const last = days.at(-1);
    if (last && isAway(last)) return [];
    const back = days.findLastIndex(isAway) + 1;
    const isUnread = keywordIds.some((_, keyword) => {
      const lastRead = days.findLastIndex(
        (day, index) =>
          (isPageRead(day, keyword) || isUncomparedRead(day, keyword)) &&
          // It arrives later today.
          (day.fault !== 'late' || index < today - 1),
      );
      const known = Math.max(lastRead, back);
      return known < today - 2;
    });
    const isNews = isUnread && !isKnown;
    isKnown = isUnread;
    return isNews ? [`keyword_unread ${ownId} ${date}`] : [];
  });
}
