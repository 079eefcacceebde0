import type { Store } from '@shelfwise/facts/store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import type { Storefront } from '../domain/storefront.ts';
import type { CounterStore } from './counter-store.ts';
import { oneBatch } from './one-batch.ts';

/** What a store shows of one app in one storefront, as last read. */
export type ListingContent = {
  title: string;
  description: string;
  url: string;
  icon: string;
  screenshots: string[];
  developer_name: string;
  genre: string;
  version: string | null;
  score: number | null;
  ratings: number | null;
  released_at: Date | null;
  updated_at: Date | null;
  read_at: Date;
  source: string;
};

/** One per storefront and app, shared by all accounts; `_id` is the internal app id. */
export type Listing = ListingContent & {
  _id: number;
  store: Store;
  country: string;
  lang: string;
  app_id: string;
};

const text = { type: String, default: '' };
const perhaps = <Type>(type: Type) => ({ type, default: null });

const schema = new Schema<Listing>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    app_id: { type: String, required: true },
    title: text,
    description: text,
    url: text,
    icon: text,
    screenshots: { type: [String], required: true },
    developer_name: text,
    genre: text,
    version: perhaps(String),
    score: perhaps(Number),
    ratings: perhaps(Number),
    released_at: perhaps(Date),
    updated_at: perhaps(Date),
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
  },
  { versionKey: false },
).index({ store: 1, country: 1, lang: 1, app_id: 1 }, { unique: true });

/** What a rank row needs of a listing. */
export type ListingName = Pick<Listing, '_id' | 'app_id' | 'title'>;

export type ListingStore = ReturnType<typeof createListingStore>;

export function createListingStore(connection: Connection, counters: CounterStore) {
  const listings = connection.model('Listing', schema, 'listings');

  async function refresh(key: Storefront & { app_id: string }, content: ListingContent) {
    return listings.findOneAndUpdate(key, { $set: content }, { returnDocument: 'after' }).lean<Listing>();
  }

  return {
    find: (id: number) => listings.findById(id).lean<Listing>(),

    findInStorefront: (storefront: Storefront, appId: string) =>
      listings.findOne({ ...storefront, app_id: appId }).lean<Listing>(),

    findMany: (ids: readonly number[]) =>
      listings
        .find({ _id: { $in: ids } })
        .batchSize(oneBatch(ids.length))
        .lean<Listing[]>(),

    findNames: (ids: readonly number[]) =>
      listings
        .find({ _id: { $in: ids } })
        .select({ app_id: 1, title: 1 })
        .batchSize(oneBatch(ids.length))
        .lean<ListingName[]>(),

    /** Stores what was read. The listing keeps its id for ever; a new one gets the next. */
    async save(storefront: Storefront, appId: string, content: ListingContent): Promise<Listing> {
      const key = { ...storefront, app_id: appId };
      const known = await refresh(key, content);
      if (known) return known;
      const listing: Listing = { _id: await counters.take('listing', 1), ...key, ...content };
      try {
        await listings.create(listing);
        return listing;
      } catch (error) {
        const winner = isDuplicateKey(error) ? await refresh(key, content) : null;
        if (!winner) throw error;
        return winner;
      }
    },
  };
}
