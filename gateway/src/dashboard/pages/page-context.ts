import { type Figure, type RankAge, scoreFigure, type Unknown, unknown } from '@shelfwise/dashboard/figure';
import type { AppHead, Frame } from '@shelfwise/dashboard/page-data';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { z } from 'zod';
import type { Plan } from '../../plans/plans.ts';
import type { listApplications } from '../../routes/list-applications.ts';
import type { listKeywords } from '../../routes/list-keywords.ts';
import { appNotTracked } from '../../routes/route/error-examples.ts';
import type { CallForPage, SessionAnswer } from '../call-as-session.ts';
import type { Session } from '../sessions.ts';
import type { StoreState } from '../store-state.ts';

/** What the data of a page is made from: the API's own answers, for the account of the session. */
export type PageContext = {
  call: CallForPage;
  session: Session;
  plan: Plan;
  store: StoreState;
  /** The address of this Shelfwise, as people reach it. */
  publicUrl: string;
  now: Date;
};

export function appNotFound(): AppError {
  return new AppError('APP_NOT_FOUND', appNotTracked);
}

type Application = z.output<typeof listApplications.data>[number];
export type TrackedKeyword = z.output<typeof listKeywords.data>[number];

/** @throws the failure of a call without which there is no page */
export function answerOf<Data, Meta>(answer: SessionAnswer<Data, Meta>): { data: Data; meta: Meta } {
  if ('failure' in answer) throw answer.failure;
  return answer;
}

/** As `answerOf`, without the meta. */
export function dataOf<Data>(answer: SessionAnswer<Data>): Data {
  return answerOf(answer).data;
}

/** The data, or a substitute when the call has failed: the rest of the page is shown. */
export function dataOr<Data, Substitute>(
  answer: SessionAnswer<Data>,
  substitute: Substitute,
): Data | Substitute {
  return 'failure' in answer ? substitute : answer.data;
}

/** Why a part of a page is missing; null: its call was answered. */
export function whyFailed(answer: SessionAnswer<unknown>): Unknown | null {
  if (!('failure' in answer)) return null;
  return answer.failure.code === 'PLAN_LIMIT' ? 'not_in_plan' : 'no_answer';
}

export function toAppHead({ id, app_id: storeId, title, icon, store, country, lang }: Application): AppHead {
  return { id: String(id), storeId, title, store, country, lang, hasIcon: icon !== null };
}

/** The UTC day since when the store refuses to be read; null: it is read. */
export function blockedDay({ store }: Pick<PageContext, 'store'>, name: AppHead['store']): string | null {
  const since = store.troubles.find((trouble) => trouble.store === name)?.blockedSince ?? null;
  return since && utcDay(new Date(since));
}

function isBlocked(context: Pick<PageContext, 'store'>, name: AppHead['store']): boolean {
  return blockedDay(context, name) !== null;
}

/** Blocked: the store refuses to be read, and this is not a rank of today. */
export function rankAge(
  context: Pick<PageContext, 'store' | 'now'>,
  { store, rank_date: day, stale }: Pick<TrackedKeyword, 'store' | 'rank_date' | 'stale'>,
): RankAge {
  if (day < utcDay(context.now) && isBlocked(context, store)) return 'blocked';
  return stale ? 'stale' : 'fresh';
}

/** The scores of a keyword in a list. The KEI is computed from both others, which are enough unless too little was read. */
export function scoreFigures(
  context: Pick<PageContext, 'store'>,
  row: Pick<TrackedKeyword, 'store' | 'traffic_score' | 'difficulty_score' | 'kei_score' | 'is_partial'>,
): Record<'traffic' | 'difficulty' | 'kei', Figure> {
  const blocked = isBlocked(context, row.store);
  const withTraffic = { isPartial: row.is_partial, isBlocked: blocked };
  const isMeasured = row.traffic_score !== null && row.difficulty_score !== null;
  return {
    traffic: scoreFigure(row.traffic_score, withTraffic),
    difficulty: scoreFigure(row.difficulty_score, { isPartial: false, isBlocked: blocked }),
    kei: row.kei_score === null && isMeasured ? unknown('not_read') : scoreFigure(row.kei_score, withTraffic),
  };
}

/**
 * What is around the content of a page.
 * @param ranks what the page shows of keywords, for their days
 */
export function toFrame(
  { session, store, now }: Pick<PageContext, 'session' | 'store' | 'now'>,
  applications: readonly Application[],
  { appId = null, ranks = [] }: { appId?: string | null; ranks?: readonly { rank_date: string }[] } = {},
): Frame {
  const days = ranks.map(({ rank_date: day }) => day).toSorted();
  const [oldest] = days;
  const newest = days.at(-1);
  return {
    account: { email: session.account.email, plan: session.account.plan },
    isSample: store.isSample,
    troubles: store.troubles,
    rankDays: oldest !== undefined && newest !== undefined ? { oldest, newest } : null,
    hasShortcuts: session.account.dashboard.hasShortcuts,
    today: utcDay(now),
    apps: applications.map(toAppHead),
    appId,
  };
}
