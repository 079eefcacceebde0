import { knownOr, rankFigure } from '@shelfwise/dashboard/figure';
import type { Gap, GapRow } from '@shelfwise/dashboard/pages/rivals/model';
import { toKept } from '@shelfwise/dashboard/pages/rivals/to-kept';
import type { z } from 'zod';
import type { listApplications } from '../../routes/list-applications.ts';
import type { listKeywordGap } from '../../routes/list-keyword-gap.ts';
import { type PageContext, rankAge, scoreFigures } from './page-context.ts';

type App = z.output<typeof listApplications.data>[number];
type Answer = { data: z.output<typeof listKeywordGap.data>; meta: z.output<typeof listKeywordGap.meta> };
type Row = Answer['data'][number];

export function toGap(context: PageContext, app: App, { data, meta }: Answer): Gap {
  return {
    rows: data.map((row) => toRow(context, app, row)),
    reason: meta.reason,
    kept: toKept(meta),
  };
}

function toRow(context: PageContext, { store }: App, row: Row): GapRow {
  const age = rankAge(context, { ...row, store });
  const rankOf = (rank: number | null) => rankFigure(rank, { depth: row.depth, day: row.rank_date, age });
  return {
    keyword: row.keyword,
    keywordId: row.keyword_id === null ? null : String(row.keyword_id),
    isTracked: row.is_tracked,
    ...scoreFigures(context, { ...row, store, kei_score: row.kei }),
    ownRank: rankOf(row.own_rank),
    rivals: row.rivals.map(({ app_id: appId, title, rank }) => ({ appId, title, rank: rankOf(rank) })),
    gain: knownOr(row.gain, 'too_little_read'),
    value: knownOr(row.value, 'too_little_read'),
    day: row.rank_date,
  };
}
