import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';

/** Where readings come from: the sample catalogue, or a store. */
export type StoreKind = 'sample' | 'live';

type ProvenanceDocument = { _id: 'store'; kind: StoreKind };

const schema = new Schema<ProvenanceDocument>(
  { _id: { type: String, required: true }, kind: { type: String, required: true } },
  { versionKey: false },
);

export type ProvenanceStore = ReturnType<typeof createProvenanceStore>;

/** Which kind of source this database was begun with. It never changes. */
export function createProvenanceStore(connection: Connection) {
  const provenance = connection.model('Provenance', schema, 'provenance');
  return {
    /** The kind that the database has; the one given, from now on, when it has none. */
    async keepFirst(kind: StoreKind): Promise<StoreKind> {
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
    },
  };
}
