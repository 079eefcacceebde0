import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingResult, StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { startOfDay, startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import type { Logger } from '@shelfwise/runtime/logger';
import { toListingReading } from '../domain/listing.ts';
import { planRead } from '../domain/listing-plan.ts';
import { findWatched } from '../find-watched.ts';
import type { ListingRecorder } from '../listing-recorder.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { DueListingStore, TakenListing } from '../stores/due-listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

/** Listings of one storefront, which one call reads. */
export type ListingGroup = { storefront: Storefront; listings: TakenListing[] };

type DailyCall = { requestId: string; signal: AbortSignal };

/** As many as one call of store-fetch takes. */
const groupSize = 20;
const groupsAtOnce = 2;
const savesAtOnce = 5;
const readMs = 60_000;
/** Longer than a reading and its saving; a group of a copy that died is due again after it. */
const leaseMs = 3 * 60_000;
/** How often other copies may be faster before a claim gives up; the worker soon asks again. */
const claimTries = 3;
/** A listing bears the plan before the row that says who watches it, so nothing is said of a plan this young. */
const linkMs = 3_600_000;
const lookAgainMs = 60_000;

/**
 * The daily readings of one store's listings, oldest due first. A listing that is due takes others of its storefront
 * along that are planned for later that day: a store answers for twenty as fast as for one.
 */
export function createListingJobs(deps: {
  store: Store;
  dueListings: DueListingStore;
  trackedApps: TrackedAppStore;
  competitors: CompetitorStore;
  listingRecorder: ListingRecorder;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  logger: Logger;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<ListingGroup> {
  const { store, dueListings, listingRecorder, storeFetch, sourceGuard, logger, now } = deps;

  async function claimGroup(): Promise<ListingGroup | null> {
    for (let tries = 0; tries < claimTries; tries++) {
      const storefront = await dueListings.findOldest(store, now());
      if (!storefront) return null;
      const at = now();
      const listings = await dueListings.take(storefront, {
        count: groupSize,
        now: at,
        planEnd: startOfNextDay(at),
        until: new Date(at.getTime() + leaseMs),
      });
      if (listings.length > 0) return { storefront, listings };
    }
    return null;
  }

  /** What waited for its turn for too long may be another copy's before it is read. */
  const isHeld = ({ until }: TakenListing) => now().getTime() + readMs < until.getTime();

  /** Those that somebody watches. The others are read no more. */
  async function keepWatched(listings: readonly TakenListing[]): Promise<TakenListing[]> {
    const watched = await findWatched(
      deps,
      listings.map(({ _id }) => _id),
    );
    for (const listing of listings) if (!watched.has(listing._id)) await retire(listing);
    return listings.filter(({ _id }) => watched.has(_id));
  }

  async function retire(listing: TakenListing): Promise<void> {
    const at = now().getTime();
    if (await dueListings.retire(listing, new Date(at - linkMs))) return;
    await dueListings.release(listing, { due_at: new Date(at + lookAgainMs) });
  }

  async function ask(
    storefront: Storefront,
    listings: readonly TakenListing[],
    { requestId, signal }: DailyCall,
  ): Promise<Map<string, ListingResult>> {
    const request = {
      storefront,
      app_ids: listings.map(({ app_id: appId }) => appId),
      with_subtitle: true,
      for_daily_run: true,
      fresh_since: startOfDay(utcDay(now())),
    };
    const deadline = new Date(Date.now() + readMs);
    const { results } = await storeFetch.getListings(request, { requestId, deadline, signal });
    return new Map(results.map((result) => [result.app_id, result]));
  }

  /** Keeps one answer. @throws STORE_FETCH_FAILED, or what the database says */
  async function keep(
    storefront: Storefront,
    listing: TakenListing,
    result: ListingResult | undefined,
    asked: { on: string; requestId: string },
  ): Promise<void> {
    const outcome = result?.outcome;
    if (outcome?.$case === 'failure' && outcome.value.code === 'APP_NOT_FOUND')
      return noteGone(listing, asked.on);
    if (outcome?.$case !== 'found')
      throw new AppError('STORE_FETCH_FAILED', outcome?.value.message ?? 'The answer leaves the app out.');
    const reading = toListingReading(outcome.value);
    if (reading.appId !== listing.app_id)
      throw new AppError('STORE_FETCH_FAILED', `The answer shows ${reading.appId} in place of the app.`);
    await sourceGuard.admit(reading.content.source);
    const planNext = (id: number, known: { read_at: Date }) => nextReading(planRead(id, known, asked.on));
    await listingRecorder.record({ storefront, reading, planNext, requestId: asked.requestId });
  }

  /** What is known of an app that has left the storefront stays; it may come back. */
  function noteGone(listing: TakenListing, askedOn: string): Promise<void> {
    const at = now();
    const next = planRead(listing._id, { read_at: at }, askedOn);
    return dueListings.release(listing, { ...nextReading(next), gone_since: listing.gone_since ?? at });
  }

  async function backOff(listing: TakenListing): Promise<void> {
    const failures = listing.failures + 1;
    await dueListings.release(listing, { due_at: retryAt(now(), failures, deps.random), failures });
  }

  return {
    name: `${storeNames[store]} listings`,
    maxConcurrency: groupsAtOnce,

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
      const watched = await keepWatched(listings.filter(isHeld));
      if (watched.length === 0) return 'skipped';
      const asked = { on: utcDay(now()), requestId: call.requestId };
      const results = await ask(storefront, watched, call).catch((error: unknown) => {
        call.signal.throwIfAborted();
        throw error;
      });
      const failures: { listing: TakenListing; error: unknown }[] = [];
      await mapLimited(watched, savesAtOnce, async (listing) => {
        const result = results.get(listing.app_id);
        await keep(storefront, listing, result, asked).catch((error: unknown) =>
          failures.push({ listing, error }),
        );
      });
      // Then the store is to blame, or the database, and not a single listing.
      if (failures.length === watched.length) throw failures[0]?.error;
      for (const { listing, error } of failures) {
        logger.warn({ err: error, listing: listing._id }, 'a listing could not be read; it is tried again');
        await backOff(listing);
      }
      return 'done';
    },

    async fail({ listings }, isToBlame) {
      for (const listing of listings)
        if (isToBlame) await backOff(listing);
        else await dueListings.release(listing, { due_at: retryAt(now(), 1, deps.random) });
    },

    async requeue(groups) {
      const all = groups.flatMap(({ listings }) => listings);
      for (const listing of all) await dueListings.release(listing, { due_at: listing.wasDueAt });
    },
  };
}

function nextReading(at: Date) {
  return { planned_at: at, due_at: at, failures: 0 };
}
