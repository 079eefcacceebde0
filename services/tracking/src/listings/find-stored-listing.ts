import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingPlace, ListingStore, StoreId } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

type Deps = {
  listings: Pick<ListingStore, 'findUnderAliases'>;
  trackedApps: Pick<TrackedAppStore, 'findMany'>;
};

/** An app in a storefront, for one account. `isTracked`: the account tracks it. */
export type StoredListing = { listing: ListingPlace; isTracked: boolean };

/**
 * Finds the listing of an app in a storefront, under whichever tag of the language it is stored; null when it is under
 * none. Of several, which were stored before their tags became one language, it is the one that the account tracks, else
 * the one that it tracked before, so that an application gets its old id, else the one under the canonical tag.
 */
export async function findStoredListing(
  { listings, trackedApps }: Deps,
  accountId: string,
  storefront: Storefront,
  id: StoreId,
): Promise<StoredListing | null> {
  const found = await listings.findUnderAliases(storefront, id);
  const [first] = found;
  if (!first) return null;
  const rows = await trackedApps.findMany(
    accountId,
    found.map(({ _id }) => _id),
  );
  const row = rows.find(({ active }) => active) ?? rows[0];
  const listing = found.find(({ _id }) => _id === row?.listing_id) ?? first;
  return { listing, isTracked: row?.active ?? false };
}
