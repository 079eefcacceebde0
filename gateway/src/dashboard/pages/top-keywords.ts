import { rankFigure, scoreFigure, unknown } from '@shelfwise/dashboard/figure';
import type { TopKeyword } from '@shelfwise/dashboard/pages/app/model';
import type { TopKeyword as TopKeywordMessage } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { isStale } from '../../routes/shapes/ages.ts';
import * as shapes from '../../routes/shapes/shapes.ts';
import { type PageContext, rankAge } from './page-context.ts';
import { toPlaces, toStatus } from './rank-change.ts';

/** As many as are read at a glance. */
export const shownTop = 10;

/** A keyword that brings most, in the data of a page. */
export const topKeyword = z.object({
  keyword_id: shapes.keywordId,
  keyword: shapes.keyword,
  traffic_score: z.number(),
  is_partial: z.boolean(),
  rank: z.number(),
  rank_date: shapes.date,
  stale: z.boolean(),
  from_date: shapes.date.nullable(),
  rank_before: z.number().nullable(),
});

export function toTopRow(row: TopKeywordMessage, now: Date): z.output<typeof topKeyword> {
  return {
    ...row,
    stale: isStale(row.rank_date, now),
    from_date: row.from_date ?? null,
    rank_before: row.rank_before ?? null,
  };
}

/** @param store of the app */
export function toTopKeyword(
  context: Pick<PageContext, 'store' | 'now'>,
  store: 'ITUNES' | 'GPLAY',
  row: z.output<typeof topKeyword>,
): TopKeyword {
  const { rank, rank_before: before, from_date: fromDay, traffic_score: traffic } = row;
  const hasEarlier = fromDay !== null;
  return {
    keywordId: String(row.keyword_id),
    keyword: row.keyword,
    traffic: scoreFigure(traffic, { isPartial: row.is_partial, isBlocked: false }),
    // Only what ranks is listed: no depth is said.
    rank: rankFigure(rank, {
      depth: shapes.fullSnapshotDepth,
      day: row.rank_date,
      age: rankAge(context, { ...row, store }),
    }),
    change: hasEarlier ? toPlaces(before, rank) : unknown('no_earlier_day'),
    status: hasEarlier ? toStatus(before, rank) : null,
  };
}
