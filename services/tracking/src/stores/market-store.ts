import type { Store } from '@shelfwise/facts/store';
import type { Storefront } from '@shelfwise/facts/storefront';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import type { CounterStore } from '@shelfwise/runtime/mongo-queries/counter-store';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { updatesPerCommand } from '@shelfwise/runtime/mongo-queries/updates-per-command';
import { type Connection, Schema } from 'mongoose';
import type { RankedApp, Snapshot } from '../domain/snapshot.ts';

/** The newest snapshot of a market, with what a list shows of its first five. */
export type LatestSnapshot = Snapshot & { top: RankedApp[] };

/** Tracking's own copy of the newest scores, 0 to 100; null: not measured. */
export type MarketScores = {
  difficulty: number | null;
  traffic: number | null;
  scoring_version: number;
  scored_at: Date;
};

/** A keyword in a storefront; `_id` is the keyword id, the same for all accounts. */
export type Market = {
  _id: number;
  keyword: string;
  store: Store;
  country: string;
  lang: string;
  /** Absent only between the first two writes of a market, or after a crash between them. */
  latest?: LatestSnapshot | null;
  /** Absent until it was scored. */
  scores?: MarketScores;
};

/** When a market is read by the daily run. */
export type MarketPlan = {
  /** How many rows of tracked_keywords named it when it was read last, and those added since. */
  watchers: number;
  /** When somebody last began to track it. */
  watched_at: Date;
  /** Its next reading; absent while nobody tracks it. */
  planned_at: Date;
  /** The same, put off while somebody reads it (for as long as his claim lasts) and after a failure. */
  due_at: Date;
  /** Readings that failed since the last one that did not. */
  failures: number;
  /** Which claim it is under; absent when nobody reads it. */
  claimed_by: string;
};

export type MarketDocument = Market & Partial<MarketPlan>;

/** A snapshot that is kept, and what goes into the market with it. */
export type SnapshotChange = {
  id: number;
  latest: LatestSnapshot;
  /** The next reading. */
  plannedAt: Date;
  /** Absent: as many as before. */
  watchers?: number;
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

const scoresSchema = new Schema<MarketScores>(
  {
    difficulty: { type: Number, default: null },
    traffic: { type: Number, default: null },
    scoring_version: { type: Number, required: true },
    scored_at: { type: Date, required: true },
  },
  { _id: false },
);

const schema = new Schema<MarketDocument>(
  {
    _id: { type: Number, required: true },
    keyword: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    latest: { type: latestSchema },
    scores: { type: scoresSchema },
    watchers: Number,
    watched_at: Date,
    planned_at: Date,
    due_at: Date,
    failures: Number,
    claimed_by: String,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, country: 1, lang: 1, keyword: 1 }, { unique: true })
  .index({ store: 1, due_at: 1 })
  .index({ store: 1, watchers: 1, due_at: 1 })
  .index({ store: 1, planned_at: 1 });

export type MarketStore = ReturnType<typeof createMarketStore>;

export function createMarketStore(connection: Connection, counters: CounterStore<'market'>) {
  const markets = connection.model('Market', schema, 'markets');

  const find = (storefront: Storefront, keyword: string) =>
    markets.findOne({ ...storefront, keyword }).lean<Market>();

  return {
    model: markets,
    find,

    findMany: (ids: readonly number[]) =>
      markets
        .find({ _id: { $in: ids } })
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
      const market = { _id: newId, keyword, ...storefront };
      try {
        await markets.create({ ...market, watchers: 0 });
        return market;
      } catch (error) {
        const winner = isDuplicateKey(error) ? await find(storefront, keyword) : null;
        if (!winner) throw error;
        return winner;
      }
    },

    /**
     * Puts newer days' snapshots in place, each with the plan of the next reading in one write; not where that day or a
     * later one is there. Whoever had claimed the market has it no longer.
     */
    async setLatest(changes: readonly SnapshotChange[]): Promise<void> {
      for (let start = 0; start < changes.length; start += updatesPerCommand) {
        const some = changes.slice(start, start + updatesPerCommand);
        await markets.bulkWrite(some.map(toUpdate), { ordered: false });
      }
    },

    /** Puts newer scores in place; nothing happens where those or later ones are there, or no such market is. */
    async setScores(storefront: Storefront, keyword: string, scores: MarketScores): Promise<void> {
      const older = { 'scores.scored_at': { $lt: scores.scored_at } };
      await markets.updateOne(
        { ...storefront, keyword, $or: [{ scores: null }, older] },
        { $set: { scores } },
      );
    },

    /**
     * Notes that somebody begins to track the markets, 20 at most: to be called before the rows that say so are
     * written. Each that is not planned is planned, at the moment given.
     */
    async watch(watched: readonly { id: number; plannedAt: Date }[], at: Date): Promise<void> {
      await markets.bulkWrite(
        watched.flatMap(({ id, plannedAt }) => [
          {
            updateOne: {
              filter: { _id: id },
              update: { $inc: { watchers: 1 }, $set: { watched_at: at } },
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

function toUpdate({ id, latest, plannedAt, watchers }: SnapshotChange) {
  return {
    updateOne: {
      filter: { _id: id, $or: [{ latest: null }, { 'latest.day': { $lt: latest.day } }] },
      update: {
        $set: {
          latest,
          planned_at: plannedAt,
          due_at: plannedAt,
          failures: 0,
          ...(watchers !== undefined && { watchers }),
        },
        $unset: { claimed_by: '' },
      },
    },
  };
}
