import type { Store } from '@shelfwise/facts/stores/store';
import { singleBatchSize, updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import { type Importance, importances } from '../domain/importance.ts';
import type { StoredTerm } from './stored-term.ts';
import type { Demand } from './term-demand.ts';
import type { TermStore } from './term-store.ts';

/** A term that is to be measured. */
export type DueTerm = Pick<StoredTerm, '_id' | 'store' | 'country' | 'lang' | 'keyword'> &
  Pick<Demand, 'importance' | 'failures'> & { due_at: Date };

/** How a term stands right before it is measured. */
export type TermClaim = Pick<StoredTerm, '_id' | 'is_tracked'> &
  Pick<
    Demand,
    'importance' | 'wanted_until' | 'daily_until' | 'claimed_by' | 'asks' | 'is_untold' | 'tracked_at'
  > & {
    score?: { difficulty: number | null; traffic: number | null } | null;
  };

/**
 * How long a claim lasts, from the beginning of its measuring anew: longer than that takes, with the time to write what
 * was read, so that no two measure one term. A copy that died loses it then.
 */
const claimMs = 60_000;

export type DueTermStore = ReturnType<typeof createDueTermStore>;

const ofDue = {
  store: 1,
  country: 1,
  lang: 1,
  keyword: 1,
  importance: 1,
  failures: 1,
  due_at: 1,
} as const;

const ofClaim = {
  is_tracked: 1,
  importance: 1,
  wanted_until: 1,
  daily_until: 1,
  claimed_by: 1,
  asks: 1,
  is_untold: 1,
  tracked_at: 1,
  'score.difficulty': 1,
  'score.traffic': 1,
} as const;

/** The terms as the daily run sees them: what is due, and who measures it. Every query is a range of one index. */
export function createDueTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  const list = (filter: object, at: Date, limit: number) =>
    terms
      .find({ ...filter, due_at: { $lte: at } })
      .sort({ due_at: 1 })
      .limit(limit)
      .batchSize(singleBatchSize(limit))
      .select(ofDue)
      .lean<DueTerm[]>();

  return {
    /** Those of one importance, oldest first. Index: store, importance, due_at. */
    listDue: (store: Store, importance: Importance, at: Date, limit: number) =>
      list({ store, importance }, at, limit),

    /** Those that have not failed since they were measured last, oldest first. Index: store, failures, importance, due_at. */
    listDueOf: (store: Store, importance: Importance, at: Date, limit: number) =>
      list({ store, failures: 0, importance }, at, limit),

    /** How many of one importance are due or claimed, counted up to `limit`. Index: store, importance, due_at, twice. */
    async countDue(store: Store, importance: Importance, at: Date, limit: number): Promise<number> {
      const claimed = { due_at: { $gt: at, $lte: claimedUntil(at) }, claimed_by: { $ne: null } };
      const counts = await Promise.all([
        terms.countDocuments({ store, importance, due_at: { $lte: at } }, { limit }),
        terms.countDocuments({ store, importance, ...claimed }, { limit }),
      ]);
      return counts[0] + counts[1];
    },

    /**
     * Claims those of the terms that are still due; the ids of those that were. Of several that claim one term at once
     * exactly one gets it. `claim` is a text that was never used before. Index: _id.
     */
    async claim(ids: readonly string[], at: Date, claim: string): Promise<Set<string>> {
      const { modifiedCount } = await terms.updateMany(
        { _id: { $in: ids }, due_at: { $lte: at } },
        { $set: { due_at: claimedUntil(at), claimed_by: claim } },
      );
      if (modifiedCount === 0) return new Set();
      const mine = await terms
        .find({ _id: { $in: ids }, claimed_by: claim })
        .batchSize(singleBatchSize(ids.length))
        .select({ _id: 1 })
        .lean<Pick<DueTerm, '_id'>[]>();
      return new Set(mine.map(({ _id }) => _id));
    },

    /** Index: _id. */
    findClaim: (id: string) => terms.findOne({ _id: id }).select(ofClaim).lean<TermClaim>(),

    /** Ends a claim and sets when the term is due next; nothing happens when the claim is over already. Index: _id. */
    async release(id: string, claim: string, dueAt: Date, failures: number): Promise<void> {
      await terms.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { due_at: dueAt, failures }, $unset: { claimed_by: '' } },
      );
    },

    /** Ends a claim and all further measurings; nothing happens when somebody has asked for the term since. Index: _id. */
    async forget(id: string, claim: string, asks: number): Promise<void> {
      await terms.updateOne(
        { _id: id, claimed_by: claim, asks },
        {
          $set: { importance: importances.described, failures: 0 },
          $unset: { claimed_by: '', due_at: '' },
        },
      );
    },

    /** Index: _id. */
    async releaseMany(released: readonly { id: string; claim: string; dueAt: Date }[]): Promise<void> {
      for (let start = 0; start < released.length; start += updatesPerCommand)
        await terms.bulkWrite(
          released.slice(start, start + updatesPerCommand).map(({ id, claim, dueAt }) => ({
            updateOne: {
              filter: { _id: id, claimed_by: claim },
              update: { $set: { due_at: dueAt }, $unset: { claimed_by: '' } },
            },
          })),
          { ordered: false },
        );
    },

    /** As if it was claimed now. False when the claim is over. Index: _id. */
    async prolong(id: string, claim: string, at: Date): Promise<boolean> {
      const { matchedCount } = await terms.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { due_at: claimedUntil(at) } },
      );
      return matchedCount === 1;
    },
  };
}

function claimedUntil(at: Date): Date {
  return new Date(at.getTime() + claimMs);
}
