import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';

/**
 * A sign that a storefront shows wrong result pages: a contradicted empty page, an empty canary, or five shrunk pages
 * within an hour.
 */
export type DoubtSign = 'contradicted' | 'empty-canary' | 'shrunk';

export type ShrunkPage = { term: string; at: Date };

/** The state of a storefront that has ever shown a sign. */
export type DoubtedStorefront = Storefront & {
  /** No empty page is believed there. */
  is_suspect: boolean;
  /** The last sign; null: only pages that have shrunk, and too few. */
  sign: DoubtSign | null;
  /** When it last became suspect. */
  suspect_since: Date | null;
  last_sign_at: Date | null;
  /** Pages with results that were read since the last sign. */
  good_pages: number;
  /** When its canary was last read to find out whether it is healthy again. */
  probed_at: Date | null;
  /** The pages that have shrunk within the last hour, each term once, at most five. */
  shrunk: ShrunkPage[];
};

type Document = DoubtedStorefront & { _id: string };

const schema = new Schema<Document>(
  {
    _id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    is_suspect: { type: Boolean, required: true },
    sign: { type: String, default: null },
    suspect_since: { type: Date, default: null },
    last_sign_at: { type: Date, default: null },
    good_pages: { type: Number, required: true },
    probed_at: { type: Date, default: null },
    shrunk: [new Schema<ShrunkPage>({ term: String, at: Date }, { _id: false })],
  },
  { versionKey: false },
).index({ is_suspect: 1 });

export type DoubtedStorefrontStore = {
  find(storefront: Storefront): Promise<DoubtedStorefront | null>;
  /** At most `limit`, in no order. */
  listSuspect(limit: number): Promise<DoubtedStorefront[]>;
  /** Makes the storefront suspect, or counts its good pages from 0 again. */
  addSign(storefront: Storefront, sign: DoubtSign, at: Date): Promise<void>;
  /** Remembers the pages that have shrunk. */
  saveShrunk(storefront: Storefront, shrunk: readonly ShrunkPage[]): Promise<void>;
  /**
   * Counts a page with results that was read after the last sign. Returns the state with it; null when the storefront is
   * not suspect, or the page is older.
   */
  addGoodPage(storefront: Storefront, readAt: Date): Promise<DoubtedStorefront | null>;
  /** The storefront is healthy, unless it has shown another sign since `lastSignAt`. */
  clear(storefront: Storefront, lastSignAt: Date): Promise<void>;
  /** True for one copy if the storefront is suspect and was not probed after `dueBefore`. */
  claimProbe(storefront: Storefront, at: Date, dueBefore: Date): Promise<boolean>;
};

/** The storefronts that have shown signs of wrong result pages: at most one row per storefront. */
export function createDoubtedStorefrontStore(connection: Connection) {
  const storefronts = connection.model('DoubtedStorefront', schema, 'doubted_storefronts');
  const find = (storefront: Storefront) =>
    storefronts
      .findById(storefrontKey(storefront))
      .lean<Document>()
      .exec() as Promise<DoubtedStorefront | null>;

  /** Index: _id. */
  async function upsert(
    { store, country, lang }: Storefront,
    $set: Partial<Document>,
    $setOnInsert: Partial<Document>,
  ) {
    const _id = storefrontKey({ store, country, lang });
    const update = { $set: { store, country, lang, ...$set }, $setOnInsert };
    await retryUpsert(() => storefronts.updateOne({ _id }, update, { upsert: true }).exec());
  }

  return {
    /** Index: _id. */
    find,

    /** Index: is_suspect. */
    listSuspect: (limit) =>
      storefronts.find({ is_suspect: true }).limit(limit).lean<Document[]>().exec() as Promise<
        DoubtedStorefront[]
      >,

    async addSign(storefront, sign, at) {
      const changed = { sign, last_sign_at: at, good_pages: 0, shrunk: [] };
      const { matchedCount } = await storefronts.updateOne(
        { _id: storefrontKey(storefront), is_suspect: true },
        { $set: changed },
      );
      if (matchedCount === 0)
        await upsert(storefront, { ...changed, is_suspect: true, suspect_since: at }, { probed_at: null });
    },

    saveShrunk: (storefront, shrunk) =>
      upsert(storefront, { shrunk: [...shrunk] }, { is_suspect: false, good_pages: 0 }),

    async addGoodPage(storefront, readAt) {
      const _id = storefrontKey(storefront);
      const { matchedCount } = await storefronts.updateOne(
        { _id, is_suspect: true, last_sign_at: { $lt: readAt } },
        { $inc: { good_pages: 1 } },
      );
      return matchedCount === 1 ? find(storefront) : null;
    },

    async clear(storefront, lastSignAt) {
      await storefronts.updateOne(
        { _id: storefrontKey(storefront), is_suspect: true, last_sign_at: lastSignAt },
        { $set: { is_suspect: false, good_pages: 0 } },
      );
    },

    async claimProbe(storefront, at, dueBefore) {
      const { matchedCount } = await storefronts.updateOne(
        {
          _id: storefrontKey(storefront),
          is_suspect: true,
          $or: [{ probed_at: null }, { probed_at: { $lte: dueBefore } }],
        },
        { $set: { probed_at: at } },
      );
      return matchedCount === 1;
    },
  } satisfies DoubtedStorefrontStore;
}

/** A short text for the health page: `US (empty-canary)`. */
export function describeDoubt({ country, sign }: Pick<DoubtedStorefront, 'country' | 'sign'>): string {
  return sign === null ? country : `${country} (${sign})`;
}
