import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { shortenDeadline } from '@shelfwise/runtime/concurrency/deadline';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { type ListingReading, toListingReading } from '../domain/listing.ts';

/**
 * Time limit of the read: store-fetch queues a call for 25 s at most, and the store has 8 s to answer. The last
 * `saveMs` before the caller's deadline are reserved for saving and replying.
 */
const readMs = 33_000;
const saveMs = 1000;

function shorten(call: CallContext): CallContext {
  return shortenDeadline(call, { maxMs: readMs, reserveMs: saveMs });
}

/** The options of further look-ups in the same call of a user. */
export function lookUpOptions(call: CallContext) {
  const { requestId, signal, deadline } = shorten(call);
  return { requestId, signal, deadline, isUserWaiting: true };
}

export type ReadListing = ReturnType<typeof createReadListing>;

/**
 * Reads one listing from the store, ahead of the daily run because a user waits for it. Saves nothing.
 * @throws APP_NOT_FOUND, STORE_FETCH_FAILED, SERVICE_UNAVAILABLE
 */
export function createReadListing(deps: { storeFetch: GrpcClient<typeof StoreFetchServiceService> }) {
  return async (storefront: Storefront, appId: string, call: CallContext): Promise<ListingReading> => {
    const request = { storefront, app_id: appId, with_subtitle: true, for_daily_run: false };
    return toListingReading(await deps.storeFetch.getListing(request, shorten(call)));
  };
}
