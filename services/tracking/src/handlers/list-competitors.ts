import type {
  CompetedApp,
  CompetitorRelation,
  ListCompetitorsReply,
  ListCompetitorsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { toTrackedListing } from '../domain/listing.ts';
import type { CompetitorFilter, CompetitorStore, ListedCompetitor } from '../stores/competitor-store.ts';
import type { ListedListing, ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, lookUpIn } from '../tracking-errors.ts';

const maxRows = 1000;

type Deps = { trackedApps: TrackedAppStore; competitors: CompetitorStore; listings: ListingStore };

/**
 * The competitors of all applications of the account, or of the requested one, newest first. `total` also counts those
 * beyond the limit.
 */
export async function listCompetitors(
  deps: Deps,
  request: ListCompetitorsRequest,
): Promise<ListCompetitorsReply> {
  const filter = await toFilter(deps, request);
  // One row more tells whether the rest must be counted.
  const rows = await deps.competitors.listActive(filter, maxRows + 1);
  const [relations, total] = await Promise.all([
    describe(deps, rows.slice(0, maxRows)),
    rows.length > maxRows ? deps.competitors.countActive(filter) : rows.length,
  ]);
  return { relations, total };
}

/** @throws APP_NOT_FOUND when the account does not track the requested application */
async function toFilter({ trackedApps }: Deps, request: ListCompetitorsRequest): Promise<CompetitorFilter> {
  const accountId = checkAccountId(request.account_id);
  if (request.app_id == null) return trackedApps.selectTracked(accountId);
  const listingId = checkId('app_id', request.app_id);
  if (!(await trackedApps.isActive({ account_id: accountId, listing_id: listingId }))) throw appNotTracked();
  return { account_id: accountId, listing_id: listingId };
}

/** Adds the apps' data to the relations. Makes at most one query for any number of relations. */
async function describe(
  { listings }: Deps,
  rows: readonly ListedCompetitor[],
): Promise<CompetitorRelation[]> {
  const ids = new Set(rows.flatMap((row) => [row.listing_id, row.competitor_id]));
  const listingOf = lookUpIn(await listings.findMany([...ids]), 'listing');
  return rows.map((row) => ({
    id: row._id,
    app: toCompetedApp(listingOf(row.listing_id)),
    competitor: toTrackedListing(listingOf(row.competitor_id)),
  }));
}

function toCompetedApp(listing: ListedListing): CompetedApp {
  return {
    id: listing._id,
    app_id: listing.app_id,
    title: listing.title,
    icon: listing.icon,
    store: listing.store,
    read_at: listing.read_at,
  };
}
