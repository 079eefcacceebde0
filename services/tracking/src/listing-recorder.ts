import type { Storefront } from '@shelfwise/facts/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { keepSubtitle, type ListingContent, type ListingReading } from './domain/listing.ts';
import { listingChanges } from './domain/listing-changes.ts';
import { toListingVersion } from './domain/listing-version.ts';
import { listingChanged, listingRead } from './domain/tracking-events.ts';
import type { Listing, ListingPlan, ListingStore } from './stores/listing-store.ts';
import type { ListingVersionStore } from './stores/listing-version-store.ts';

/** What was read, and for whom. */
export type Recording = {
  storefront: Storefront;
  reading: ListingReading;
  /** When the listing is read next, given what is known of it after this reading. */
  planNext: (id: number, known: ListingContent) => ListingPlan;
  requestId: string;
};

export type ListingRecorder = ReturnType<typeof createListingRecorder>;

/**
 * Keeps readings of listings, whoever had them made. One that differs from what is known makes the next revision: a
 * version row and an event, each exactly once.
 *
 * A crash may come after any write. A revision's row can be made as long as the listing is at that revision; so the
 * row is made sure of before the next revision replaces it, and at every reading. Of two readings at the same time
 * one is compared with what the other left.
 */
export function createListingRecorder(deps: {
  listings: ListingStore;
  listingVersions: ListingVersionStore;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { listings, listingVersions, now, wake } = deps;

  /** The listing as it is kept; null when another call was faster, or a crash had to be repaired first. */
  function attempt(known: Listing | null, recording: Recording): Promise<Listing | null> {
    if (!known) return create(recording);
    if (known.read_at > recording.reading.content.read_at) return passOver(known, recording);
    return keep(known, recording);
  }

  async function create({ storefront, reading, planNext }: Recording): Promise<Listing | null> {
    const { appId, content } = reading;
    const _id = await listings.takeId();
    const listing: Listing = {
      _id,
      ...storefront,
      app_id: appId,
      ...content,
      ...planNext(_id, content),
      revision: 1,
      changed: [],
      changed_at: content.read_at,
      gone_since: null,
      aso_health: null,
    };
    if (!(await listings.create(listing))) return null;
    await listingVersions.add(toListingVersion(listing));
    return listing;
  }

  /** A later reading is kept already: there is nothing to learn from this one. */
  async function passOver(known: Listing, { planNext }: Recording): Promise<Listing> {
    const plan = planNext(known._id, known);
    await listings.plan(known._id, plan);
    return { ...known, ...plan };
  }

  async function keep(known: Listing, { reading, planNext, requestId }: Recording): Promise<Listing | null> {
    if (!(await listingVersions.has(known._id, known.revision)))
      await listingVersions.add(toListingVersion(known));
    const content = keepSubtitle(known, reading.content);
    const read = { ...content, ...planNext(known._id, content), gone_since: null };
    const changed = listingChanges(known, content);
    if (changed.length === 0) return refresh(known, read, requestId);

    const next = { ...read, revision: known.revision + 1, changed, changed_at: read.read_at };
    const revised = { ...known, ...next };
    const at = now();
    const event = listingChanged(revised, { at, requestId });
    if (!(await listings.revise(known, next, { event, at }))) return null;
    wake();
    await listingVersions.add(toListingVersion(revised));
    return revised;
  }

  /** Nothing new; that it was read is told once a day. */
  async function refresh(
    known: Listing,
    read: ListingContent & ListingPlan & { gone_since: null },
    requestId: string,
  ): Promise<Listing | null> {
    const isFirstOfDay = utcDay(known.read_at) < utcDay(read.read_at);
    const at = now();
    const event = isFirstOfDay ? listingRead({ ...read, _id: known._id }, { at, requestId }) : null;
    if (!(await listings.refresh(known, read, event && { event, at }))) return null;
    if (event) wake();
    return { ...known, ...read };
  }

  return {
    /** Keeps what was read and plans the next reading. A listing keeps its id for ever; a new one gets the next. */
    async record(recording: Recording): Promise<Listing> {
      const { storefront, reading } = recording;
      for (;;) {
        const known = await listings.findInStorefront(storefront, reading.appId);
        const kept = await attempt(known, recording);
        if (kept) return kept;
      }
    },
  };
}
