import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackCompetitorReply, TrackCompetitorRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId, checkText } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { ListingReading } from '../domain/listing.ts';
import { findOwnListing } from '../find-own-listing.ts';
import { readListing } from '../read-listing.ts';
import { appNotTracked, capReached } from '../refusals.ts';
import type { CompetitorKey } from '../stores/competitor-store.ts';
import type { TrackedAppKey } from '../stores/tracked-app-store.ts';
import { trackedByAccount } from '../tracked-by-account.ts';
import type { TrackingParts } from '../tracking-parts.ts';
import { watchListing } from '../watch-listing.ts';

const maxAppIdLength = 255;

/**
 * Notes an app of the store as a competitor of one that the account tracks. The store is read before anything is
 * written. Its ranks need no copying: they are read from the snapshots that the application's keywords have.
 */
export async function trackCompetitor(
  parts: TrackingParts,
  request: TrackCompetitorRequest,
  call: CallContext,
): Promise<TrackCompetitorReply> {
  const app = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const appId = checkText('competitor_app_id', request.competitor_app_id, 1, maxAppIdLength);
  const storefront = checkStorefront(request.storefront);
  const maxCompetitors = checkCap('max_competitors', request.max_competitors);

  const own = await findOwnListing(parts, app, storefront);
  if (appId === own.app_id || appId === own.bundle_id) throw selfCompetitor();
  await refuseKnown(parts, app, storefront, appId);
  await refuseOverCap(parts, app.account_id, maxCompetitors);
  const reading = await readCompetitor(parts, storefront, appId, call);
  if (reading.appId === own.app_id) throw selfCompetitor();
  const competitor = await watchListing(parts, storefront, reading, call.requestId);
  const key = { ...app, competitor_id: competitor._id };
  const id = await parts.locks.withLock(app.account_id, () => link(parts, key, maxCompetitors));
  return {
    id,
    competitor_id: competitor._id,
    competitor_app_id: competitor.app_id,
    title: competitor.title,
  };
}

/** Spares the store a reading when the id, as it was sent, is a competitor already. */
async function refuseKnown(
  { listings, competitors }: TrackingParts,
  app: TrackedAppKey,
  storefront: Storefront,
  appId: string,
): Promise<void> {
  const listing = await listings.findInStorefront(storefront, appId);
  if (!listing) return;
  if (await competitors.isActive({ ...app, competitor_id: listing._id })) throw duplicate();
}

/** @throws PLAN_LIMIT */
async function refuseOverCap(
  { trackedApps, competitors }: TrackingParts,
  accountId: string,
  maxCompetitors: number | null,
): Promise<void> {
  if (maxCompetitors === null) return;
  const filter = await trackedByAccount({ trackedApps }, accountId);
  if ((await competitors.countActive(filter)) >= maxCompetitors)
    throw capReached('competitor', maxCompetitors);
}

/** @throws COMPETITOR_NOT_FOUND, STORE_FETCH_FAILED */
async function readCompetitor(
  parts: TrackingParts,
  storefront: Storefront,
  appId: string,
  call: CallContext,
): Promise<ListingReading> {
  try {
    return await readListing(parts, storefront, appId, call);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'APP_NOT_FOUND') throw error;
    throw new AppError('COMPETITOR_NOT_FOUND', 'The store has no such application in this storefront.', {
      cause: error,
    });
  }
}

/** Alone for its account, so that the cap and the application still are what they were found to be. */
async function link(
  parts: TrackingParts,
  key: CompetitorKey,
  maxCompetitors: number | null,
): Promise<number> {
  const { trackedApps, competitors, now } = parts;
  const { account_id: accountId } = key;
  const app = { account_id: accountId, listing_id: key.listing_id };
  if (!(await trackedApps.isActive(app))) throw appNotTracked();
  if (await competitors.isActive(key)) throw duplicate();
  await refuseOverCap(parts, accountId, maxCompetitors);
  const id = await competitors.track(key, now());
  if (id === null) throw duplicate();
  // Another process removed the application meanwhile; its sweep may have missed what was written just now.
  if (!(await trackedApps.isActive(app))) {
    await competitors.untrack(accountId, id, now());
    throw appNotTracked();
  }
  return id;
}

function selfCompetitor(): AppError {
  return new AppError('SELF_COMPETITOR', 'An application cannot be its own competitor.');
}

function duplicate(): AppError {
  return new AppError('DUPLICATE', 'It is a competitor of this application already.');
}
