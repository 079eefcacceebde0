import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';

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
    async next(name: 'listing' | 'market'): Promise<number> {
      const counter = await retryUpsert(() =>
        counters
          .findOneAndUpdate({ _id: name }, { $inc: { seq: 1 } }, { upsert: true, returnDocument: 'after' })
          .lean(),
      );
      return counter.seq;
    },
  };
}
