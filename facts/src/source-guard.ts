import { AppError } from '@shelfwise/runtime/errors';
import { createProvenanceStore } from '@shelfwise/runtime/mongo/schema/provenance-store';

/** The origin of a reading: the sample catalog or a real store. */
type StoreKind = 'sample' | 'live';

const sourceNames: Record<StoreKind, string> = {
  sample: 'the sample catalog',
  live: 'live stores',
};

export type SourceGuard = ReturnType<typeof createSourceGuard>;

/**
 * Keeps readings of the sample catalog and of live stores apart. The first reading decides for good which kind a
 * database holds. Otherwise, after a change of STORE_SOURCE, the API would serve an invented rank as a real one.
 */
export function createSourceGuard({
  connection,
}: {
  connection: Parameters<typeof createProvenanceStore>[0];
}) {
  const provenance = createProvenanceStore(connection);
  let stored: StoreKind | null = null;

  return {
    /**
     * Call it with the source of a reading before writing any of it.
     * @throws STORE_FETCH_FAILED when the database holds readings of the other kind
     */
    async admit(source: string): Promise<void> {
      const kind: StoreKind = source === 'sample' ? 'sample' : 'live';
      stored ??= (await provenance.setIfAbsent('store_source', kind)) as StoreKind;
      if (stored !== kind) throw otherSourceError(stored, kind);
    },
  };
}

function otherSourceError(stored: StoreKind, read: StoreKind): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    `This database holds readings of ${sourceNames[stored]}, and store-fetch now reads ${sourceNames[read]}. ` +
      'Use another database or set STORE_SOURCE back.',
  );
}
