import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';

/** What every reading of a measuring needs. */
export type StoreReader = {
  storeFetch: Pick<
    GrpcClient<typeof StoreFetchServiceService>,
    'searchApps' | 'getListings' | 'suggestTerms' | 'getChart'
  >;
  sourceGuard: SourceGuard;
  now: () => Date;
};

/** On whose behalf a measuring reads the store. */
export type ReadContext = {
  requestId: string;
  isUserWaiting: boolean;
  /** Fires when the last caller has gone. */
  signal: AbortSignal;
  /** The latest deadline of all callers; it may become later while the measuring runs. */
  deadline: () => Date;
};

/** One call: the wait for a call slot (25 s at most) and the store's answer. */
const callMs = 45_000;
/** What is left after the last call, to write what was read. */
const writeMs = 1000;

/** The context of the next call of a measuring. */
export function nextCall({ requestId, signal, deadline }: ReadContext): CallOptions {
  return withinDeadline({ requestId, signal, deadline: deadline() }, callMs, writeMs);
}

/**
 * A reading, or the failure of an upstream: the store could not be read, or store-fetch not be reached. All else is thrown,
 * the signal's reason too once every caller has gone.
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

/** When and from where a reply was read. @throws INTERNAL_ERROR: store-fetch always says so */
export async function admitReading(
  { sourceGuard }: StoreReader,
  reading: { read_at: Date | null; source: string } | null,
): Promise<{ read_at: Date; source: string }> {
  if (!reading?.read_at) throw new AppError('INTERNAL_ERROR', 'A store reading has no moment.');
  await sourceGuard.admit(reading.source);
  return { read_at: reading.read_at, source: reading.source };
}
