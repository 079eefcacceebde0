import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { AppError, isUpstreamFailure } from '@shelfwise/runtime/errors';
import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';

/** What every reading of a measuring needs. */
export type StoreReader = {
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  sourceGuard: SourceGuard;
  now: () => Date;
};

/** On whose behalf a measuring reads the store. */
export type StoreTurn = {
  requestId: string;
  isAwaited: boolean;
  /** Fires when nobody waits any more. */
  signal: AbortSignal;
  /** The latest of all who wait; it may move on while the measuring is under way. */
  deadline: () => Date;
};

/** One call: the wait for its turn (25 s at most) and the store's answer. */
const callMs = 45_000;
/** What is left after the last call, to write what was read. */
const writeMs = 1000;

/** The context of the next call of a measuring. */
export function nextCall({ requestId, signal, deadline }: StoreTurn): CallOptions {
  return withinDeadline({ requestId, signal, deadline: deadline() }, callMs, writeMs);
}

/**
 * A reading, or what kept it from being had: the store could not be read, or store-fetch not be reached. All else is
 * thrown, the signal's reason too when nobody waits any more.
 */
export async function readOrRefusal<Reading>(
  { signal }: Pick<StoreTurn, 'signal'>,
  reading: Promise<Reading>,
): Promise<{ found: Reading } | { refusal: AppError }> {
  try {
    return { found: await reading };
  } catch (error) {
    signal.throwIfAborted();
    if (isUpstreamFailure(error)) return { refusal: error };
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
