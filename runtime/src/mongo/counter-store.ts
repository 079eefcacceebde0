import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';

type CounterDocument = { _id: string; seq: number };

const schema = new Schema<CounterDocument>(
  { _id: { type: String, required: true }, seq: { type: Number, required: true } },
  { versionKey: false },
);

/** The numbers of one database; `Name` lists what is numbered in it. */
export type CounterStore<Name extends string> = {
  /** The first of `count` numbers in a row. */
  take(name: Name, count: number): Promise<number>;
};

/** Whole numbers that grow and are never given twice; one that is given and not used leaves a gap. */
export function createCounterStore<Name extends string>(connection: Connection): CounterStore<Name> {
  const counters = connection.model('Counter', schema, 'counters');
  return {
    async take(name, count) {
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
