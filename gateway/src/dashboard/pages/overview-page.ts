import { type Figure, known, pending, type Unknown, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { OverviewModel, OverviewRow } from '@shelfwise/dashboard/pages/overview/model';
import { utcDay } from '@shelfwise/runtime/day';
import type { z } from 'zod';
import { toNextMonthStart } from '../../limits/usage-counters.ts';
import { getAccountUsage } from '../../routes/get-account-usage.ts';
import { listKeywords } from '../../routes/list-keywords.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { toLimit } from './account-page.ts';
import { listAuditedApps, toHealthChange } from './audited-apps.ts';
import {
  dataOf,
  dataOr,
  type PageContext,
  rankAge,
  type TrackedKeyword,
  toAppHead,
  toFrame,
} from './page-context.ts';
import { listVisibilityOfApps, toVisibilityOf } from './visibility-of-apps.ts';

/** Apps of the fictional catalog. Each ranks for some keywords. */
const suggestions = [
  { storeId: '9005997251', title: 'Habitember - Habit Tracker' },
  { storeId: '9048598736', title: 'Habit Tracker - Ritualwick' },
  { storeId: '9041115015', title: 'Nodolin: To Do List' },
];

/** Counts keywords, or says why it cannot. */
type Count = (isCounted: (keyword: TrackedKeyword) => boolean) => Figure;

/**
 * Four calls, however many apps: the apps with their audits, all keywords from the biggest drop on (the first 1,000), the visibility of
 * the newest 50 apps by day, and the usage.
 */
export async function buildOverview(context: PageContext): Promise<PageData> {
  const [applications, keywords, visibility, usage] = await Promise.all([
    context.call(listAuditedApps),
    context.call(listKeywords, { query: { sort: 'delta' } }),
    context.call(listVisibilityOfApps),
    context.call(getAccountUsage),
  ]);
  const apps = dataOf(applications);
  const tracked = dataOr(keywords, []);
  const missing = whyMissing(keywords);
  const byApp = new Map<number, TrackedKeyword[]>(apps.map(({ id }) => [id, []]));
  for (const keyword of tracked) byApp.get(keyword.app_id)?.push(keyword);
  const countAll = countOf(tracked, missing);
  const visibilityOf = toVisibilityOf(context, visibility);
  const rows = apps.map((app): OverviewRow => {
    const own = byApp.get(app.id) ?? [];
    const top = topOf(context, own, missing);
    return {
      ...toAppHead(app),
      health: app.aso_health === null ? pending : known(app.aso_health.global),
      healthChange: app.aso_health && toHealthChange(app.aso_health.global, app.audit_before),
      tier: app.aso_health && String(app.aso_health.tier),
      visibility: visibilityOf(app.id),
      keywords: known(app.keyword_count),
      top3: top(3),
      top10: top(10),
      top30: top(30),
      ...toDrop(own, missing),
      readOn: own.map(({ rank_date: day }) => day).reduce<string | null>(newer, null),
      auditedAt: app.aso_health?.computed_at ?? null,
    };
  });
  const today = utcDay(context.now);
  return {
    page: 'overview',
    frame: toFrame(context, apps, { ranks: tracked }),
    model: {
      rows,
      visit: toVisit(context, countAll),
      run: {
        read: countAll(({ rank_date: day }) => day === today),
        waiting: countAll(({ rank_date: day, stale }) => day !== today && !stale),
        late: countAll(({ stale }) => stale),
      },
      quota: toQuota(dataOr(usage, null), context.now),
      suggestions: context.store.isSample === true && apps.length === 0 ? suggestions : [],
    },
  };
}

/** Why not all keywords are there; null: they are. An order by movement is refused for very many. */
function whyMissing(answer: SessionAnswer<unknown, { has_more: boolean }>): Unknown | null {
  if ('failure' in answer) return answer.failure.code === 'INVALID_PARAMS' ? 'too_many' : 'no_answer';
  return answer.meta.has_more ? 'too_many' : null;
}

function countOf(keywords: readonly TrackedKeyword[], missing: Unknown | null): Count {
  return (isCounted) => (missing === null ? known(keywords.filter(isCounted).length) : unknown(missing));
}

/** Counts the keywords that rank at least so well. As old as the oldest of their ranks. */
function topOf(
  context: PageContext,
  keywords: readonly TrackedKeyword[],
  missing: Unknown | null,
): (worst: number) => Figure {
  const old = keywords.filter((row) => rankAge(context, row) !== 'fresh');
  const oldest = old.map(({ rank_date: day }) => day).toSorted()[0];
  const isBlocked = old.some((row) => rankAge(context, row) === 'blocked');
  return (worst) => {
    if (missing !== null) return unknown(missing);
    const value = keywords.filter(({ current_rank: rank }) => rank !== null && rank <= worst).length;
    if (oldest === undefined) return known(value);
    return { state: isBlocked ? 'blocked' : 'stale', value, day: oldest };
  };
}

/** @param keywords from the biggest drop on */
function toDrop(
  keywords: readonly TrackedKeyword[],
  missing: Unknown | null,
): Pick<OverviewRow, 'drop' | 'dropped'> {
  const [worst] = keywords;
  if (missing !== null) return { drop: unknown(missing), dropped: null };
  if (worst === undefined) return { drop: { state: 'not_applicable' }, dropped: null };
  if (worst.delta == null) {
    const hasEarlier = keywords.some(({ delta_since: since }) => since != null);
    return { drop: unknown(hasEarlier ? 'no_rank' : 'no_earlier_day'), dropped: null };
  }
  if (worst.delta >= 0) return { drop: known(0), dropped: null };
  return {
    drop: known(-worst.delta),
    dropped: {
      keywordId: String(worst.keyword_id),
      keyword: worst.keyword,
      sinceDay: worst.delta_since ?? null,
    },
  };
}

/** What was read on days after the one on which the last visit ended. */
function toVisit({ session }: PageContext, count: Count): OverviewModel['visit'] {
  const { lastVisitEndedAt: endedAt } = session.account.dashboard;
  if (endedAt === null) return null;
  const lastDay = utcDay(endedAt);
  const isNew = ({ rank_date: day }: TrackedKeyword) => day > lastDay;
  return {
    endedAt: endedAt.toISOString(),
    read: count(isNew),
    up: count((row) => isNew(row) && (row.delta ?? 0) > 0),
    down: count((row) => isNew(row) && (row.delta ?? 0) < 0),
  };
}

function toQuota(usage: z.output<typeof getAccountUsage.data> | null, now: Date): OverviewModel['quota'] {
  if (!usage) return null;
  return {
    used: known(usage.usage.api_requests),
    limit: toLimit(usage.limits.api_requests_per_month),
    renewsAt: toNextMonthStart(now).toISOString(),
  };
}

function newer(one: string | null, other: string): string {
  return one === null || other > one ? other : one;
}
