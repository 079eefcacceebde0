import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';

type CounterDocument = { _id: string; seq: number };

const schema = new Schema<CounterDocument>(
  { _id: { type: String, required: true }, seq: { type: Number, required: true } },
  { versionKey: false },
);

/** The counters of one database. `Name` lists them. */
export type CounterStore<Name extends string> = {
  /** Returns the first of `count` consecutive numbers. */
  take(name: Name, count: number): Promise<number>;
};

/** Increasing integers that are never handed out twice. A number that is not used leaves a gap. */
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
