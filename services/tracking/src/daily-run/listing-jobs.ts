import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingResult, StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { startOfDay, startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { toListingReading } from '../domain/listing.ts';
import { nextReadingOfListing } from '../domain/next-reading.ts';
import type { RecordListing } from '../listings/record-listing.ts';
import type { RecordMissing } from '../listings/record-missing.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { ClaimedListing, DueListingStore } from '../stores/due-listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

/** A job: claimed listings of one storefront, which one call of store-fetch reads. */
export type ListingGroup = { storefront: Storefront; listings: ClaimedListing[] };

/** `calledOn`: the UTC day of `calledAt`. `isAbsenceBelieved`: see there. */
type SavedCall = { calledAt: Date; calledOn: string; requestId: string; isAbsenceBelieved: boolean };

type JobCall = { requestId: string; signal: AbortSignal };

/** The most listings that one call of store-fetch may request. */
const groupSize = 20;
const maxConcurrentGroups = 2;
const maxConcurrentSaves = 5;
/** The time limit of one call of store-fetch. */
const readMs = 60_000;
/** The time limit of the look-up of a known app after an empty one. */
const canaryMs = 30_000;
/** Longer than both calls and their writes. A claim of a copy that crashed expires after this time. */
const claimMs = 3 * 60_000;
/**
 * A call plans the readings of a listing before it writes the row that tracks it. Without rows the plan stays for this
 * long: the row may follow.
 */
const rowWithinMs = 3_600_000;
/** A listing without rows that kept its plan is looked at again after this time. */
const recheckMs = 60_000;

/**
 * The daily readings of one store's listings, longest due first. A group is filled up with listings of the storefront
 * planned for later that UTC day: one look-up of the App Store serves them all.
 */
export function createListingJobs(deps: {
  store: Store;
  dueListings: DueListingStore;
  trackedApps: TrackedAppStore;
  competitors: CompetitorStore;
  recordListing: RecordListing;
  recordMissing: Pick<RecordMissing, 'answersForKnownApp' | 'record'>;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  logger: Logger;
  now: () => Date;
  random: () => number;
}): JobSource<ListingGroup> {
  const { store, dueListings, recordListing, storeFetch, sourceGuard, logger, now, random } = deps;
  const { queue } = dueListings;

  /** The due listings of the storefront with the longest-due one, and those that one call can read with them. */
  async function listGroup() {
    const at = now();
    const [oldest] = await queue.listDue({ store }, at, 1);
    if (!oldest) return [];
    return dueListings.listGroup(storefrontOf(oldest), { count: groupSize, at, planEnd: startOfNextDay(at) });
  }

  async function claimGroup(): Promise<ListingGroup | null> {
    const listings = await queue.claim(listGroup, new Date(now().getTime() + claimMs));
    return listings[0] ? { storefront: storefrontOf(listings[0]), listings } : null;
  }

  const storefrontOf = ({ country, lang }: Pick<Storefront, 'country' | 'lang'>) => ({
    store,
    country,
    lang,
  });

  /** False when the claim may expire during the reading. The listing is then due again when the claim expires. */
  const isClaimLongEnough = ({ expiresAt }: ClaimedListing) =>
    now().getTime() + readMs + canaryMs < expiresAt.getTime();

  /** Returns the listings that an account tracks or has as a competitor, and ends the daily readings of the others. */
  async function dropUnused(listings: readonly ClaimedListing[]): Promise<ClaimedListing[]> {
    const ids = listings.map(({ _id }) => _id);
    const [tracked, competing] = await Promise.all([
      deps.trackedApps.findTracked(ids),
      deps.competitors.findCompeting(ids),
    ]);
    const inUse = new Set([...tracked, ...competing]);
    for (const listing of listings) if (!inUse.has(listing._id)) await drop(listing);
    return listings.filter(({ _id }) => inUse.has(_id));
  }

  /** Ends the daily readings of a listing without rows, or looks at it again soon when a row may follow. */
  async function drop(listing: ClaimedListing): Promise<void> {
    const at = now().getTime();
    const where = { last_tracked_at: { $lt: new Date(at - rowWithinMs) } };
    if (await queue.drop(listing, { where, unset: ['planned_at', 'failures'] })) return;
    await queue.requeue([listing], new Date(at + recheckMs));
  }

  async function fetchListings(
    storefront: Storefront,
    listings: readonly ClaimedListing[],
    { requestId, signal }: JobCall,
  ): Promise<Map<string, ListingResult>> {
    const request = {
      storefront,
      app_ids: listings.map((listing) => listing.app_id),
      with_subtitle: true,
      for_daily_run: true,
      // An answer that store-fetch cached yesterday is not a reading of today.
      fresh_since: startOfDay(utcDay(now())),
    };
    const deadline = new Date(Date.now() + readMs);
    const { results } = await storeFetch.getListings(request, { requestId, deadline, signal });
    return new Map(results.map((result) => [result.app_id, result]));
  }

  /**
   * Saves store-fetch's answer for one listing.
   * @throws STORE_FETCH_FAILED, or the database's error
   */
  async function save(
    storefront: Storefront,
    listing: ClaimedListing,
    result: ListingResult | undefined,
    { calledOn, requestId, calledAt, isAbsenceBelieved }: SavedCall,
  ): Promise<void> {
    const outcome = result?.outcome;
    if (isMissing(result)) {
      if (!isAbsenceBelieved)
        throw new AppError('STORE_FETCH_FAILED', 'The store did not answer for a known app either.');
      const plan = toPlan(nextReadingOfListing(listing._id, now(), calledOn));
      // An app that has left the storefront keeps its stored content; it may come back.
      await deps.recordMissing.record(listing._id, calledAt, requestId, plan);
      return;
    }
    if (outcome?.$case !== 'found')
      throw new AppError(
        'STORE_FETCH_FAILED',
        outcome?.value.message ?? 'The answer of store-fetch does not contain this app.',
      );
    const reading = toListingReading(outcome.value);
    if (reading.app_id !== listing.app_id)
      throw new AppError(
        'STORE_FETCH_FAILED',
        `The answer of store-fetch contains ${reading.app_id} instead of this app.`,
      );
    await sourceGuard.admit(reading.source);
    // Completes the job: the plan is written with the reading, which ends the claim.
    await recordListing({
      storefront,
      reading,
      planNext: (id, { read_at: readAt }) => toPlan(nextReadingOfListing(id, readAt, calledOn)),
      requestId,
    });
  }

  /** Whether the store answers for a known app after it did not show some of a group. True if it showed all. */
  async function isAbsenceBelieved(
    storefront: Storefront,
    results: ReadonlyMap<string, ListingResult>,
    { requestId, signal }: JobCall,
  ): Promise<boolean> {
    const missing = [...results.values()].filter(isMissing).map((result) => result.app_id);
    if (missing.length === 0) return true;
    const deadline = new Date(Date.now() + canaryMs);
    const call = { requestId, signal, deadline, isUserWaiting: false };
    return deps.recordMissing.answersForKnownApp(storefront, missing, call);
  }

  async function fail(listing: ClaimedListing, isToBlame: boolean): Promise<void> {
    await queue.fail(listing, isToBlame, { at: now(), random });
  }

  return {
    name: `${storeNames[store]} listings`,
    maxConcurrency: maxConcurrentGroups,
    isAwaited: false,

    async claim(count) {
      const groups: ListingGroup[] = [];
      while (groups.length < count) {
        const group = await claimGroup();
        if (!group) break;
        groups.push(group);
      }
      return groups;
    },

    async run({ storefront, listings }, call) {
      const inUse = await dropUnused(listings.filter(isClaimLongEnough));
      if (inUse.length === 0) return 'skipped';
      const { requestId } = call;
      const calledAt = now();
      const calledOn = utcDay(calledAt);
      const results = await fetchListings(storefront, inUse, call).catch((error: unknown) => {
        // After a stop, the worker expects the signal's reason instead of the gRPC error.
        call.signal.throwIfAborted();
        throw error;
      });
      const isBelieved = await isAbsenceBelieved(storefront, results, call);
      call.signal.throwIfAborted();
      const saved = { calledOn, calledAt, requestId, isAbsenceBelieved: isBelieved };
      const failures: { listing: ClaimedListing; error: unknown }[] = [];
      await mapLimited(inUse, maxConcurrentSaves, async (listing) => {
        const result = results.get(listing.app_id);
        await save(storefront, listing, result, saved).catch((error: unknown) =>
          failures.push({ listing, error }),
        );
      });
      // When all listings fail, the cause is the store or the database, not a single listing.
      if (failures.length === inUse.length) throw failures[0]?.error;
      for (const { listing, error } of failures) {
        logger.warn({ err: error, listing: listing._id }, 'a listing could not be read; it is tried again');
        await fail(listing, true);
      }
      return 'done';
    },

    async fail({ listings }, isToBlame) {
      for (const listing of listings) await fail(listing, isToBlame);
    },

    partsOf: ({ listings }) => listings,

    nextDueAt: () => queue.nextDueAt([{ store }]),

    readBacklog: () => queue.readBacklog([{ store }], now()),

    requeue: (groups) => queue.requeue(groups.flatMap(({ listings }) => listings)),
  };
}

function isMissing(result: ListingResult | undefined): boolean {
  const outcome = result?.outcome;
  return outcome?.$case === 'failure' && outcome.value.code === 'APP_NOT_FOUND';
}

function toPlan(at: Date) {
  return { planned_at: at, due_at: at, failures: 0 };
}
