import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { findFields, streamFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { streamedBatch } from '@shelfwise/runtime/mongo/read/find-in-one-batch';
import type { FieldsOf } from '@shelfwise/runtime/mongo/read/read-fields';
import { type Connection, Schema } from 'mongoose';
import type { PageOfIds, Snapshot, TopApp } from '../domain/snapshot.ts';

/** The snapshot of the latest day of a keyword, with its first `topDepth` apps. */
export type LatestSnapshot = Snapshot & { top: TopApp[] };

/** A copy of the newest scores that scoring published. */
export type KeywordScores = {
  /** 0 to 100 each; null: not measured. */
  difficulty: number | null;
  traffic: number | null;
  scoring_version: number;
  scored_at: Date;
  /** The traffic was computed without the store's suggestions. */
  is_partial: boolean;
  /** 0 to 100, one decimal; null: not measured. Absent in scores that were stored before it was. */
  kei?: number | null;
  /** What holds the KEI down, as scoring names it; null: nothing. Absent in scores that were stored before it was. */
  kei_reason?: string | null;
};

export type ScoredKeyword = { storefront: Storefront; keyword: string; scores: KeywordScores };

/** One keyword in one storefront; `_id` is the keyword id, the same for all accounts. */
export type KeywordMarket = {
  _id: number;
  keyword: string;
  store: Store;
  country: string;
  lang: string;
  /** Absent only from the creation of the document until its first snapshot is saved, or after a crash in between. */
  latest?: LatestSnapshot | null;
  /** Absent until the keyword is scored. */
  scores?: KeywordScores;
  /** YYYY-MM-DD: no snapshot is of an earlier day. */
  first_day?: string;
};

export type KeywordMarketWithSnapshot = KeywordMarket & { latest: LatestSnapshot };

export function hasSnapshot<Market extends { latest?: object | null }>(
  market: Market,
): market is Market & { latest: NonNullable<Market['latest']> } {
  return market.latest != null;
}

/** What a list shows of a keyword market. Its page is read only where a rank needs it. */
export type RankedMarket = Pick<KeywordMarket, '_id' | 'keyword' | 'store' | 'country' | 'lang'> & {
  latest?: (Pick<LatestSnapshot, 'day' | 'top'> & { app_ids: PageOfIds }) | null;
  scores?: Pick<KeywordScores, 'difficulty' | 'traffic' | 'is_partial' | 'scored_at' | 'kei' | 'kei_reason'>;
};

/** When the daily run reads a keyword market. Without `planned_at` and `due_at` it does not. */
export type KeywordMarketPlan = {
  /** The number of `tracked_keywords` rows at the last reading, plus those added since. */
  tracker_count: number;
  /** When a call last started to track it; the row of that call may not be written yet. */
  last_tracked_at: Date;
  /** The next reading, as planned. */
  planned_at: Date;
  /** `planned_at`, or later: when the claim expires, or when a failed reading is retried. */
  due_at: Date;
  /** Failed readings since the last successful one. */
  failures: number;
  /** The claim of the daily run (`JobQueue`). */
  claimed_by: string;
};

export type KeywordMarketDocument = KeywordMarket & Partial<KeywordMarketPlan>;

export type KeywordMarketWithPage = Pick<KeywordMarket, '_id' | 'first_day'> & {
  latest?: (Pick<Snapshot, 'day'> & { app_ids: PageOfIds }) | null;
  scores?: Pick<KeywordScores, 'traffic' | 'is_partial'>;
};

export type MarketScores = Pick<KeywordMarket, '_id'> & {
  scores?: Pick<KeywordScores, 'difficulty' | 'traffic'>;
};

const rankedMarketFields: FieldsOf<RankedMarket> = {
  _id: 'value',
  keyword: 'value',
  store: 'value',
  country: 'value',
  lang: 'value',
  latest: {
    day: 'value',
    app_ids: 'texts',
    top: [{ app_id: 'value', title: 'value', icon: 'value', ratings: 'value' }],
  },
  scores: {
    difficulty: 'value',
    traffic: 'value',
    is_partial: 'value',
    scored_at: 'value',
    kei: 'value',
    kei_reason: 'value',
  },
};

/** A new latest snapshot, and the fields that are written with it. */
export type LatestSnapshotChange = {
  id: number;
  latest: LatestSnapshot;
  /** The next reading. */
  plannedAt: Date;
  /** Absent: unchanged. */
  trackerCount?: number | undefined;
};

const latestSchema = new Schema<LatestSnapshot>(
  {
    day: { type: String, required: true },
    taken_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: { type: [String], required: true },
    revision: { type: Number, required: true },
    is_suspect: { type: Boolean },
    top: [
      new Schema<TopApp>(
        { app_id: { type: String, required: true }, title: String, icon: String, ratings: Number },
        { _id: false },
      ),
    ],
  },
  { _id: false },
);

const scoresSchema = new Schema<KeywordScores>(
  {
    difficulty: { type: Number, default: null },
    traffic: { type: Number, default: null },
    scoring_version: { type: Number, required: true },
    scored_at: { type: Date, required: true },
    is_partial: { type: Boolean, required: true },
    kei: Number,
    kei_reason: String,
  },
  { _id: false },
);

const schema = new Schema<KeywordMarketDocument>(
  {
    _id: { type: Number, required: true },
    keyword: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    latest: { type: latestSchema },
    scores: { type: scoresSchema },
    first_day: String,
    tracker_count: Number,
    last_tracked_at: Date,
    planned_at: Date,
    due_at: Date,
    failures: Number,
    claimed_by: String,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, country: 1, lang: 1, keyword: 1 }, { unique: true })
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, tracker_count: 1, due_at: 1 })
  .index({ store: 1, planned_at: 1 });

