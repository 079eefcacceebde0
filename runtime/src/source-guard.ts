import { type Connection, Schema } from 'mongoose';
import { AppError } from './errors.ts';
import { retryUpsert } from './mongo-queries/retry-upsert.ts';

/** Where readings come from: the sample catalogue, or a store. */
type StoreKind = 'sample' | 'live';

type ProvenanceDocument = { _id: 'store'; kind: StoreKind };

const schema = new Schema<ProvenanceDocument>(
  { _id: { type: String, required: true }, kind: { type: String, required: true } },
  { versionKey: false },
);

const readings: Record<StoreKind, string> = {
  sample: 'the sample catalogue',
  live: 'live stores',
};

export type SourceGuard = ReturnType<typeof createSourceGuard>;

/**
 * Keeps readings of the sample catalogue and of live stores apart: the first one of a database decides which of the
 * two it holds, for good. Otherwise an invented rank would be served as a real one after a change of STORE_SOURCE.
 */
export function createSourceGuard({ connection }: { connection: Connection }) {
  const provenance = connection.model('Provenance', schema, 'provenance');
  let known: StoreKind | null = null;

  /** The kind that the database has; the one given, from now on, when it has none. */
  async function keepFirst(kind: StoreKind): Promise<StoreKind> {
    const kept = await retryUpsert(() =>
      provenance
        .findOneAndUpdate(
          { _id: 'store' },
          { $setOnInsert: { kind } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<ProvenanceDocument>(),
    );
    return kept?.kind ?? kind;
  }

  return {
    /**
     * Called with a reading's source before anything of that reading is written.
     * @throws STORE_FETCH_FAILED when the database holds readings of the other kind
     */
    async admit(source: string): Promise<void> {
      const kind: StoreKind = source === 'sample' ? 'sample' : 'live';
      known ??= await keepFirst(kind);
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
