import { type Storefront, storefrontKey } from '@shelfwise/facts/storefront';
import { insertNew } from '@shelfwise/runtime/mongo-queries/insert-new';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo-queries/retry-upsert';
import { updatesPerCommand } from '@shelfwise/runtime/mongo-queries/updates-per-command';
import { type NewEvent, outboxFields, outboxSet } from '@shelfwise/runtime/outbox';
import { type Connection, Schema } from 'mongoose';
import type { TermScore } from '../domain/audit/audit-input.ts';
import { importances } from '../domain/importance.ts';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { type PageTerm, pageTermFields, toPageTerm } from './page-term.ts';
import type { Ranking, StoredTerm, WantedTerm } from './stored-term.ts';
import { type Demand, demandOf, mergeWanted, type WantedUpdate, wantedUpdates } from './term-demand.ts';
import { toWeighedTerm, type WeighedTerm, weighedFields } from './weighed-term.ts';

/** A term as it is kept, with what decides when it is measured. */
export type KeptTerm = StoredTerm &
  Demand & {
    /** Counts what measurings have written. */
    revision: number;
  };

const schema = new Schema<KeptTerm>(
  {
    _id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    keyword: { type: String, required: true },
    is_tracked: Boolean,
    tracked_at: Date,
    ranking: Schema.Types.Mixed,
    reading: Schema.Types.Mixed,
    score: Schema.Types.Mixed,
    importance: Number,
    wanted_until: Date,
    daily_until: Date,
    due_at: Date,
    failures: Number,
    claimed_by: String,
    asks: Number,
    is_untold: Boolean,
    revision: Number,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, failures: 1, importance: 1, due_at: 1 })
  .index({ store: 1, importance: 1, due_at: 1 })
  .index({ 'score.scoring_version': 1 })
  .index({ outbox_since: 1 }, { sparse: true });

/** About 1 MB of rankings, the largest answer. */
const termsPerQuery = 400;

const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 } as const;
const ofScore = {
  'score.traffic': 1,
  'score.difficulty': 1,
  'score.search_status': 1,
  'score.brand': 1,
} as const;

/** The id of a keyword, given in its normal form, in a storefront. */
export function termId(storefront: Storefront, keyword: string): string {
  return `${storefrontKey(storefront)}:${keyword}`;
}

export type TermStore = ReturnType<typeof createTermStore>;

/**
 * Every keyword that was ever measured or is to be: one document of about 6 KB each, found by its id. Keywords are given
 * in their normal form. Terms are never deleted; one that nobody wants any more is not read again.
 */
