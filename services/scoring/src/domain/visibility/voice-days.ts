import { setImmediate } from 'node:timers/promises';
import { searchVolume } from '@shelfwise/facts/search-volume';
import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import { type Basket, basketOn } from './basket.ts';
import type { PagedTerm } from './compare-visibility.ts';
import { carriedDays } from './score-days.ts';
import { largestApps, sharesOfVoice, voiceAndVisibility } from './share-of-voice.ts';

/** The result pages of one UTC day. */
export type DayPages = {
  day: string;
  /** The apps in the store's order; undefined: no page of the keyword was read that day. */
  pageOf(keyword: string): readonly string[] | undefined;
};

/** The shares of voice on a UTC day, 0 to 1, in the order of the requested apps. */
export type VoiceDay = {
  date: string;
  /** How many terms of the basket count. */
  terms: number;
  /** How many of them have a page of the day or of the two days before. */
  terms_read: number;
  /** Null: too little was read (`sharesOfVoice`). */
  shares: (number | null)[];
  /** 0 to 100, one decimal; null: as the shares, or there are too few terms. */
  visibilities: (number | null)[];
};

/** The newest day with a page, and what differs from seven days before. */
export type NewestVoice = Omit<VoiceDay, 'shares' | 'visibilities'> & {
  /** The UTC day of the oldest of its pages. */
  oldest_page: string;
  /** The terms that count, those with the most searches first. */
  basket: VoiceTerm[];
  /** The requested apps and the ten with the largest shares. */
  apps: { app_id: string; share: number | null; change_7d: number | null }[];
};

/** `weight`: its searches divided by those of all terms, 0 to 1, not rounded. `page_date`: null: no page counts on the day. */
export type VoiceTerm = { keyword: string; weight: number; page_date: string | null };

/** How many apps are shown besides the requested ones. */
const largestShown = 10;
/** How many days lie between the two days of a change. */
export const changeDays = 7;
/** The number of days before a window whose pages it needs. */
export const daysBeforeWindow = changeDays + carriedDays;

/**
 * @param days with at least one page of a term that counts, oldest first; also those before the window that it needs
 * @param baskets all versions, oldest first, with the terms that count
 */
type Recorded = { days: readonly DayPages[]; baskets: readonly Basket[] };

/**
 * The shares and visibilities of apps on every UTC day of a window (both ends included), oldest first, from the first day with a page. Each day is
 * computed over the basket in force on it. A term that was not read keeps its page of the two days before, as in Visibility.
 */
export async function voiceDays(
  { from, to }: { from: string; to: string },
  { days, baskets }: Recorded,
  appIds: readonly string[],
): Promise<VoiceDay[]> {
  const first = days[0]?.day;
  if (first === undefined) return [];
  const byDay = indexByDay(days);
  const shown: VoiceDay[] = [];
  for (const date of daysOfWindow(first > from ? first : from, to)) {
    const terms = pagesOn(date, basketOn(date, baskets), byDay);
    shown.push({ date, ...countsOf(terms), ...voiceAndVisibility(terms, appIds) });
    // The pages of a full basket take a few milliseconds: others have the thread after each day.
    await setImmediate();
  }
  return shown;
}

/**
 * The newest day of the window with a page; null: there is none. `change_7d` compares both days over the basket of the newest, so that
 * a new basket is not taken for a change.
 */
export function newestVoice(
  { from, to }: { from: string; to: string },
  { days, baskets }: Recorded,
  appIds: readonly string[],
): NewestVoice | null {
  const date = days.findLast(({ day }) => day >= from && day <= to)?.day;
  if (date === undefined) return null;
  const byDay = indexByDay(days);
  const basket = basketOn(date, baskets);
  const terms = pagesOn(date, basket, byDay);
  const shown = [...new Set([...appIds, ...largestApps(terms, largestShown)])];
  const shares = sharesOfVoice(terms, shown);
  const before = sharesOfVoice(pagesOn(daysBefore(date, changeDays), basket, byDay), shown);
  return {
    date,
    ...countsOf(terms),
    basket: toVoiceTerms(terms),
    oldest_page: terms.reduce((oldest, { day }) => (day !== null && day < oldest ? day : oldest), date),
    apps: shown.map((appId, index) => {
      const [share, earlier] = [shares[index] ?? null, before[index] ?? null];
      return {
        app_id: appId,
        share,
        change_7d: share === null || earlier === null ? null : share - earlier,
      };
    }),
  };
}

/** @param terms `day`: of the page; null without one */
export function toVoiceTerms(
  terms: readonly { keyword: string; traffic: number; day: string | null }[],
): VoiceTerm[] {
  const all = terms.reduce((sum, { traffic }) => sum + searchVolume(traffic), 0);
  return terms
    .map(({ keyword, traffic, day }) => ({ keyword, weight: searchVolume(traffic) / all, page_date: day }))
    .sort((a, b) => b.weight - a.weight || (a.keyword < b.keyword ? -1 : 1));
}

function indexByDay(days: readonly DayPages[]): ReadonlyMap<string, DayPages> {
  return new Map(days.map((pages) => [pages.day, pages]));
}

type TermOnDay = PagedTerm & { keyword: string; day: string | null };

/** The terms of a basket with their newest pages of a day or the two days before, and the days of these. */
function pagesOn(date: string, basket: Basket | null, byDay: ReadonlyMap<string, DayPages>): TermOnDay[] {
  const recent = Array.from({ length: carriedDays + 1 }, (_, at) => byDay.get(daysBefore(date, at)));
  return (basket?.terms ?? []).map(({ keyword, traffic }) => {
    for (const read of recent) {
      const page = read?.pageOf(keyword);
      if (read && page) return { keyword, traffic, app_ids: page, day: read.day };
    }
    return { keyword, traffic, app_ids: null, day: null };
  });
}

function countsOf(terms: readonly PagedTerm[]) {
  return { terms: terms.length, terms_read: terms.filter(({ app_ids: page }) => page !== null).length };
}
