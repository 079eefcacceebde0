import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { shortenDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';

export type StoreReader = {
  storeFetch: Pick<
    GrpcClient<typeof StoreFetchServiceService>,
    'searchApps' | 'getListings' | 'suggestTerms' | 'getChart'
  >;
  sourceGuard: SourceGuard;
  now: () => Date;
};

/** The caller of a measurement, and how long its store calls may take. */
export type ReadContext = {
  requestId: string;
  callerId: string | undefined;
  isUserWaiting: boolean;
  /** Fires when the last caller has gone. */
  signal: AbortSignal;
  /** The latest deadline of all callers. It may move later while the measurement runs. */
  deadline: () => Date;
};

/** The time of one call: up to 25 s for a call slot, then the store's reply. */
const callMs = 45_000;
/** The time left after the last call to store what was read. */
const writeMs = 1000;

export function nextCall({ requestId, callerId, signal, deadline }: ReadContext): CallOptions {
  const call = { requestId, callerId, signal, deadline: deadline() };
  return shortenDeadline(call, { maxMs: callMs, reserveMs: writeMs });
}

/**
 * Returns a reading, or the failure when the store could not be read or store-fetch could not be reached. Throws all
 * other errors, and the signal's reason once every caller has gone.
 */
export async function readOrFailure<Reading>(
  { signal }: Pick<ReadContext, 'signal'>,
  reading: Promise<Reading>,
): Promise<{ found: Reading } | { failure: AppError }> {
  try {
    return { found: await reading };
  } catch (error) {
    signal.throwIfAborted();
    if (isUpstreamFailure(error)) return { failure: error };
    throw error;
  }
}

/**
 * When and from where a reply was read.
 * @throws INTERNAL_ERROR when store-fetch does not say
 * @throws STORE_FETCH_FAILED when the database holds readings of the other kind of store
 */
export async function admitReading(
  { sourceGuard }: StoreReader,
  reading: { read_at: Date | null; source: string } | null,
): Promise<{ read_at: Date; source: string }> {
  if (!reading?.read_at) throw new AppError('INTERNAL_ERROR', 'store-fetch sent a reading without its time.');
  await sourceGuard.admit(reading.source);
  return { read_at: reading.read_at, source: reading.source };
}
