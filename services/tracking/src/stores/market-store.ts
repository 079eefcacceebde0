import type { Store } from '@shelfwise/facts/store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type NewEvent, outboxFields, outboxSet } from '@shelfwise/runtime/outbox';
import { type Connection, Schema } from 'mongoose';
import type { RankedApp, Snapshot } from '../domain/snapshot.ts';
import type { Storefront } from '../domain/storefront.ts';
import type { CounterStore } from './counter-store.ts';
import { oneBatch } from './one-batch.ts';

/** The newest snapshot of a market, with what a list shows of its first five. */
export type LatestSnapshot = Snapshot & { top: RankedApp[] };

/** A keyword in a storefront; `_id` is the keyword id, the same for all accounts. */
export type Market = {
  _id: number;
  keyword: string;
  store: Store;
  country: string;
  lang: string;
  /** Absent only between the first two writes of a market, or after a crash between them. */
  latest?: LatestSnapshot | null;
};

const latestSchema = new Schema<LatestSnapshot>(
  {
    day: { type: String, required: true },
    taken_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: { type: [String], required: true },
    top: [
      new Schema<RankedApp>(
        { app_id: { type: String, required: true }, title: { type: String }, icon: { type: String } },
        { _id: false },
      ),
    ],
  },
  { _id: false },
);

const schema = new Schema<Market>(
  {
    _id: { type: Number, required: true },
    keyword: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    latest: { type: latestSchema },
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, country: 1, lang: 1, keyword: 1 }, { unique: true })
  .index({ outbox_since: 1 }, { sparse: true });

export type MarketStore = ReturnType<typeof createMarketStore>;

export function createMarketStore(connection: Connection, counters: CounterStore) {
  const markets = connection.model('Market', schema, 'markets');
  const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 };

  const find = (storefront: Storefront, keyword: string) =>
    markets
      .findOne({ ...storefront, keyword })
      .select(withoutOutbox)
      .lean<Market>();

  return {
    model: markets,
    find,

    findMany: (ids: readonly number[]) =>
      markets
        .find({ _id: { $in: ids } })
        .select(withoutOutbox)
        .batchSize(oneBatch(ids.length))
        .lean<Market[]>(),

    /** The ids of those of the keywords that have a market. */
    findIds: (storefront: Storefront, keywords: readonly string[]) =>
      markets
        .find({ ...storefront, keyword: { $in: keywords } })
        .select({ keyword: 1 })
        .lean<Pick<Market, '_id' | 'keyword'>[]>(),

    /** The first of `count` ids in a row, for markets that may be made. */
    takeIds: (count: number) => counters.take('market', count),

    /** The market of a keyword, made under the id given when it is new. Its id stays for ever. */
    async findOrCreate(storefront: Storefront, keyword: string, newId: number): Promise<Market> {
      const known = await find(storefront, keyword);
      if (known) return known;
      const market: Market = { _id: newId, keyword, ...storefront };
      try {
        await markets.create(market);
        return market;
      } catch (error) {
        const winner = isDuplicateKey(error) ? await find(storefront, keyword) : null;
        if (!winner) throw error;
        return winner;
      }
    },

    /** Puts a newer day's snapshot in place, with its event; false when that day or a later one is there. */
    async setLatest(id: number, latest: LatestSnapshot, at: Date, event: NewEvent): Promise<boolean> {
      const { modifiedCount } = await markets.updateOne(
        { _id: id, $or: [{ latest: null }, { 'latest.day': { $lt: latest.day } }] },
        { $set: { latest, ...outboxSet(event, at) } },
      );
      return modifiedCount === 1;
    },
  };
}
