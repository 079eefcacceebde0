import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackApplicationReply, TrackApplicationRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkText } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';
import { mongo } from 'mongoose';
import { applicationTracked } from '../domain/tracking-events.ts';
import { readListing } from '../read-listing.ts';
import { capReached } from '../refusals.ts';
import type { Listing } from '../stores/listing-store.ts';
import type { TrackedAppKey } from '../stores/tracked-app-store.ts';
import type { TrackingParts } from '../tracking-parts.ts';
import { watchListing } from '../watch-listing.ts';

const maxAppIdLength = 255;

/** Links an app of a store to the account. The store is read before anything is written. */
export async function trackApplication(
  parts: TrackingParts,
  request: TrackApplicationRequest,
  call: CallContext,
): Promise<TrackApplicationReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const appId = checkText('app_id', request.app_id, 1, maxAppIdLength);
  const maxApps = checkCap('max_apps', request.max_apps);

  await refuseKnown(parts, accountId, storefront, appId);
  await refuseOverCap(parts, accountId, maxApps);
  const reading = await readListing(parts, storefront, appId, call);
  const listing = await orCreateAppFailed(async () => {
    const saved = await watchListing(parts, storefront, reading, call.requestId);
    const key = { account_id: accountId, listing_id: saved._id };
    // A long sweep of an earlier removal must not keep the account's other changes waiting.
    await parts.applicationSweeper.sweep(key, call.requestId);
    await parts.locks.withLock(accountId, () => link(parts, key, saved, maxApps, call.requestId));
    return saved;
  });
  return { id: listing._id, app_id: listing.app_id, title: listing.title };
}

/** Spares the store a reading when the id, as it was sent, is tracked already. */
async function refuseKnown(
  { listings, trackedApps }: TrackingParts,
  accountId: string,
  storefront: Storefront,
  appId: string,
): Promise<void> {
  const listing = await listings.findInStorefront(storefront, appId);
  if (!listing) return;
  if (await trackedApps.isActive({ account_id: accountId, listing_id: listing._id })) throw duplicate();
}

/** @throws PLAN_LIMIT */
async function refuseOverCap(
  { trackedApps }: TrackingParts,
  accountId: string,
  maxApps: number | null,
): Promise<void> {
  if (maxApps !== null && (await trackedApps.countActive(accountId)) >= maxApps)
    throw capReached('tracked application', maxApps);
}

/** The cap is counted again, alone for the account: before the reading it only spares the store. */
async function link(
  parts: TrackingParts,
  key: TrackedAppKey,
  listing: Listing,
  maxApps: number | null,
  requestId: string,
): Promise<void> {
  const { trackedApps, applicationSweeper, now, wake } = parts;
  const { account_id: accountId } = key;
  if (await trackedApps.isActive(key)) throw duplicate();
  await refuseOverCap(parts, accountId, maxApps);
  await applicationSweeper.sweep(key, requestId);
  const at = now();
  const event = applicationTracked(accountId, listing, { at, requestId });
  if (!(await trackedApps.track(key, at, event))) throw duplicate();
  wake();
}

/** A write that the database refused is CREATE_APP_FAILED; one that never reached it is told as for every call. */
async function orCreateAppFailed<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    if (error instanceof AppError || isDatabaseLost(error)) throw error;
    throw new AppError('CREATE_APP_FAILED', 'The application could not be saved. Try again.', {
      cause: error,
    });
  }
}

/** A server that answers with an error is not lost. */
function isDatabaseLost(error: unknown): boolean {
  return isDatabaseFailure(error) && !(error instanceof mongo.MongoServerError);
}

function duplicate(): AppError {
  return new AppError('DUPLICATE', 'This account tracks the application in this storefront already.');
}
