import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/** The second looks at result pages in the last hour that had one; there is one document. */
type SecondLooks = {
  _id: 'looks';
  /** UTC: YYYY-MM-DDTHH */
  hour: string;
  count: number;
};

const schema = new Schema<SecondLooks>(
  {
    _id: { type: String, required: true },
    hour: { type: String, required: true },
    count: { type: Number, required: true },
  },
  { versionKey: false },
);

export type SecondLookStore = ReturnType<typeof createSecondLookStore>;

/** Every query uses the index of _id. */
export function createSecondLookStore(connection: Connection) {
  const looks = connection.model('SecondLooks', schema, 'second_looks');

  async function add(hour: string, most: number): Promise<boolean> {
    const { matchedCount } = await looks.updateOne(
      { _id: 'looks', hour, count: { $lt: most } },
      { $inc: { count: 1 } },
    );
    return matchedCount === 1;
  }

  return {
    /** Counts a look. False when the hour has `most`, however many copies count at the same time. */
    async take(at: Date, most: number): Promise<boolean> {
      const hour = at.toISOString().slice(0, 13);
      if (await add(hour, most)) return true;
      // Only a later hour starts a new count: the clocks of copies differ.
      const isFirst = await upsertNewest(() =>
        looks.updateOne(
          { _id: 'looks', hour: { $lt: hour } },
          { $set: { hour, count: 1 } },
          { upsert: true },
        ),
      );
      // Another copy may have begun the hour in between.
      return isFirst || add(hour, most);
    },
  };
}
