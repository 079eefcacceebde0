import { type Figure, known, rankFigure, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { KeywordRow } from '@shelfwise/dashboard/pages/keywords/model';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listKeywords } from '../../routes/list-keywords.ts';
import { listMovers } from '../../routes/list-movers.ts';
import { maxPageRows } from '../../routes/route/paged-list.ts';
import type { SessionAnswer } from '../call-as-session.ts';
import {
  appNotFound,
  dataOf,
  dataOr,
  type PageContext,
  rankAge,
  scoreFigures,
  toAppHead,
  toFrame,
  whyFailed,
} from './page-context.ts';

type ListedKeyword = z.output<typeof listKeywords.data>[number];

type Mover = z.output<typeof listMovers.data>[number];

/** Three calls: the apps, the keywords (the first 1,000), and how they moved in seven days. The page reads ranks by day itself. */
export async function buildKeywords(context: PageContext, appId: string): Promise<PageData> {
  const [applications, keywords, movers] = await Promise.all([
    context.call(listApplications),
    context.call(listKeywords, { query: { app_id: appId } }),
    context.call(listMovers, { params: { id: appId }, query: { days: '7', per_page: String(maxPageRows) } }),
  ]);
  const apps = dataOf(applications);
  const listed = dataOf(keywords);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const moved = new Map(dataOr(movers, []).map((mover) => [mover.keyword_id, mover]));
  const missing = missingChange(movers);
  const rows = listed.map((keyword): KeywordRow => {
    const mover = moved.get(keyword.keyword_id);
    return {
      id: String(keyword.keyword_id),
      keyword: keyword.keyword,
      isFavorite: keyword.is_favorite,
      rank: rankFigure(keyword.current_rank, {
        depth: keyword.result_count,
        day: keyword.rank_date,
        age: rankAge(context, keyword),
      }),
      change: mover ? changeOf(mover) : missing,
      status: mover?.status ?? null,
      ...scoreFigures(context, keyword),
      keiReason: keyword.kei_score === null ? null : toKeiReason(keyword),
      first: keyword.ranking[0] ? { title: keyword.ranking[0].title } : null,
      day: keyword.rank_date,
    };
  });
  const hasMore = 'meta' in keywords && keywords.meta.has_more;
  return {
    page: 'keywords',
    frame: toFrame(context, apps, { appId, ranks: listed }),
    model: { app: toAppHead(app), rows, hasMore },
  };
}

/**
 * The API gives the same reason when a keyword is not searched and when that is unknown; the page names them apart. With partial
 * traffic no keyword is known to be unsearched (docs/scores.md, search status).
 */
function toKeiReason({
  kei_reason: reason,
  is_partial: isPartial,
}: Pick<ListedKeyword, 'kei_reason' | 'is_partial'>): KeywordRow['keiReason'] {
  return reason === 'unsearched' && isPartial ? 'search_unknown' : reason;
}

/** Why a keyword has no row among the movers: those that moved least are on further pages. */
function missingChange(movers: SessionAnswer<unknown, { has_more: boolean }>): Figure {
  if ('failure' in movers) return unknown(whyFailed(movers) ?? 'no_answer');
  return unknown(movers.meta.has_more ? 'too_many' : 'no_earlier_day');
}

/** Places gained; not a number when the app was not ranked on one of the two days. */
export function changeOf(mover: Mover): Figure {
  return mover.delta === null ? { state: 'not_applicable' } : known(mover.delta);
}
