import { known, knownOr, rankFigure, scoreFigure, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { KeywordModel, ScoreDay, ScorePart } from '@shelfwise/dashboard/pages/keyword/model';
import { AppError } from '@shelfwise/runtime/errors';
import type { z } from 'zod';
import type { getTrackedKeywordScores } from '../../routes/get-tracked-keyword-scores.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { listKeywords } from '../../routes/list-keywords.ts';
import { listRankHistories } from '../../routes/list-rank-histories.ts';
import { fullSnapshotDepth } from '../../routes/shapes/shapes.ts';
import { toFirstResults } from './first-results.ts';
import { findKeptScores } from './kept-scores.ts';
import {
  answerOf,
  appNotFound,
  blockedDay,
  dataOf,
  dataOr,
  type PageContext,
  rankAge,
  scoreFigures,
  toAppHead,
  toFrame,
  whyFailed,
} from './page-context.ts';
import { toRankChange } from './rank-change.ts';
import { readTimeline } from './read-timeline.ts';

/** Lines that a picture shows: the own one and five rivals. */
const maxSeries = 6;

type Scores = z.output<typeof getTrackedKeywordScores.data>;

/**
 * Six calls: the apps, the ranks by day with those of competitors, the scores with their parts and related keywords, the two of the timeline, and
 * the keyword's row.
 */
export async function buildKeyword(
  context: PageContext,
  { appId, keywordId }: { appId: string; keywordId: string },
): Promise<PageData> {
  const params = { id: keywordId };
  const [applications, ranks, scores, timeline] = await Promise.all([
    context.call(listApplications),
    context.call(listRankHistories, {
      params: { id: appId },
      query: { keyword_ids: keywordId, competitors: 'true' },
    }),
    context.call(findKeptScores, { params }),
    readTimeline(context, appId, { withRivals: false }),
  ]);
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const { data: histories, meta: window } = answerOf(ranks);
  const [history] = histories.keywords;
  if (!history) throw new AppError('NOT_FOUND', 'This app does not track the keyword.');
  const rows = dataOf(
    await context.call(listKeywords, { query: { app_id: appId, search: history.keyword } }),
  );
  const row = rows.find(({ keyword_id: id }) => String(id) === keywordId);
  if (!row) throw new AppError('NOT_FOUND', 'This app does not track the keyword any more.');
  const kept = dataOr(scores, null);
  const explained = kept?.scores ?? null;
  // The depth of the shallowest snapshot in the window.
  const depth = window.snapshot_depths?.[0]?.depth ?? fullSnapshotDepth;
  return {
    page: 'keyword',
    frame: toFrame(context, apps, { appId, ranks: [row] }),
    model: {
      app: toAppHead(app),
      keyword: { id: keywordId, text: row.keyword, isFavorite: row.is_favorite },
      from: window.from,
      to: window.to,
      rank: rankFigure(row.current_rank, {
        depth: row.result_count,
        day: row.rank_date,
        age: rankAge(context, row),
      }),
      change: toRankChange(
        { rank: row.current_rank, day: row.rank_date },
        history.apps.find(({ is_own: isOwn }) => isOwn)?.history ?? [],
      ),
      ...scoreFigures(context, { ...row, kei_score: explained?.kei?.score ?? row.kei_score }),
      keiRating: explained && toKeiRating(explained),
      blockedFrom: blockedDay(context, app.store),
      series: history.apps.slice(0, maxSeries).map(({ app_id: id, title, is_own: isOwn, history: days }) => ({
        id,
        name: title ?? id,
        isOwn,
        read: days.map(({ date, rank }) => ({
          date,
          rank: rankFigure(rank, { depth, day: date, age: 'fresh' }),
        })),
      })),
      timeline,
      ...toFirstResults(app, row, explained),
      related:
        kept?.related?.map(({ keyword, traffic }) => ({ keyword, traffic: knownOr(traffic, 'not_read') })) ??
        null,
      trafficParts: (explained?.traffic_parts ?? []).map(toPart),
      difficultyParts: (explained?.difficulty_parts ?? []).map(toPart),
      notes: explained?.notes ?? [],
      inputs: (explained?.inputs ?? []).map(({ name, note, read_at: readAt, source, age_days: age }) => ({
        name,
        note,
        readAt,
        source,
        age: age === null ? unknown('not_read') : known(age),
      })),
      scoreHistory: explained?.history.map(toScoreDay) ?? null,
      scoringVersion: explained === null ? null : String(explained.scoring_version),
      // A keyword without stored scores is new: they follow within a minute.
      scoresMissing: 'failure' in scores && scores.failure.code === 'NOT_FOUND' ? null : whyFailed(scores),
      scoredAt: row.scored_at,
      resultsDay: row.rank_date,
    },
  };
}

/** The API gives the same reason when a keyword is not searched and when that is unknown; the page names them apart. */
function toKeiRating({ kei, is_searched: isSearched }: Scores): KeywordModel['keiRating'] {
  if (kei === null) return null;
  const isUnknown = kei.reason === 'unsearched' && isSearched === null;
  return { level: kei.level, reason: isUnknown ? 'search_unknown' : kei.reason };
}

/** A day without a score was measured with too little. */
function toScoreDay(day: Scores['history'][number]): ScoreDay {
  const { traffic_score: traffic, difficulty_score: difficulty } = day;
  const measured = { isPartial: day.is_partial, isBlocked: false };
  return {
    day: day.date,
    traffic: traffic === null ? unknown('too_little_read') : scoreFigure(traffic, measured),
    difficulty: knownOr(difficulty, 'too_little_read'),
    version: String(day.scoring_version),
  };
}

function toPart({ name, value, points, max_points: most }: Scores['traffic_parts'][number]): ScorePart {
  return {
    name,
    value: knownOr(value, 'not_read'),
    points: points === null ? unknown('not_read') : known(toTenths(points)),
    maxPoints: known(toTenths(most)),
  };
}

function toTenths(points: number): number {
  return Math.round(points * 10) / 10;
}
