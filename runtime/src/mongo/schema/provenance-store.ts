import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from '../retry-upsert.ts';

type ProvenanceDocument = { _id: string; value: string };

const schema = new Schema<ProvenanceDocument>(
  { _id: { type: String, required: true }, value: { type: String, required: true } },
  { versionKey: false },
);

export const provenanceCollection = 'provenance';

/**
 * Where a database comes from: facts such as the layout of its documents. The first writer decides a fact for good,
 * for every copy of the service.
 */
export function createProvenanceStore(connection: Connection) {
  const provenance = connection.model('Provenance', schema, provenanceCollection);
  return {
    /** The stored value of a fact; null when it was never set. */
    async find(id: string): Promise<string | null> {
      const stored = await provenance.findById(id).lean<ProvenanceDocument>();
      return stored?.value ?? null;
    },

    /** Sets a fact unless it is already set. Returns the stored value. */
    async setIfAbsent(id: string, value: string): Promise<string> {
      const stored = await retryUpsert(() =>
        provenance
          .findOneAndUpdate(
            { _id: id },
            { $setOnInsert: { value } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<ProvenanceDocument>(),
      );
      return stored?.value ?? value;
    },
  };
}
