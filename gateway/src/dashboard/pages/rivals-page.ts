import { known, rankFigure, scoreFigure, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Matrix, MatrixRow, Rival } from '@shelfwise/dashboard/pages/rivals/model';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listRankMatrix, maxCompetitors } from '../../routes/list-rank-matrix.ts';
import { maxListRows } from '../../routes/shapes/shapes.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { nameCompetitors } from './name-competitors.ts';
import {
  appNotFound,
  blockedDay,
  dataOf,
  dataOr,
  type PageContext,
  rankAge,
  toAppHead,
  toFrame,
  whyFailed,
} from './page-context.ts';

type App = z.output<typeof listApplications.data>[number];
type Competitors = z.output<typeof nameCompetitors.data>;
type MatrixData = z.output<typeof listRankMatrix.data>;
type MatrixMeta = z.output<typeof listRankMatrix.meta>;

const periods = ['1', '7', '30'] as const;

/** Three calls: the apps, the competitors, and, where there are some, the ranks of both. */
export async function buildRivals(
  context: PageContext,
  appId: string,
  query: Record<string, unknown>,
): Promise<PageData> {
  const [applications, competitors] = await Promise.all([
    context.call(listApplications),
    context.call(nameCompetitors, { query: { app_id: appId } }),
  ]);
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const rivals = dataOr(competitors, null);
  const days = periods.find((one) => one === query.days) ?? '7';
  const compared = toCompared(query.rivals, rivals);
  const asked: Record<string, string> = {
    days,
    page: /^[1-9]\d{0,4}$/.test(String(query.page)) ? String(query.page) : '1',
    per_page: String(maxListRows),
  };
  if (compared !== null) asked.competitor_ids = compared;
  const matrix =
    compared === '' ? null : await context.call(listRankMatrix, { params: { id: appId }, query: asked });
  return {
    page: 'rivals',
    frame: toFrame(context, apps, { appId, ranks: (matrix && dataOr(matrix, null)?.rows) ?? [] }),
    model: {
      app: toAppHead(app),
      rivals: rivals && toRivals(rivals, compared),
      days,
      matrix: matrix && toMatrix(context, app, matrix),
      missing: { rivals: whyFailed(competitors), matrix: matrix && whyFailed(matrix) },
    },
  };
}

/**
 * The ids of those that are compared: those in the address that still are competitors, else those added last. Empty: the app has
 * none. Null: they are not known, and the matrix takes those added last.
 */
function toCompared(wanted: unknown, rivals: Competitors | null): string | null {
  if (rivals === null) return null;
  const ids = rivals.map(({ competitor_id: id }) => String(id));
  const chosen = typeof wanted === 'string' ? wanted.split(',').filter((id) => ids.includes(id)) : [];
  return (chosen.length > 0 ? chosen : ids).slice(0, maxCompetitors).join();
}

function toRivals(rivals: Competitors, compared: string | null): Rival[] {
  const ids = compared?.split(',') ?? [];
  return rivals.map(({ competitor_id: id, app_id, title }) => ({
    id: String(id),
    appId: app_id,
    title,
    isCompared: ids.includes(String(id)),
  }));
}

function toMatrix(
  context: PageContext,
  app: App,
  answer: SessionAnswer<MatrixData, MatrixMeta>,
): Matrix | null {
  if ('failure' in answer) return null;
  const { data, meta } = answer;
  return {
    apps: data.apps.map(({ app_id, title, is_own: isOwn }) => ({ appId: app_id, title, isOwn })),
    rows: data.rows.map((row) => toRow(context, app, row)),
    total: known(meta.total),
    pages: 'total_pages' in meta && meta.total_pages > 1 ? toPages(meta.page, meta.total_pages) : null,
  };
}

function toPages(page: number, count: number): Matrix['pages'] {
  return {
    at: String(page),
    count: String(count),
    previous: page > 1 ? String(page - 1) : null,
    next: page < count ? String(page + 1) : null,
  };
}

function toRow(context: PageContext, { store }: App, row: MatrixData['rows'][number]): MatrixRow {
  const isBlocked = blockedDay(context, store) !== null;
  const age = rankAge(context, { ...row, store });
  const best = row.ranks.reduce<(typeof row.ranks)[number] | null>(
    (first, one) => (one.rank !== null && one.rank < (first?.rank ?? Infinity) ? one : first),
    null,
  );
  return {
    id: String(row.keyword_id),
    keyword: row.keyword,
    traffic: scoreFigure(row.traffic_score, { isPartial: false, isBlocked }),
    difficulty: scoreFigure(row.difficulty_score, { isPartial: false, isBlocked }),
    ranks: row.ranks.map(({ rank, state, delta }) => ({
      rank:
        state === 'unread'
          ? unknown('not_read')
          : rankFigure(rank, { depth: row.depth, day: row.rank_date, age }),
      change: delta === null ? null : known(delta),
    })),
    bestId: best?.app_id ?? null,
    day: row.rank_date,
  };
}