export function createTermStore(connection: Connection) {
  const terms = connection.model('Term', schema, 'terms');

  /** By keyword, some hundred at a time; by `_id`. */
  async function findSome<Row extends { _id: string }>(
    storefront: Storefront,
    keywords: readonly string[],
    fields: Record<string, 0 | 1>,
  ): Promise<Map<string, Row>> {
    const found = new Map<string, Row>();
    const wanted = [...new Set(keywords)];
    for (let start = 0; start < wanted.length; start += termsPerQuery) {
      const ids = wanted.slice(start, start + termsPerQuery).map((keyword) => termId(storefront, keyword));
      const rows = await terms
        .find({ _id: { $in: ids } })
        .select(fields)
        .batchSize(oneBatch(ids.length))
        .lean<Row[]>();
      for (const row of rows) found.set(row._id.slice(storefrontKey(storefront).length + 1), row);
    }
    return found;
  }

  const updateWanted = async (updates: readonly WantedUpdate[]) => {
    for (let start = 0; start < updates.length; start += updatesPerCommand)
      await terms.bulkWrite(
        updates.slice(start, start + updatesPerCommand).map((updateOne) => ({ updateOne })),
        { ordered: false },
      );
  };

  return {
    model: terms,

    find: (storefront: Storefront, keyword: string) =>
      terms.findById(termId(storefront, keyword)).select(withoutOutbox).lean<KeptTerm>(),

    /** The newest ranking of each that has one, by keyword. Some 2 KB each. */
    async findRankings(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, Ranking>> {
      const rows = await findSome<{ _id: string; ranking?: Ranking | null }>(storefront, keywords, {
        ranking: 1,
      });
      return new Map(
        [...rows].flatMap(([keyword, { ranking }]) => (ranking ? [[keyword, ranking] as const] : [])),
      );
    },

    /** What a draft needs of them, by keyword; one without a score is not in it. Some 200 bytes each. */
    async findWeighed(
      storefront: Storefront,
      keywords: readonly string[],
    ): Promise<Map<string, WeighedTerm>> {
      const rows = await findSome<Pick<StoredTerm, '_id' | 'score' | 'reading'>>(
        storefront,
        keywords,
        weighedFields,
      );
      return new Map(
        [...rows].flatMap(([keyword, row]) => {
          const weighed = toWeighedTerm(row);
          return weighed ? [[keyword, weighed] as const] : [];
        }),
      );
    },

    /** Their scores and result pages, by keyword; one without either is not in it. Some 5 KB each. */
    async findPages(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, PageTerm>> {
      const rows = await findSome<Pick<StoredTerm, '_id' | 'score' | 'reading'>>(
        storefront,
        keywords,
        pageTermFields,
      );
      return new Map(
        [...rows].flatMap(([keyword, row]) => {
          const term = toPageTerm(row);
          return term ? [[keyword, term] as const] : [];
        }),
      );
    },

    /** What an audit needs of them, by keyword; one without a score is not in it. Some 100 bytes each. */
    async findScores(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, TermScore>> {
      const rows = await findSome<{ _id: string; score?: TermScore | null }>(storefront, keywords, ofScore);
      return new Map([...rows].flatMap(([keyword, { score }]) => (score ? [[keyword, score] as const] : [])));
    },

    /**
     * Has the terms measured until a moment: those that never were at once, all others when they are old enough. What is
     * wanted for nearly as long already is only read: of 600 terms two queries by `_id`, and writes for what is new.
     * True when some of them had never been wanted, and are due now.
     */
    async want(
      storefront: Storefront,
      wanted: readonly WantedTerm[],
      until: Date,
      at: Date,
    ): Promise<boolean> {
      const merged = mergeWanted(wanted);
      const read = (some: readonly WantedTerm[]) =>
        findSome<KeptTerm>(
          storefront,
          some.map(({ keyword }) => keyword),
          demandOf,
        );
      const known = await read(merged);
      const made = merged.filter(({ keyword }) => !known.has(keyword));
      const others = await insertNew(
        terms.collection,
        made.map((term) => wantedTerm(storefront, term, until, at)),
      );
      // Somebody else made them in between.
      const late = await read(made.filter(({ keyword }) => others.has(termId(storefront, keyword))));
      await updateWanted(wantedUpdates({ wanted: merged, known: new Map([...known, ...late]), until, at }));
      return made.length > 0;
    },

    /**
     * Somebody began to track it: due at once, before all others. `event` tells the scores that are there already. By
     * `_id`.
     */
    async track(
      storefront: Storefront,
      keyword: string,
      { trackedAt, at }: { trackedAt: Date; at: Date },
      event: NewEvent | null,
    ): Promise<void> {
      await retryUpsert(() =>
        terms.updateOne(
          { _id: termId(storefront, keyword) },
          {
            $set: {
              is_tracked: true,
              importance: importances.tracked,
              due_at: at,
              failures: 0,
              is_untold: true,
              ...(event && outboxSet(event, at)),
            },
            $max: { tracked_at: trackedAt },
            $inc: { asks: 1 },
            $unset: { claimed_by: '' },
            $setOnInsert: { ...storefront, keyword, ranking: null, ...neverMeasured },
          },
          { upsert: true },
        ),
      );
    },

    /**
     * A snapshot of a tracked keyword. It takes the place of a ranking of the same day or an older one; `isDue`: it is
     * measured at once. By `_id`.
     */
    async putSnapshot(
      storefront: Storefront,
      keyword: string,
      ranking: Ranking,
      { isDue, at }: { isDue: boolean; at: Date },
    ): Promise<void> {
      const _id = termId(storefront, keyword);
      const tracked = {
        $set: {
          is_tracked: true,
          importance: importances.tracked,
          ...(isDue && { due_at: at, failures: 0 }),
        },
        ...(isDue && { $inc: { asks: 1 }, $unset: { claimed_by: '' } }),
      };
      const { matchedCount } = await terms.updateOne(
        { _id, $or: [{ ranking: null }, { 'ranking.day': { $lte: ranking.day } }] },
        { ...tracked, $set: { ...tracked.$set, ranking } },
      );
      if (matchedCount > 0) return;
      const blank = { ...neverMeasured, is_untold: false, ...(!isDue && { failures: 0, asks: 0 }) };
      await retryUpsert(() =>
        terms.updateOne(
          { _id },
          { ...tracked, $setOnInsert: { ...storefront, keyword, ...blank, ranking } },
          { upsert: true },
        ),
      );
    },
  };
}

/** Nothing was read. */
const blankReading: KeywordReading = { page: null, suggestion: null, chart: null };
const neverMeasured = { reading: blankReading, score: null, revision: 0 };

/** One that is wanted and that nobody has known before. */
function wantedTerm(
  storefront: Storefront,
  { keyword, importance, isDaily }: WantedTerm,
  until: Date,
  at: Date,
) {
  return {
    _id: termId(storefront, keyword),
    ...storefront,
    keyword,
    is_tracked: false,
    ranking: null,
    ...neverMeasured,
    is_untold: false,
    importance,
    wanted_until: until,
    due_at: at,
    failures: 0,
    asks: 1,
    ...(isDaily && { daily_until: until }),
  };
}
