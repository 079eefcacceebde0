import { retryUpsert } from '@shelfwise/runtime/mongo-queries/retry-upsert';
import { type Connection, Schema } from 'mongoose';

type CounterDocument = { _id: string; seq: number };

const schema = new Schema<CounterDocument>(
  { _id: { type: String, required: true }, seq: { type: Number, required: true } },
  { versionKey: false },
);

export type CounterStore = ReturnType<typeof createCounterStore>;

/** Whole numbers that grow and are never given twice; one that is given and not used leaves a gap. */
export function createCounterStore(connection: Connection) {
  const counters = connection.model('Counter', schema, 'counters');
  return {
    /** The first of `count` numbers in a row. */
    async take(name: 'listing' | 'market', count: number): Promise<number> {
      const counter = await retryUpsert(() =>
        counters
          .findOneAndUpdate(
            { _id: name },
            { $inc: { seq: count } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean(),
      );
      return counter.seq - count + 1;
    },
  };
}
