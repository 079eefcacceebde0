import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { Basket } from '../domain/visibility/basket.ts';
import { keywordFilters, type TermKey, termId } from './term-filters.ts';

type BasketDocument = Basket & {
  /** `<listing>:<version>` */
  _id: string;
  listing_id: number;
  store: Store;
  country: string;
  lang: string;
  app_id: string;
  /** the keywords of `terms`, for the index */
  keywords: string[];
  /** counts the changes of this document */
  revision: number;
};

/** A basket with the revision that was read. */
export type StoredBasket = Basket & { revision: number };

/** The listing that a basket belongs to. */
export type BasketOwner = Storefront & { _id: number; app_id: string };

/** A basket with the storefront and the store identifier of its listing. */
export type OwnedBasket = StoredBasket & Storefront & { app_id: string };

const schema = new Schema<BasketDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    app_id: { type: String, required: true },
    version: { type: Number, required: true },
    from_day: { type: String, required: true },
    month: { type: String, required: true },
    is_fixed: { type: Boolean, required: true },
    keywords: { type: [String], required: true },
    terms: [
      new Schema(
        {
          keyword: { type: String, required: true },
          traffic: { type: Number, required: true },
          is_public: Boolean,
        },
        { _id: false },
      ),
    ],
    revision: { type: Number, required: true },
  },
  { versionKey: false },
)
  .index({ listing_id: 1, version: 1 })
  .index({ store: 1, country: 1, lang: 1, keywords: 1 });

/** More than any listing reaches: it gets at most one version a month. */
const maxVersions = 1000;

export type BasketStore = ReturnType<typeof createBasketStore>;

/** The baskets of all listings, with every version; at most 5 KB each. */
export function createBasketStore(connection: Connection) {
  const baskets = connection.model('Basket', schema, 'baskets');

  return {
    /** The newest version; null before the first. Index: listing_id, version. */
    findNewest: (listingId: number) =>
      baskets.findOne({ listing_id: listingId }).sort({ version: -1 }).lean<OwnedBasket>(),

    /** The version in force on a day. The first version also covers earlier days. Index: listing_id, version. */
    findInForce: (listingId: number, day: string) =>
      baskets
        .findOne({ listing_id: listingId, $or: [{ from_day: { $lte: day } }, { version: 1 }] })
        .sort({ version: -1 })
        .lean<OwnedBasket>(),

    /** Oldest first. Index: listing_id, version. */
    list: (listingId: number) =>
      baskets.find({ listing_id: listingId }).sort({ version: 1 }).limit(maxVersions).lean<StoredBasket[]>(),

    /** The same of some listings, by their id. Index: listing_id, version. */
    async listOfAll(listingIds: readonly number[]): Promise<ReadonlyMap<number, StoredBasket[]>> {
      const rows = await baskets
        .find({ listing_id: { $in: listingIds } })
        .sort({ listing_id: 1, version: 1 })
        .limit(listingIds.length * maxVersions)
        .lean<(StoredBasket & Pick<BasketDocument, 'listing_id'>)[]>();
      const byListing = new Map<number, StoredBasket[]>(listingIds.map((id) => [id, []]));
      for (const { listing_id: id, ...basket } of rows) byListing.get(id)?.push(basket);
      return byListing;
    },

    /**
     * For each keyword, the listings with a basket that contains it, or once did; a listing with several such versions
     * comes several times. Index: store, country, lang, keywords.
     */
    async findOwners<Key extends TermKey>(
      keys: readonly Key[],
    ): Promise<{ page: Key; listingId: number; appId: string }[]> {
      if (keys.length === 0) return [];
      const pagesById = new Map<string, Key[]>();
      for (const key of keys) {
        const id = termId(key.storefront, key.keyword);
        pagesById.set(id, [...(pagesById.get(id) ?? []), key]);
      }
      const rows = await baskets
        .find({ $or: keywordFilters('keywords', keys) })
        .select({ listing_id: 1, app_id: 1, store: 1, country: 1, lang: 1, keywords: 1 })
        .lean<Omit<BasketDocument, 'terms'>[]>();
      return rows.flatMap((row) =>
        row.keywords.flatMap((keyword) =>
          (pagesById.get(termId(row, keyword)) ?? []).map((page) => ({
            page,
            listingId: row.listing_id,
            appId: row.app_id,
          })),
        ),
      );
    },

    /**
     * Stores a new version of a basket, or updates the newest one if `next` has its number. `known` is the newest
     * version that was read; null when there is none. Returns false and writes nothing when another copy was faster.
     * Index: _id.
     */
    async save(owner: BasketOwner, next: Basket, known: StoredBasket | null): Promise<boolean> {
      const _id = `${owner._id}:${next.version}`;
      const { version, month, terms } = next;
      const keywords = terms.map((term) => term.keyword);
      const row = { version, from_day: next.from_day, month, is_fixed: next.is_fixed, terms, keywords };
      if (known?.version === next.version) {
        const { revision } = known;
        const update = { $set: { ...row, revision: revision + 1 } };
        const { matchedCount } = await baskets.updateOne({ _id, revision }, update);
        return matchedCount === 1;
      }
      const { _id: listingId, store, country, lang, app_id } = owner;
      return tryCreate(() =>
        baskets.create({ _id, listing_id: listingId, store, country, lang, app_id, ...row, revision: 1 }),
      );
    },
  };
}
