import { AppError } from '@shelfwise/runtime/errors';
import type { ProvenanceStore, StoreKind } from './stores/provenance-store.ts';

export type SourceGuard = ReturnType<typeof createSourceGuard>;

const readings: Record<StoreKind, string> = {
  sample: 'the sample catalogue',
  live: 'live stores',
};

/**
 * Keeps readings of the sample catalogue and of live stores apart: the first one of a database decides which of the
 * two it holds, for good. Otherwise an invented rank would be served as a real one after a change of STORE_SOURCE.
 */
export function createSourceGuard({ provenance }: { provenance: ProvenanceStore }) {
  let known: StoreKind | null = null;
  return {
    /**
     * Called with a reading's source before anything of that reading is written.
     * @throws STORE_FETCH_FAILED when the database holds readings of the other kind
     */
    async admit(source: string): Promise<void> {
      const kind: StoreKind = source === 'sample' ? 'sample' : 'live';
      known ??= await provenance.keepFirst(kind);
      if (known !== kind) throw otherKind(known, kind);
    },
  };
}

function otherKind(held: StoreKind, read: StoreKind): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    `This database holds readings of ${readings[held]}, and store-fetch now reads ${readings[read]}. ` +
      'Use another database or set STORE_SOURCE back.',
  );
}
