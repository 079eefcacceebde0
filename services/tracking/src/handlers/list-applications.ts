import type {
  Application,
  ListApplicationsReply,
  ListApplicationsRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import { findEarlierAudit, noAudits } from '../domain/audit-days.ts';
import { toTrackedListing } from '../domain/listing.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, lookUpIn } from '../tracking-errors.ts';

const maxRows = 1000;

type Deps = { trackedApps: TrackedAppStore; trackedKeywords: TrackedKeywordStore; listings: ListingStore };

/**
 * The account's applications, newest first, or the requested one. `total` also counts those beyond the limit.
 * @throws APP_NOT_FOUND when the account does not track the requested one
 */
export async function listApplications(
  deps: Deps,
  request: ListApplicationsRequest,
): Promise<ListApplicationsReply> {
  const accountId = checkAccountId(request.account_id);
  if (request.app_id != null) {
    const listingId = checkId('app_id', request.app_id);
    if (!(await deps.trackedApps.isActive({ account_id: accountId, listing_id: listingId })))
      throw appNotTracked();
    return { applications: await describe(deps, accountId, [listingId]), total: 1 };
  }
  // One row more tells whether the rest must be counted.
  const ids = await deps.trackedApps.listIds(accountId, maxRows + 1);
  const [applications, total] = await Promise.all([
    describe(deps, accountId, ids.slice(0, maxRows)),
    ids.length > maxRows ? deps.trackedApps.countActive(accountId) : ids.length,
  ]);
  return { applications, total };
}

/** Returns the applications in the order of the ids. Makes at most two queries for any number of applications. */
async function describe(
  { listings, trackedKeywords }: Deps,
  accountId: string,
  ids: readonly number[],
): Promise<Application[]> {
  const [rows, keywordCounts] = await Promise.all([
    listings.findMany(ids),
    trackedKeywords.countByListing(accountId, ids),
  ]);
  return ids.map(lookUpIn(rows, 'listing')).map((listing) => ({
    listing: toTrackedListing(listing),
    keyword_count: keywordCounts.get(listing._id) ?? 0,
    aso_health: listing.aso_health && {
      ...listing.aso_health,
      earlier: findEarlierAudit(listing.aso_health, listing.audits ?? noAudits),
    },
  }));
}
