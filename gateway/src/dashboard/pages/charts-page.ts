import { type Figure, known, knownOr, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { ChartRow, ChartsModel } from '@shelfwise/dashboard/pages/charts/model';
import { collections, overallCategory } from '@shelfwise/facts/stores/categories';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listChartCategories } from '../../routes/list-chart-categories.ts';
import { listCompetitors } from '../../routes/list-competitors.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { findKeptChart } from './kept-chart.ts';
import { dataOf, dataOr, type PageContext, toFrame } from './page-context.ts';

type Kept = z.output<typeof findKeptChart.data>;
type Asked = ChartsModel['asked'];
type Application = z.output<typeof listApplications.data>[number];

/** Four calls: the apps, the rivals, the categories, and the chart in the address as it is kept today. */
export async function buildCharts(context: PageContext, query: Record<string, unknown>): Promise<PageData> {
  const applications = await context.call(listApplications);
  const apps = dataOf(applications);
  const asked = toAsked(query, apps[0]);
  const [rivals, categories, kept] = await Promise.all([
    context.call(listCompetitors),
    context.call(listChartCategories),
    context.call(findKeptChart, { query: { ...asked, limit: '200' } }),
  ]);
  const own = new Set(apps.filter(({ store }) => store === asked.store).map(({ app_id: id }) => id));
  const rivalIds = new Set(
    dataOr(rivals, [])
      .filter(({ competitor }) => competitor.store === asked.store)
      .map(({ competitor }) => competitor.app_id),
  );
  const markOf = (id: string) => (own.has(id) ? 'own' : rivalIds.has(id) ? 'rival' : null);
  const byStore = dataOr(categories, null)?.categories;
  return {
    page: 'charts',
    frame: toFrame(context, apps),
    model: {
      asked,
      collections: [...collections],
      categories: { ITUNES: byStore?.ITUNES ?? [], GPLAY: byStore?.GPLAY ?? [] },
      areRivalsKnown: !('failure' in rivals),
      ...toChart(kept, markOf),
    },
  };
}

/** The chart in the address; else the free apps of the storefront of the newest app. */
function toAsked(query: Record<string, unknown>, app: Application | undefined): Asked {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : null);
  const store = text('store');
  return {
    store: store === 'ITUNES' || store === 'GPLAY' ? store : (app?.store ?? 'ITUNES'),
    country: text('country') ?? app?.country ?? 'US',
    category: text('category') ?? overallCategory,
    collection: collections.find((one) => one === query.collection) ?? 'free',
  };
}

function toChart(
  kept: SessionAnswer<Kept>,
  markOf: (appId: string) => ChartRow['mark'],
): Pick<ChartsModel, 'chart' | 'problem'> {
  if ('failure' in kept)
    return { chart: null, problem: kept.failure.code === 'NOT_FOUND' ? null : kept.failure.message };
  const { chart, readAt, hasDayBefore } = kept.data;
  return {
    problem: null,
    chart: {
      day: chart.snapshot_date,
      readAt,
      rows: chart.rows.map((row) => ({
        appId: row.app_id,
        title: row.title,
        hasIcon: row.icon !== null,
        developer: row.developer,
        rank: known(row.rank),
        rating: knownOr(row.rating, 'not_published'),
        ...toMovement(row, hasDayBefore),
        mark: markOf(row.app_id),
      })),
    },
  };
}

function toMovement(
  { delta, is_new: isNew }: Kept['chart']['rows'][number],
  hasDayBefore: boolean,
): Pick<ChartRow, 'change' | 'status'> {
  if (!hasDayBefore) return { change: unknown('no_earlier_day'), status: null };
  const notApplicable: Figure = { state: 'not_applicable' };
  if (isNew) return { change: notApplicable, status: 'entered' };
  return { change: known(delta), status: delta > 0 ? 'up' : delta < 0 ? 'down' : 'same' };
}
