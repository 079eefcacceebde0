import type {
  CompetedApp,
  CompetitorApp,
  CompetitorRelation,
  ListCompetitorsReply,
  ListCompetitorsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { appNotTracked, unreadable } from '../refusals.ts';
import type { Competitor, CompetitorFilter } from '../stores/competitor-store.ts';
import type { Listing } from '../stores/listing-store.ts';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';

const maxRows = 1000;

/** The competitors of the account's applications, newest first; or of the one that is asked for. */
export async function listCompetitors(
  parts: TrackingParts,
  request: ListCompetitorsRequest,
): Promise<ListCompetitorsReply> {
  const filter = await toFilter(parts, request);
  const [rows, total] = await Promise.all([
    parts.competitors.listActive(filter, maxRows),
    parts.competitors.countActive(filter),
  ]);
  return { relations: await describe(parts, rows), total };
}

/** @throws APP_NOT_FOUND */
async function toFilter(
  { trackedApps }: TrackingParts,
  request: ListCompetitorsRequest,
): Promise<CompetitorFilter> {
  const accountId = checkAccountId(request.account_id);
  if (request.app_id == null) return trackedByAccount({ trackedApps }, accountId);
  const listingId = checkId('app_id', request.app_id);
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: listingId }))) throw appNotTracked();
  return { account_id: accountId, listing_id: listingId };
}

/** One query, however many relations. */
async function describe(
  { listings }: TrackingParts,
  rows: readonly Competitor[],
): Promise<CompetitorRelation[]> {
  const ids = new Set(
    rows.flatMap(({ listing_id: listingId, competitor_id: competitorId }) => [listingId, competitorId]),
  );
  const byId = new Map((await listings.findMany([...ids])).map((listing) => [listing._id, listing]));
  return rows.map(({ _id: id, listing_id: listingId, competitor_id: competitorId }) => {
    const [app, competitor] = [byId.get(listingId), byId.get(competitorId)];
    if (!app) throw unreadable(`listing ${listingId}`);
    if (!competitor) throw unreadable(`listing ${competitorId}`);
    return { id, app: toCompetedApp(app), competitor: toCompetitorApp(competitor) };
  });
}

function toCompetedApp({ _id: id, app_id: appId, title, icon, store }: Listing): CompetedApp {
  return { id, app_id: appId, title, icon, store };
}

function toCompetitorApp(listing: Listing): CompetitorApp {
  return {
    id: listing._id,
    app_id: listing.app_id,
    title: listing.title,
    description: listing.description,
    url: listing.url,
    icon: listing.icon,
    screenshots: listing.screenshots,
    developer_name: listing.developer_name,
    genre: listing.genre,
    version: listing.version,
    score: listing.score,
    ratings: listing.ratings,
    store: listing.store,
  };
}
