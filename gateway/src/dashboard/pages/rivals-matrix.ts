import { known, rankFigure, unknown } from '@shelfwise/dashboard/figure';
import type { Matrix, MatrixRow } from '@shelfwise/dashboard/pages/rivals/model';
import type { z } from 'zod';
import type { listApplications } from '../../routes/list-applications.ts';
import type { listRankMatrix } from '../../routes/list-rank-matrix.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import { type PageContext, rankAge, scoreFigures } from './page-context.ts';

type App = z.output<typeof listApplications.data>[number];
type Data = z.output<typeof listRankMatrix.data>;
type Row = Data['rows'][number];

/** Null: it was not answered. */
export function toMatrix(
  context: PageContext,
  app: App,
  answer: SessionAnswer<Data, z.output<typeof listRankMatrix.meta>>,
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

function toRow(context: PageContext, { store }: App, row: Row): MatrixRow {
  const age = rankAge(context, { ...row, store });
  const { traffic, difficulty } = scoreFigures(context, { ...row, store, kei_score: null });
  const best = row.ranks.reduce<Row['ranks'][number] | null>(
    (first, one) => (one.rank !== null && one.rank < (first?.rank ?? Infinity) ? one : first),
    null,
  );
  return {
    id: String(row.keyword_id),
    keyword: row.keyword,
    traffic,
    difficulty,
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