export type KeywordMarketStore = ReturnType<typeof createKeywordMarketStore>;

export function createKeywordMarketStore(connection: Connection, counters: CounterStore<'keyword_market'>) {
  const keywordMarkets = connection.model('KeywordMarket', schema, 'keyword_markets');

  async function findByKeyword(
    storefront: Storefront,
    keywords: readonly string[],
  ): Promise<Map<string, KeywordMarket>> {
    const markets = await keywordMarkets
      .find({ ...storefront, keyword: { $in: keywords } })
      .lean<KeywordMarket[]>();
    return byKeyword(markets);
  }

  const takeIds = (count: number) => counters.take('keyword_market', count);

  return {
    model: keywordMarkets,

    find: (storefront: Storefront, keyword: string) =>
      keywordMarkets.findOne({ ...storefront, keyword }).lean<KeywordMarket>(),

    /** In no order, in one command. Index: _id. */
    findMany: (ids: readonly number[]): Promise<RankedMarket[]> =>
      findFields<RankedMarket>(keywordMarkets, { _id: { $in: ids } }, { fields: rankedMarketFields }),

    /** The days and pages of the latest snapshots, with the traffic, one keyword market after another, in no order. Index: _id. */
    streamLatest: (ids: readonly number[]): AsyncIterable<KeywordMarketWithPage> =>
      streamFields<KeywordMarketWithPage>(
        keywordMarkets,
        { _id: { $in: ids } },
        {
          fields: {
            _id: 'value',
            first_day: 'value',
            latest: { day: 'value', app_ids: 'texts' },
            scores: { traffic: 'value', is_partial: 'value' },
          },
          projection: {
            first_day: 1,
            'latest.day': 1,
            'latest.app_ids': 1,
            'scores.traffic': 1,
            'scores.is_partial': 1,
          },
          ...streamedBatch,
        },
      ),

    /** One keyword market after another, in no order. Index: _id. */
    streamScores: (ids: readonly number[]): AsyncIterable<MarketScores> =>
      streamFields<MarketScores>(
        keywordMarkets,
        { _id: { $in: ids } },
        {
          fields: { _id: 'value', scores: { difficulty: 'value', traffic: 'value' } },
          projection: { 'scores.difficulty': 1, 'scores.traffic': 1 },
          ...streamedBatch,
        },
      ),

    /** The keyword markets of a storefront by keyword; without those that do not exist. */
    findByKeyword,

    /** Reserves `count` consecutive ids for new keyword markets and returns the first. */
    takeIds,

    /**
     * Creates keyword markets, with ids in the order of the keywords. One that another call has created keeps its id and
     * its first day (`moveFirstDays`).
     */
    async createMany(
      storefront: Storefront,
      added: readonly Required<Pick<KeywordMarket, 'keyword' | 'first_day'>>[],
    ): Promise<Map<string, KeywordMarket>> {
      if (added.length === 0) return new Map();
      const firstId = await takeIds(added.length);
      const markets = added.map((market, index) => ({ _id: firstId + index, ...market, ...storefront }));
      const existingIds = await insertNew(
        keywordMarkets.collection,
        markets.map((market) => ({ ...market, tracker_count: 0 })),
      );
      if (existingIds.size === 0) return byKeyword(markets);
      return findByKeyword(
        storefront,
        added.map(({ keyword }) => keyword),
      );
    },

    /** Must be called before snapshots of past days are saved: their keyword markets may have none that old. Index: _id. */
    async moveFirstDays(days: readonly { id: number; day: string }[]): Promise<void> {
      await bulkWriteInChunks(
        keywordMarkets,
        days.map(({ id, day }) => ({
          updateOne: { filter: { _id: id, first_day: { $gt: day } }, update: { $set: { first_day: day } } },
        })),
      );
    },

    /**
     * Stores each snapshot together with the plan of the next reading, and ends the claim on the keyword market.
     * Changes nothing where a snapshot of a later day is stored, or one of that day with the same revision or a higher one.
     */
    async setLatest(changes: readonly LatestSnapshotChange[]): Promise<void> {
      await bulkWriteInChunks(keywordMarkets, changes.map(toUpdate));
    },

    /** Stores newer scores; does nothing where the stored scores are as new or newer, or the keyword is unknown. */
    async setScores(scored: readonly ScoredKeyword[]): Promise<void> {
      await bulkWriteInChunks(
        keywordMarkets,
        scored.map(({ storefront, keyword, scores }) => {
          const older = { 'scores.scored_at': { $lt: scores.scored_at } };
          const filter = { ...storefront, keyword, $or: [{ scores: null }, older] };
          return { updateOne: { filter, update: { $set: { scores } } } };
        }),
      );
    },

    /**
     * Records that an account starts to track these keyword markets. Must be called before the rows of
     * `tracked_keywords` are written. Keyword markets without a plan get the given one.
     */
    async addTrackers(added: readonly { id: number; plannedAt: Date }[], at: Date): Promise<void> {
      await bulkWriteInChunks(
        keywordMarkets,
        added.flatMap(({ id, plannedAt }) => [
          {
            updateOne: {
              filter: { _id: id },
              update: { $inc: { tracker_count: 1 }, $set: { last_tracked_at: at } },
            },
          },
          {
            updateOne: {
              filter: { _id: id, planned_at: null },
              update: { $set: { planned_at: plannedAt, due_at: plannedAt, failures: 0 } },
            },
          },
        ]),
      );
    },
  };
}

function byKeyword(markets: readonly KeywordMarket[]): Map<string, KeywordMarket> {
  return new Map(markets.map((market) => [market.keyword, market]));
}

function toUpdate({ id, latest, plannedAt, trackerCount }: LatestSnapshotChange) {
  const $set: Partial<KeywordMarketDocument> = {
    latest,
    planned_at: plannedAt,
    due_at: plannedAt,
    failures: 0,
  };
  if (trackerCount !== undefined) $set.tracker_count = trackerCount;
  return {
    updateOne: {
      filter: {
        _id: id,
        $or: [
          { latest: null },
          { 'latest.day': { $lt: latest.day } },
          { 'latest.day': latest.day, 'latest.revision': { $lt: latest.revision } },
        ],
      },
      update: { $set, $unset: endClaim },
    },
  };
}
