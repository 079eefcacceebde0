import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';

type ProvenanceDocument = { _id: string; value: string };

const schema = new Schema<ProvenanceDocument>(
  { _id: { type: String, required: true }, value: { type: String, required: true } },
  { versionKey: false },
);

/** Where a database comes from: facts that its first writer settles for good, for every copy of the service. */
export function createProvenanceStore(connection: Connection) {
  const provenance = connection.model('Provenance', schema, 'provenance');
  return {
    /** The fact as the database has it; null when it is not settled. */
    async find(id: string): Promise<string | null> {
      const kept = await provenance.findById(id).lean<ProvenanceDocument>();
      return kept?.value ?? null;
    },

    /** Settles a fact, unless an earlier writer has; returns what holds. */
    async setIfAbsent(id: string, value: string): Promise<string> {
      const kept = await retryUpsert(() =>
        provenance
          .findOneAndUpdate(
            { _id: id },
            { $setOnInsert: { value } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<ProvenanceDocument>(),
      );
      return kept?.value ?? value;
    },
  };
}
