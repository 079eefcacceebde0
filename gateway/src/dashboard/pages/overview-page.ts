import { type Figure, known, pending, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { OverviewRow } from '@shelfwise/dashboard/pages/overview/model';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listKeywords } from '../../routes/list-keywords.ts';
import { dataOf, dataOr, type PageContext, toAppHead, toFrame } from './page-context.ts';

type Keyword = z.output<typeof listKeywords.data>[number];

/** Of the fictional catalog. Each has keywords for which it ranks. */
const suggestions = [
  { storeId: '9005997251', title: 'Habitember - Habit Tracker' },
  { storeId: '9048598736', title: 'Habit Tracker - Ritualwick' },
  { storeId: '9041115015', title: 'Nodolin: To Do List' },
];

/** Two calls, however many apps: the apps, and all keywords (the first 1,000). */
export async function buildOverview(context: PageContext): Promise<PageData> {
  const [applications, keywords] = await Promise.all([
    context.call(listApplications),
    context.call(listKeywords),
  ]);
  const apps = dataOf(applications);
  const tracked = dataOr(keywords, null);
  const hasMore = 'meta' in keywords && keywords.meta.has_more;
  const byApp = new Map<number, Keyword[]>(apps.map(({ id }) => [id, []]));
  for (const keyword of tracked ?? []) byApp.get(keyword.app_id)?.push(keyword);
  const missing = tracked === null ? 'no_answer' : 'too_many';
  const rows = apps.map((app): OverviewRow => {
    const count = countOf(tracked === null || hasMore ? missing : (byApp.get(app.id) ?? []));
    return {
      ...toAppHead(app),
      health: app.aso_health === null ? pending : known(app.aso_health.global),
      keywords: known(app.keyword_count),
      top3: count(3),
      top10: count(10),
      top30: count(30),
      auditedAt: app.aso_health?.computed_at ?? null,
    };
  });
  return {
    page: 'overview',
    frame: toFrame(context, apps, null),
    model: { rows, suggestions: context.store.isSample === true && apps.length === 0 ? suggestions : [] },
  };
}

/** Counts the keywords that rank at least so well. As old as the oldest of their ranks. */
function countOf(keywords: readonly Keyword[] | 'no_answer' | 'too_many'): (worst: number) => Figure {
  if (typeof keywords === 'string') return () => unknown(keywords);
  const oldest = keywords
    .filter(({ stale }) => stale)
    .map(({ rank_date: day }) => day)
    .sort()[0];
  return (worst) => {
    const value = keywords.filter(({ current_rank: rank }) => rank !== null && rank <= worst).length;
    return oldest === undefined ? known(value) : { state: 'stale', value, day: oldest };
  };
}
