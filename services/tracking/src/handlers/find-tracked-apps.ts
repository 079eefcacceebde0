import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { FindTrackedAppsReply, FindTrackedAppsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { maxAppIdLength } from '../domain/listing-fields.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

const maxApps = 20;

type Deps = {
  listings: Pick<ListingStore, 'findInStore'>;
  trackedApps: Pick<TrackedAppStore, 'findActive'>;
};

/**
 * The apps among these that the account tracks as applications in a storefront. Cost: two queries.
 * @throws INVALID_PARAMS
 */
export async function findTrackedApps(
  { listings, trackedApps }: Deps,
  request: FindTrackedAppsRequest,
): Promise<FindTrackedAppsReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  if (request.app_ids.length > maxApps) throw invalidParams({ app_ids: `must be at most ${maxApps}` });
  const appIds = request.app_ids.map((id) => checkText('app_ids', id, 1, maxAppIdLength));

  const stored = await listings.findInStore(storefront, appIds);
  const tracked = await trackedApps.findActive(
    accountId,
    stored.map(({ _id }) => _id),
  );
  return { app_ids: stored.filter(({ _id }) => tracked.includes(_id)).map(({ app_id }) => app_id) };
}
