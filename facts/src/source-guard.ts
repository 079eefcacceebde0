import { AppError } from '@shelfwise/runtime/errors';
import { createProvenanceStore } from '@shelfwise/runtime/mongo/provenance-store';

/** Where readings come from: the sample catalog, or a store. */
type StoreKind = 'sample' | 'live';

const sourceNames: Record<StoreKind, string> = {
  sample: 'the sample catalog',
  live: 'live stores',
};

export type SourceGuard = ReturnType<typeof createSourceGuard>;

/**
 * Keeps readings of the sample catalog and of live stores apart: the first reading decides for good which of the two a
 * database holds. Without it, an invented rank would be served as a real one after STORE_SOURCE was changed.
 */
export function createSourceGuard({
  connection,
}: {
  connection: Parameters<typeof createProvenanceStore>[0];
}) {
  const provenance = createProvenanceStore(connection);
  let held: StoreKind | null = null;

  return {
    /**
     * To be called with a reading's source before any of it is written.
     * @throws STORE_FETCH_FAILED when the database holds readings of the other kind
     */
    async admit(source: string): Promise<void> {
      const kind: StoreKind = source === 'sample' ? 'sample' : 'live';
      held ??= (await provenance.setIfAbsent('store_source', kind)) as StoreKind;
      if (held !== kind) throw otherKind(held, kind);
    },
  };
}

function otherKind(held: StoreKind, read: StoreKind): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    `This database holds readings of ${sourceNames[held]}, and store-fetch now reads ${sourceNames[read]}. ` +
      'Use another database or set STORE_SOURCE back.',
  );
}
