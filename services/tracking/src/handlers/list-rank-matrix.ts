import type {
  ListRankMatrixReply,
  ListRankMatrixRequest,
  MatrixApp,
  MatrixRow,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkDay, checkId, checkInteger, checkPage } from '@shelfwise/runtime/check-request';
import { daysBefore } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { rankDelta, toRankOnDay } from '../domain/movers.ts';
import type { PageOfIds } from '../domain/snapshot.ts';
import { checkKeywordQuery, maxKeywordsPerPage } from '../keywords/check-keyword-query.ts';
import type { OrderingTurns } from '../keywords/ordering-turns.ts';
import { readKeywordPage } from '../keywords/read-keyword-page.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import { hasSnapshot, type KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { KeywordFilter, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, competitorNotTracked, lookUpIn, missingRecord } from '../tracking-errors.ts';

const maxCompetitors = 5;
/** Of one application. */
const maxRelations = 1000;
/** The longest window of the API's histories. */
const longestDays = 400;

type Deps = {
  competitors: Pick<CompetitorStore, 'listActive'>;
  keywordMarkets: Pick<KeywordMarketStore, 'findMany' | 'streamScores' | 'streamLatest'>;
  listings: Pick<ListingStore, 'findNames'>;
  orderingTurns: OrderingTurns;
  snapshots: Pick<SnapshotStore, 'visitDays' | 'visitNewest'>;
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'list' | 'count' | 'listUnordered'>;
};

/**
 * The latest ranks of an application and of some of its competitors for one page of its keywords, and how they differ from
 * those `days` days before: a difference needs both days.
 *
 * Cost: one query per collection, and those of `readKeywordPage`.
 * @throws APP_NOT_FOUND, NOT_FOUND for a competitor that the application does not have, INVALID_PARAMS
 */
export async function listRankMatrix(
  deps: Deps,
  request: ListRankMatrixRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<ListRankMatrixReply> {
  const app: TrackedAppKey = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const days = checkInteger('days', request.days, 1, longestDays);
  const oldestDay = checkDay('oldest_day', request.oldest_day);
  const filter: KeywordFilter = request.favorites_only ? { ...app, favorite_order: 0 } : app;
  const query = checkKeywordQuery(request, filter, { days, isExact: true });
  const page = checkPage(request, maxKeywordsPerPage);
  const competitorIds = checkCompetitorIds(request.competitor_ids);

  if (!(await deps.trackedApps.isActive(app))) throw appNotTracked();
  const [{ found, count }, apps] = await Promise.all([
    readKeywordPage(deps, query, page, signal),
    listApps(deps, app, competitorIds),
  ]);
  const ids = found.map(({ row }) => row.keyword_id);
  const [markets, total] = await Promise.all([deps.keywordMarkets.findMany(ids), count()]);
  const latest = ids.map(lookUpIn(markets, 'keyword market')).map((market) => {
    if (!hasSnapshot(market)) throw missingRecord(`the latest snapshot of keyword market ${market._id}`);
    return market;
  });

  const ranksOn = (snapshot: { day: string; app_ids: PageOfIds }) =>
    apps.map(({ app_id: appId }) => toRankOnDay(snapshot, appId));
  const compared = latest.map(({ _id, latest: { day } }) => [_id, daysBefore(day, days)] as const);
  const before = new Map<number, ReturnType<typeof ranksOn>>();
  await deps.snapshots.visitDays(new Map(compared.filter(([, day]) => day >= oldestDay)), (id, snapshot) => {
    signal.throwIfAborted();
    before.set(id, ranksOn(snapshot));
  });

  const toRow = ({ _id, keyword, scores, latest: snapshot }: (typeof latest)[number]): MatrixRow => ({
    keyword_id: _id,
    keyword,
    traffic_score: scores?.traffic ?? null,
    is_partial: scores?.is_partial ?? false,
    difficulty_score: scores?.difficulty ?? null,
    rank_date: snapshot.day,
    depth: snapshot.app_ids.length,
    ranks: ranksOn(snapshot).map((to, index) => {
      const from = before.get(_id)?.[index];
      return { rank: to.rank, delta: from ? rankDelta(from, to) : null };
    }),
  });
  return { apps, rows: latest.map(toRow), total };
}

function checkCompetitorIds(ids: readonly number[]): number[] {
  if (ids.length > maxCompetitors)
    throw invalidParams({ competitor_ids: `must be at most ${maxCompetitors}` });
  return ids.map((id) => checkId('competitor_ids', id));
}

/** The application first, then these competitors, or those that were added last. @throws NOT_FOUND */
async function listApps(
  { competitors, listings }: Deps,
  app: TrackedAppKey,
  wanted: readonly number[],
): Promise<MatrixApp[]> {
  const relations = await competitors.listActive(app, wanted.length > 0 ? maxRelations : maxCompetitors);
  const relationOf = new Map(relations.map((relation) => [relation._id, relation]));
  const chosen = wanted.length === 0 ? relations : wanted.map((id) => relationOf.get(id) ?? refuse());
  const ids = [app.listing_id, ...chosen.map(({ competitor_id: id }) => id)];
  const nameOf = lookUpIn(await listings.findNames(ids), 'listing');
  return ids.map(nameOf).map(({ app_id, title }, index) => ({
    app_id,
    title,
    competitor_id: chosen[index - 1]?._id ?? null,
  }));
}

function refuse(): never {
  throw competitorNotTracked();
}
