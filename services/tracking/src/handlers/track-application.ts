import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackApplicationReply, TrackApplicationRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkText } from '@shelfwise/runtime/check-request';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';
import { mongo } from 'mongoose';
import type { AppRemovals } from '../accounts/app-removals.ts';
import type { ListingReading } from '../domain/listing.ts';
import { maxAppIdLength } from '../domain/listing-fields.ts';
import { applicationTracked, applicationUntracked } from '../domain/tracking-events.ts';
import type { AddTrackedListing } from '../listings/add-tracked-listing.ts';
import { lookUpOptions, type ReadListing } from '../listings/read-listing.ts';
import { missingApp, type RecordMissing } from '../listings/record-missing.ts';
import type { Listing, ListingKey, ListingStore, StoreId } from '../stores/listing-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import { capReached, noRoom } from '../tracking-errors.ts';

type Deps = {
  trackedApps: TrackedAppStore;
  listings: ListingStore;
  readListing: ReadListing;
  recordMissing: Pick<RecordMissing, 'confirm'>;
  addTrackedListing: AddTrackedListing;
  appRemovals: Pick<AppRemovals, 'complete'>;
  accountLocks: LocksByKey;
  capReservations: CapReservations;
  /** Called when a listing may have become due. */
  wakeListings: () => void;
  now: () => Date;
  wakeRelay: () => void;
};

/**
 * Starts to track an app of a store. Reads the store before it writes anything.
 * @throws DUPLICATE, PLAN_LIMIT, APP_NOT_FOUND (not in the store), STORE_FETCH_FAILED (also see `readOrExplain`),
 *   CREATE_APP_FAILED, INVALID_PARAMS, SERVICE_UNAVAILABLE (another call has reserved the last room)
 */
export async function trackApplication(
  deps: Deps,
  request: TrackApplicationRequest,
  call: CallContext,
): Promise<TrackApplicationReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const appId = checkText('app_id', request.app_id, 1, maxAppIdLength);
  const maxApps = checkCap('max_apps', request.max_apps);

  const sent = await findUntracked(deps, accountId, storefront, { app_id: appId });
  await refuseOverCap(deps, accountId, maxApps);
  const reading = await readOrExplain(deps, { accountId, storefront, appId, known: sent.listing }, call);
  const listing = await orCreateAppFailed(async () => {
    const app =
      reading.app_id === appId
        ? sent
        : await findUntracked(deps, accountId, storefront, { app_id: reading.app_id });
    const saved = await deps.addTrackedListing(storefront, reading, call.requestId);
    const key = { account_id: accountId, listing_id: saved._id };
    // A pending removal may take long: most of it is done here, outside the lock.
    if (app.isRemovalPending) await deps.appRemovals.complete(key, call.requestId);
    await deps.accountLocks.withLock(accountId, () => link(deps, key, saved, maxApps, call));
    return saved;
  });
  // After its row: a listing without one would be looked at again only a minute later.
  if (listing.subtitle === null) deps.wakeListings();
  return { id: listing._id, app_id: listing.app_id, title: listing.title };
}

/**
 * The listing of an app, null when there is none, and whether its removal from the account is pending. Called before the
 * store is read, to refuse an app that was sent by its stored id. A bundle id is recognized after the reading.
 * @throws DUPLICATE when the account tracks it
 */
async function findUntracked(
  { listings, trackedApps }: Deps,
  accountId: string,
  storefront: Storefront,
  id: StoreId,
): Promise<{ listing: ListingKey | null; isRemovalPending: boolean }> {
  const listing = await listings.findKey(storefront, id);
  const row = listing && (await trackedApps.find({ account_id: accountId, listing_id: listing._id }));
  if (row?.active) throw duplicate(row.listing_id);
  return { listing, isRemovalPending: row?.is_removal_pending === true };
}

type SentApp = { accountId: string; storefront: Storefront; appId: string; known: ListingKey | null };

/** @throws DUPLICATE, APP_NOT_FOUND, or STORE_FETCH_FAILED for an app that was listed before and is not unlisted yet */
async function readOrExplain(
  deps: Deps,
  { accountId, storefront, appId, known }: SentApp,
  call: CallContext,
): Promise<ListingReading> {
  try {
    return await deps.readListing(storefront, appId, call);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'APP_NOT_FOUND') throw error;
    const listed = known ?? (await findUntracked(deps, accountId, storefront, { bundle_id: appId })).listing;
    if (!listed) throw error;
    const absence = await deps.recordMissing.confirm(listed, lookUpOptions(call));
    throw missingApp(absence, error);
  }
}

/** @throws PLAN_LIMIT */
async function refuseOverCap(
  { trackedApps }: Deps,
  accountId: string,
  maxApps: number | null,
): Promise<void> {
  if (maxApps !== null && (await trackedApps.countActive(accountId)) >= maxApps)
    throw capReached('tracked application', maxApps);
}

/**
 * Checks again and writes the row that links the listing to the account. Only these checks count; those before the
 * reading save a call to the store.
 * @throws DUPLICATE, PLAN_LIMIT, SERVICE_UNAVAILABLE
 */
async function link(
  deps: Deps,
  key: TrackedAppKey,
  listing: Listing,
  maxApps: number | null,
  { requestId, signal }: CallContext,
): Promise<void> {
  const { trackedApps, appRemovals, capReservations, now, wakeRelay } = deps;
  const { account_id: accountId } = key;
  const eventAt = (at: Date) => applicationTracked(accountId, listing, { at, requestId });

  const first = await trackedApps.find(key);
  if (first?.active) throw duplicate(listing._id);

  async function track(): Promise<true> {
    for (let stored = first; ; stored = await trackedApps.find(key)) {
      if (stored?.active) throw duplicate(listing._id);
      // Another call may remove the app until it is tracked here, and a pending removal does not allow that.
      if (stored?.is_removal_pending) await appRemovals.complete(key, requestId);
      else if (await trackedApps.track(key, stored, now(), eventAt)) return true;
    }
  }

  async function untrack(): Promise<void> {
    await trackedApps.untrack(key, now(), (at) =>
      applicationUntracked({ account_id: accountId, id: key.listing_id }, { at, requestId }),
    );
    await appRemovals.complete(key, requestId);
  }

  const countRows = () => trackedApps.countActive(accountId);
  const request = { accountId, item: 'apps', cap: maxApps, wanted: 1, countRows, signal } as const;
  const { written: isTracked, isFull } = await capReservations.write(request, {
    write: track,
    undo: untrack,
  });
  wakeRelay();
  if (isTracked) return;
  // Perhaps the call that got the last room tracks the same app.
  if (await trackedApps.isActive(key)) throw duplicate(listing._id);
  throw noRoom('tracked application', maxApps ?? 0, isFull);
}

/** Turns a failed write into CREATE_APP_FAILED, except an AppError and the error of an unreachable database. */
async function orCreateAppFailed<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    if (error instanceof AppError || isDatabaseUnreachable(error)) throw error;
    throw new AppError('CREATE_APP_FAILED', 'The application could not be saved. Try again.', {
      cause: error,
    });
  }
}

/** A MongoServerError is an answer, so the database is reachable. */
function isDatabaseUnreachable(error: unknown): boolean {
  return isDatabaseFailure(error) && !(error instanceof mongo.MongoServerError);
}

function duplicate(id: number): AppError {
  const message = 'This account already tracks the application in this storefront.';
  return new AppError('DUPLICATE', message, { details: { id } });
}
