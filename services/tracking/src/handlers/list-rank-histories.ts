import type {
  AppRanks,
  KeywordRankHistory,
  ListRankHistoriesReply,
  ListRankHistoriesRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId, checkPage, checkWindow } from '@shelfwise/runtime/check-request';
import { daysInWindow } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { rankOf } from '../domain/snapshot.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { NamedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, lookUpIn } from '../tracking-errors.ts';

const maxKeywords = 100;
const maxCompetitors = 1000;
/** Keywords times days times apps. */
const maxPoints = 40_000;

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'listOfApp' | 'findNamed' | 'count'>;
  competitors: Pick<CompetitorStore, 'listActive'>;
  listings: Pick<ListingStore, 'findNames'>;
  snapshots: Pick<SnapshotStore, 'readBetween'>;
};

type Page = { skip: number; limit: number };
type App = Omit<AppRanks, 'history'>;
/** What a chart needs of a snapshot; `ranks` are in the order of the apps. */
type Reading = { depth: number; ranks: (number | null)[] };

/**
 * The ranks of an application, and of its competitors, on each day of a window, for keywords that it tracks or tracked.
 * As in `getRankHistory`, the days before a keyword was tracked count, and a day without a snapshot has no row.
 *
 * Cost: one query per collection, and a count of the keywords unless the page is the last one.
 * @throws APP_NOT_FOUND, NOT_FOUND; INVALID_PARAMS also for more than `maxPoints`
 */
export async function listRankHistories(
  deps: Deps,
  request: ListRankHistoriesRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<ListRankHistoriesReply> {
  const app = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const sentIds = checkKeywordIds(request.keyword_ids);
  const page = checkPage(request, maxKeywords);
  const window = checkWindow(request.from, request.to);

  if (!(await deps.trackedApps.isActive(app))) throw appNotTracked();
  const [{ keywords, total }, apps] = await Promise.all([
    sentIds.length > 0 ? findSent(deps, app, sentIds, page) : listTracked(deps, app, page),
    listApps(deps, app, request.competitors),
  ]);
  checkPoints(keywords.length, daysInWindow(window.from, window.to), apps.length);

  const ids = keywords.map(({ keyword_id: id }) => id);
  const readings = await deps.snapshots.readBetween(ids, window, (appIds): Reading => {
    signal.throwIfAborted();
    return { depth: appIds.length, ranks: apps.map(({ app_id: appId }) => rankOf(appIds, appId)) };
  });
  return {
    keywords: keywords.map((keyword) => toHistory(keyword, apps, readings.get(keyword.keyword_id))),
    total,
  };
}

function checkKeywordIds(ids: readonly number[]): number[] {
  if (ids.length > maxKeywords) throw invalidParams({ keyword_ids: `must be at most ${maxKeywords}` });
  return ids.map((id) => checkId('keyword_ids', id));
}

function checkPoints(keywords: number, days: number, apps: number): void {
  if (keywords * days * apps > maxPoints)
    throw invalidParams({
      from: `must be later, or the keywords or apps fewer: ${keywords} keywords times ${days} days times ${apps} apps are more than ${maxPoints} points`,
    });
}

/** The total costs another query, unless the page is the last one and has rows. */
async function listTracked({ trackedKeywords }: Deps, app: TrackedAppKey, { skip, limit }: Page) {
  // One row more tells whether there is a next page.
  const found = await trackedKeywords.listOfApp(app, { skip, limit: limit + 1 });
  const isLast = found.length <= limit && (found.length > 0 || skip === 0);
  return {
    keywords: found.slice(0, limit),
    total: isLast ? skip + found.length : await trackedKeywords.count(app),
  };
}

/** In the order sent. @throws NOT_FOUND */
async function findSent(
  { trackedKeywords }: Deps,
  app: TrackedAppKey,
  ids: readonly number[],
  { skip, limit }: Page,
) {
  const found = await trackedKeywords.findNamed(app, ids);
  const byId = new Map(found.map((keyword) => [keyword.keyword_id, keyword]));
  const keywords = ids.map((id) => {
    const keyword = byId.get(id);
    if (keyword) return keyword;
    throw new AppError('NOT_FOUND', `This account has never tracked the keyword ${id} for that application.`);
  });
  return { keywords: keywords.slice(skip, skip + limit), total: ids.length };
}

/** The application first, then its competitors, newest first. */
async function listApps(
  { competitors, listings }: Deps,
  app: TrackedAppKey,
  withCompetitors: boolean,
): Promise<App[]> {
  const relations = withCompetitors ? await competitors.listActive(app, maxCompetitors) : [];
  const ids = [app.listing_id, ...relations.map(({ competitor_id: id }) => id)];
  return ids.map(lookUpIn(await listings.findNames(ids), 'listing')).map((listing) => ({
    app_id: listing.app_id,
    title: listing.title,
    is_own: listing._id === app.listing_id,
  }));
}

function toHistory(
  { keyword_id, keyword }: NamedKeyword,
  apps: readonly App[],
  readings: ReadonlyMap<string, Reading> = new Map(),
): KeywordRankHistory {
  const days = [...readings].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    keyword_id,
    keyword,
    apps: apps.map((app, index) => ({
      ...app,
      history: days.map(([date, { ranks }]) => ({ date, rank: ranks[index] ?? null })),
    })),
    least_depth: days.length === 0 ? null : Math.min(...days.map(([, { depth }]) => depth)),
  };
}
