import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { TrackCompetitorReply, TrackCompetitorRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkCap, checkId, checkText } from '@shelfwise/runtime/check-request';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import type { ListingReading } from '../domain/listing.ts';
import { maxAppIdLength } from '../domain/listing-fields.ts';
import { competitorTracked, competitorUntracked } from '../domain/tracking-events.ts';
import type { AddTrackedListing } from '../listings/add-tracked-listing.ts';
import type { FindTrackedListing } from '../listings/find-tracked-listing.ts';
import { lookUpOptions, type ReadListing } from '../listings/read-listing.ts';
import { missingApp, type RecordMissing } from '../listings/record-missing.ts';
import type { CompetitorKey, CompetitorStore } from '../stores/competitor-store.ts';
import type { Listing, ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, capReached, noRoom } from '../tracking-errors.ts';

type Deps = {
  trackedApps: TrackedAppStore;
  competitors: CompetitorStore;
  listings: ListingStore;
  findTrackedListing: FindTrackedListing;
  readListing: ReadListing;
  recordMissing: Pick<RecordMissing, 'confirm'>;
  addTrackedListing: AddTrackedListing;
  accountLocks: LocksByKey;
  capReservations: CapReservations;
  /** Called when a listing may have become due. */
  wakeListings: () => void;
  now: () => Date;
  wakeRelay: () => void;
};

/**
 * Adds an app of the store as a competitor of a tracked application. Reads the store before it writes anything.
 * @throws APP_NOT_FOUND (not tracked), SELF_COMPETITOR, DUPLICATE, PLAN_LIMIT, COMPETITOR_NOT_FOUND (not in the store),
 *   STORE_FETCH_FAILED, INVALID_PARAMS, SERVICE_UNAVAILABLE (another call has reserved the last room)
 */
export async function trackCompetitor(
  deps: Deps,
  request: TrackCompetitorRequest,
  call: CallContext,
): Promise<TrackCompetitorReply> {
  const appKey = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const competitorAppId = checkText('competitor_app_id', request.competitor_app_id, 1, maxAppIdLength);
  const storefront = checkStorefront(request.storefront);
  const maxCompetitors = checkCap('max_competitors', request.max_competitors);

  const application = await deps.findTrackedListing(appKey, storefront);
  if (competitorAppId === application.app_id || competitorAppId === application.bundle_id)
    throw selfCompetitor();
  await refuseKnown(deps, appKey, storefront, competitorAppId);
  await refuseOverCap(deps, appKey.account_id, maxCompetitors);
  const reading = await readCompetitor(deps, appKey, { storefront, appId: competitorAppId }, call);
  if (reading.app_id === application.app_id) throw selfCompetitor();
  const competitor = await deps.addTrackedListing(storefront, reading, call.requestId);
  const id = await deps.accountLocks.withLock(appKey.account_id, () =>
    link(deps, appKey, { competitor, maxCompetitors }, call),
  );
  deps.wakeRelay();
  // After its row: a listing without one would be looked at again only a minute later.
  if (competitor.subtitle === null) deps.wakeListings();
  return {
    id,
    competitor_id: competitor._id,
    competitor_app_id: competitor.app_id,
    title: competitor.title,
  };
}

/**
 * Refuses an app that was sent by its stored id and is already a competitor, without reading the store.
 * @throws DUPLICATE
 */
async function refuseKnown(
  { listings, competitors }: Deps,
  appKey: TrackedAppKey,
  storefront: Storefront,
  competitorAppId: string,
): Promise<void> {
  const listing = await listings.findKey(storefront, { app_id: competitorAppId });
  if (!listing) return;
  await refuseTracked({ competitors }, { ...appKey, competitor_id: listing._id });
}

/** @throws PLAN_LIMIT */
async function refuseOverCap(
  { trackedApps, competitors }: Deps,
  accountId: string,
  maxCompetitors: number | null,
): Promise<void> {
  if (maxCompetitors === null) return;
  if ((await countCompetitors({ trackedApps, competitors }, accountId)) >= maxCompetitors)
    throw capReached('competitor', maxCompetitors);
}

async function countCompetitors(
  { trackedApps, competitors }: Pick<Deps, 'trackedApps' | 'competitors'>,
  accountId: string,
): Promise<number> {
  return competitors.countActive(await trackedApps.selectTracked(accountId));
}

/** @throws DUPLICATE, COMPETITOR_NOT_FOUND, STORE_FETCH_FAILED (also for an app that was listed before and is not unlisted yet) */
async function readCompetitor(
  deps: Deps,
  appKey: TrackedAppKey,
  { storefront, appId }: { storefront: Storefront; appId: string },
  call: CallContext,
): Promise<ListingReading> {
  try {
    return await deps.readListing(storefront, appId, call);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'APP_NOT_FOUND') throw error;
    const notFound = new AppError('COMPETITOR_NOT_FOUND', error.message, { cause: error });
    const ids = [{ app_id: appId }, { bundle_id: appId }];
    const found = await Promise.all(ids.map((id) => deps.listings.findKey(storefront, id)));
    const known = found.find((listing) => listing !== null);
    if (!known) throw notFound;
    await refuseTracked(deps, { ...appKey, competitor_id: known._id });
    const absence = await deps.recordMissing.confirm(known, lookUpOptions(call));
    throw missingApp(absence, notFound);
  }
}

/**
 * Checks again and writes the relation; returns its id.
 * @throws APP_NOT_FOUND, DUPLICATE, PLAN_LIMIT, SERVICE_UNAVAILABLE
 */
async function link(
  deps: Deps,
  appKey: TrackedAppKey,
  { competitor, maxCompetitors }: { competitor: Listing; maxCompetitors: number | null },
  { signal, requestId }: CallContext,
): Promise<number> {
  const { trackedApps, competitors, capReservations, now } = deps;
  const { account_id: accountId, listing_id: appId } = appKey;
  const key = { ...appKey, competitor_id: competitor._id };
  const undo = async (id: number): Promise<void> => {
    await competitors.untrack(accountId, id, now(), (row, at) => competitorUntracked(row, { at, requestId }));
  };

  async function track(): Promise<number> {
    const id = await competitors.track(key, now(), (at) =>
      competitorTracked({ account_id: accountId, app_id: appId }, competitor, { at, requestId }),
    );
    if (id === null) {
      await refuseTracked(deps, key);
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'The competitor is being changed by another call. Try again.',
      );
    }
    // Another copy removed the application meanwhile, and its removal may have missed the new row.
    if (await trackedApps.isActive(appKey)) return id;
    await undo(id);
    throw appNotTracked();
  }

  if (!(await trackedApps.isActive(appKey))) throw appNotTracked();
  const countRows = () => countCompetitors(deps, accountId);
  const request = {
    accountId,
    item: 'competitors',
    cap: maxCompetitors,
    wanted: 1,
    countRows,
    signal,
  } as const;
  const { written, isFull } = await capReservations.write(request, { write: track, undo });
  if (written !== null) return written;
  // Perhaps the call that got the last room adds the same competitor.
  await refuseTracked(deps, key);
  throw noRoom('competitor', maxCompetitors ?? 0, isFull);
}

function selfCompetitor(): AppError {
  return new AppError('SELF_COMPETITOR', 'An application cannot be its own competitor.');
}

/** @throws DUPLICATE with the id of the relation */
async function refuseTracked({ competitors }: Pick<Deps, 'competitors'>, key: CompetitorKey): Promise<void> {
  const id = await competitors.findActive(key);
  if (id === null) return;
  throw new AppError('DUPLICATE', 'This app is already a competitor of this application.', {
    details: { id },
  });
}
