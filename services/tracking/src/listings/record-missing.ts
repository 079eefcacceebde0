import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { Collection, type StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { startOfDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { compareImages } from '../domain/image-changes.ts';
import { toListingVersion } from '../domain/listing-version.ts';
import { listingChanged } from '../domain/tracking-events.ts';
import type { ListingKey, ListingPlan, ListingStore } from '../stores/listing-store.ts';
import type { ListingVersionStore } from '../stores/listing-version-store.ts';

/**
 * What empty look-ups of a listing show. `unlisted`: look-ups on two UTC days were empty, and after each the store
 * answered for an app that it has. `missing`: not yet. `listed`: a newer reading found the app.
 */
export type Absence = 'unlisted' | 'missing' | 'listed';

type LookUp = { requestId: string; isUserWaiting: boolean } & Pick<CallOptions, 'deadline' | 'signal'>;

export type RecordMissing = ReturnType<typeof createRecordMissing>;

/** Decides when an app that the store does not show any more is unlisted. */
export function createRecordMissing(deps: {
  listings: ListingStore;
  listingVersions: ListingVersionStore;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  now: () => Date;
  wakeRelay: () => void;
}) {
  const { listings, listingVersions, storeFetch, now, wakeRelay } = deps;

  /** Whether the store shows the app, as read since `freshSince`; null: it could not be read. */
  async function isShown(
    storefront: Storefront,
    appId: string,
    freshSince: Date,
    { isUserWaiting, ...call }: LookUp,
  ): Promise<boolean | null> {
    const request = {
      storefront,
      app_ids: [appId],
      with_subtitle: false,
      for_daily_run: !isUserWaiting,
      fresh_since: freshSince,
    };
    const { results } = await storeFetch.getListings(request, call);
    const outcome = results[0]?.outcome;
    if (outcome?.$case === 'found') return true;
    return outcome?.value.code === 'APP_NOT_FOUND' ? false : null;
  }

  /** The first app of the chart of all free apps; null when the chart cannot be read. */
  async function findChartedApp(
    storefront: Storefront,
    { isUserWaiting, ...call }: LookUp,
  ): Promise<string | null> {
    const request = {
      storefront,
      category: 'OVERALL',
      collection: Collection.FREE,
      limit: 1,
      for_daily_run: !isUserWaiting,
    };
    const { apps } = await storeFetch.getChart(request, call);
    return apps[0]?.app_id ?? null;
  }

  /**
   * Whether the store answers for a known app of the storefront: one that is read daily, else the first of a chart. If
   * it does not, nothing says that the missing ones are gone.
   */
  async function answersForKnownApp(
    storefront: Storefront,
    missingIds: readonly string[],
    call: LookUp,
  ): Promise<boolean> {
    const since = now();
    try {
      const known = await listings.findReadDaily(storefront, missingIds);
      if (known !== null && (await isShown(storefront, known, since, call))) return true;
      const charted = await findChartedApp(storefront, call);
      if (charted === null || missingIds.includes(charted)) return false;
      return (await isShown(storefront, charted, since, call)) === true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /**
   * Saves an empty look-up after which the store answered for a known app, and the next plan if there is one. The
   * second UTC day makes the listing unlisted since the first one, with a revision and its event.
   */
  async function record(
    listingId: number,
    at: Date,
    requestId: string,
    plan: ListingPlan | null,
  ): Promise<Absence> {
    for (;;) {
      const stored = await listings.find(listingId);
      if (!stored) return 'missing';
      if (stored.read_at > at) {
        if (plan) await listings.plan(listingId, plan);
        return 'listed';
      }
      const { missing_since: missingSince } = stored;
      if (stored.unlisted_since || missingSince === null || utcDay(missingSince) >= utcDay(at)) {
        await listings.setMissing(listingId, { missing_since: missingSince ?? at, missed_at: at }, plan);
        return stored.unlisted_since ? 'unlisted' : 'missing';
      }
      if (!(await listingVersions.has(listingId, stored.revision)))
        await listingVersions.add(toListingVersion(stored));
      const next = {
        ...plan,
        missing_since: missingSince,
        missed_at: at,
        unlisted_since: missingSince,
        revision: stored.revision + 1,
        changed: ['unlisted_since' as const],
        changed_at: at,
        images: compareImages(stored, stored),
      };
      const revised = { ...stored, ...next };
      const event = listingChanged(revised, { at: now(), requestId });
      if (!(await listings.markUnlisted(stored, next, { event, at: now() }))) continue;
      wakeRelay();
      await listingVersions.add(toListingVersion(revised));
      return 'unlisted';
    }
  }

  return {
    answersForKnownApp,
    record,

    /** For a stored listing that a user's look-up did not find: looks again, unless today's look-up was empty, too. */
    async confirm({ _id, ...storefront }: ListingKey, call: LookUp): Promise<Absence> {
      const stored = await listings.find(_id);
      if (!stored) return 'missing';
      if (stored.unlisted_since) return 'unlisted';
      const { app_id: appId } = stored;
      const at = now();
      const shown = await isShown(storefront, appId, startOfDay(utcDay(at)), call);
      if (shown !== false) return shown ? 'listed' : 'missing';
      if (!(await answersForKnownApp(storefront, [appId], call))) return 'missing';
      return record(_id, at, call.requestId, null);
    },
  };
}

/**
 * The error for an app that was listed before and is not found now.
 * @param notFound the store's answer, which holds once the app is unlisted
 */
export function missingApp(absence: Absence, notFound: AppError): AppError {
  if (absence === 'unlisted') return notFound;
  return new AppError(
    'STORE_FETCH_FAILED',
    'The store does not show this app now, although it did before. Try again later; it counts as removed from the store when it is missing on two days.',
    { cause: notFound },
  );
}
