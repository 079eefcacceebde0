import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { changedImages, compareImages } from '../domain/image-changes.ts';
import { type ListingReading, withKnownValues } from '../domain/listing.ts';
import { type ChangedField, listingChanges } from '../domain/listing-changes.ts';
import { toListingVersion } from '../domain/listing-version.ts';
import { listingChanged, listingRead } from '../domain/tracking-events.ts';
import {
  type Absence,
  type Listing,
  type ListingPlan,
  type ListingStore,
  shown,
} from '../stores/listing-store.ts';
import type { ListingVersionStore } from '../stores/listing-version-store.ts';

type Recording = {
  storefront: Storefront;
  reading: ListingReading;
  /** Plans the next reading, from the internal app id and the listing as stored after this reading. */
  planNext: (id: number, listing: ListingReading) => ListingPlan;
  requestId: string;
};

export type RecordListing = ReturnType<typeof createRecordListing>;

/**
 * Records readings of listings and plans the next ones. Returns the listing as stored. A reading that differs makes the
 * next revision: one version row and one event, each exactly once. The first revision has no event.
 *
 * A crash may come between a revision and its version row. So a later reading first adds a missing row, before the next
 * revision replaces its content. Of two concurrent readings, the slower one is compared with what the faster stored.
 */
export function createRecordListing(deps: {
  listings: ListingStore;
  listingVersions: ListingVersionStore;
  now: () => Date;
  wakeRelay: () => void;
}) {
  const { listings, listingVersions, now, wakeRelay } = deps;

  /** Returns the saved listing; null when another call changed the listing after `stored` was read: try again. */
  function tryToRecord(stored: Listing | null, recording: Recording): Promise<Listing | null> {
    if (!stored) return create(recording);
    const { read_at: readAt } = recording.reading;
    const isOutdated = stored.read_at > readAt || (stored.missed_at != null && stored.missed_at > readAt);
    if (isOutdated) return ignoreReading(stored, recording);
    return update(stored, recording);
  }

  async function create({ storefront, reading, planNext }: Recording): Promise<Listing | null> {
    const _id = await listings.takeId();
    const listing: Listing = {
      _id,
      ...storefront,
      ...reading,
      ...planNext(_id, reading),
      revision: 1,
      changed: [],
      changed_at: reading.read_at,
      images: null,
      ...shown,
      aso_health: null,
      aso_health_at: null,
    };
    if (!(await listings.create(listing))) return null;
    await listingVersions.add(toListingVersion(listing));
    return listing;
  }

  /** The stored reading, or an empty look-up, is later than this one: writes only the plan. */
  async function ignoreReading(stored: Listing, { planNext }: Recording): Promise<Listing> {
    const plan = planNext(stored._id, stored);
    await listings.plan(stored._id, plan);
    return { ...stored, ...plan };
  }

  async function update(
    stored: Listing,
    { reading, planNext, requestId }: Recording,
  ): Promise<Listing | null> {
    if (!(await listingVersions.has(stored._id, stored.revision)))
      await listingVersions.add(toListingVersion(stored));
    const fresh = withKnownValues(stored, reading);
    const next = { ...fresh, ...planNext(stored._id, fresh), ...shown };
    // Not with the values that were kept: what was not read is not known to be the same.
    const images = compareImages(stored, reading);
    const changed: ChangedField[] = [...listingChanges(stored, fresh), ...changedImages(images)];
    if (stored.unlisted_since) changed.push('unlisted_since');
    if (changed.length === 0) return refresh(stored, next, requestId);

    const revision = { revision: stored.revision + 1, changed, changed_at: next.read_at, images };
    const revised = { ...stored, ...next, ...revision };
    const at = now();
    const event = listingChanged(revised, { at, requestId });
    if (!(await listings.saveReading(stored, { ...next, ...revision }, { event, at }))) return null;
    wakeRelay();
    await listingVersions.add(toListingVersion(revised));
    return revised;
  }

  /** Saves a reading without a change, with an event if it is the first reading of its UTC day. */
  async function refresh(
    stored: Listing,
    next: ListingReading & ListingPlan & Absence,
    requestId: string,
  ): Promise<Listing | null> {
    const isFirstOfDay = utcDay(stored.read_at) < utcDay(next.read_at);
    const at = now();
    const event = isFirstOfDay ? listingRead({ ...next, _id: stored._id }, { at, requestId }) : null;
    if (!(await listings.saveReading(stored, next, event && { event, at }))) return null;
    if (event) wakeRelay();
    return { ...stored, ...next };
  }

  return async (recording: Recording): Promise<Listing> => {
    const { storefront, reading } = recording;
    for (;;) {
      const stored = await listings.findInStorefront(storefront, reading.app_id);
      const recorded = await tryToRecord(stored, recording);
      if (recorded) return recorded;
    }
  };
}
