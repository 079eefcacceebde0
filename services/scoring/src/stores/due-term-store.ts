import type { Store } from '@shelfwise/facts/stores/store';
import { singleBatchSize, updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import { type Importance, importances } from '../domain/term-schedule.ts';
import type { Term } from './term.ts';
import type { TermSchedule } from './term-requests.ts';
import type { TermStore } from './term-store.ts';

/** A term that is due. */
export type DueTerm = Pick<Term, '_id' | 'store' | 'country' | 'lang' | 'keyword'> &
  Pick<TermSchedule, 'importance' | 'failures'> & { due_at: Date };

/** A claimed term as read right before it is measured. */
export type ClaimedTerm = Pick<Term, '_id' | 'is_tracked'> &
  Pick<
    TermSchedule,
    | 'importance'
    | 'requested_until'
    | 'daily_until'
    | 'claimed_by'
    | 'request_count'
    | 'has_unpublished_scores'
    | 'tracked_at'
  > & {
    score?: { difficulty: number | null; traffic: number | null } | null;
  };

/**
 * How long a claim lasts; it is extended when the measurement starts. It is longer than a measurement with its writes,
 * so that no two copies measure one term. The claim of a crashed copy expires.
 */
const claimMs = 60_000;

export type DueTermStore = ReturnType<typeof createDueTermStore>;

const dueFields = {
  store: 1,
  country: 1,
  lang: 1,
  keyword: 1,
  importance: 1,
  failures: 1,
  due_at: 1,
} as const;

const claimFields = {
  is_tracked: 1,
  importance: 1,
  requested_until: 1,
  daily_until: 1,
  claimed_by: 1,
  request_count: 1,
  has_unpublished_scores: 1,
  tracked_at: 1,
  'score.difficulty': 1,
  'score.traffic': 1,
} as const;

/**
 * The terms as the daily run sees them: which are due and which are claimed. Each query reads one range of an index.
 *
 * A claim stays valid, even after its time, until another copy claims the term. It is also lost when the term is
 * tracked, gets a new snapshot or is measured for a user in between.
 */
export function createDueTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  const listDueBy = (filter: object, at: Date, limit: number) =>
    terms
      .find({ ...filter, due_at: { $lte: at } })
      .sort({ due_at: 1 })
      .limit(limit)
      .batchSize(singleBatchSize(limit))
      .select(dueFields)
      .lean<DueTerm[]>();

  return {
    /** The due terms of one importance, oldest first. Index: store, importance, due_at. */
    listDue: (store: Store, importance: Importance, at: Date, limit: number) =>
      listDueBy({ store, importance }, at, limit),

    /**
     * The due terms without a failure since their last measurement, oldest first. Index: store, failures, importance,
     * due_at.
     */
    listDueWithoutFailures: (store: Store, importance: Importance, at: Date, limit: number) =>
      listDueBy({ store, failures: 0, importance }, at, limit),

    /**
     * How many terms of one importance are due or claimed. Each of the two counts stops at `limit`. Index: store,
     * importance, due_at, twice.
     */
    async countDue(store: Store, importance: Importance, at: Date, limit: number): Promise<number> {
      const claimed = { due_at: { $gt: at, $lte: claimedUntil(at) }, claimed_by: { $ne: null } };
      const counts = await Promise.all([
        terms.countDocuments({ store, importance, due_at: { $lte: at } }, { limit }),
        terms.countDocuments({ store, importance, ...claimed }, { limit }),
      ]);
      return counts[0] + counts[1];
    },

    /**
     * Claims the given terms that are still due, and returns their ids. When several copies claim one term at the
     * same time, exactly one gets it. `claim` is a unique id for this call. Index: _id.
     */
    async claim(ids: readonly string[], at: Date, claim: string): Promise<Set<string>> {
      const { modifiedCount } = await terms.updateMany(
        { _id: { $in: ids }, due_at: { $lte: at } },
        { $set: { due_at: claimedUntil(at), claimed_by: claim } },
      );
      if (modifiedCount === 0) return new Set();
      const claimed = await terms
        .find({ _id: { $in: ids }, claimed_by: claim })
        .batchSize(singleBatchSize(ids.length))
        .select({ _id: 1 })
        .lean<Pick<DueTerm, '_id'>[]>();
      return new Set(claimed.map((term) => term._id));
    },

    /** The term and its current claim, which may be another one by now. Index: _id. */
    findClaim: (id: string) => terms.findOne({ _id: id }).select(claimFields).lean<ClaimedTerm>(),

    /** Ends a claim and sets when the term is due next. Does nothing when the claim is lost. Index: _id. */
    async release(id: string, claim: string, dueAt: Date, failures: number): Promise<void> {
      await terms.updateOne(
        { _id: id, claimed_by: claim },
        { $set: { due_at: dueAt, failures }, $unset: { claimed_by: '' } },
      );
    },

    /**
     * Ends a claim and unschedules the term. Does nothing when the claim is lost or the term was requested since
     * `requestCount` was read. Index: _id.
     */
    async unschedule(id: string, claim: string, requestCount: number): Promise<void> {
      await terms.updateOne(
        { _id: id, claimed_by: claim, request_count: requestCount },
        {
          $set: { importance: importances.described, failures: 0 },
          $unset: { claimed_by: '', due_at: '' },
        },
      );
    },

    /** Ends the claims of terms that were not tried and makes each due at `dueAt`. Index: _id. */
    async requeue(claims: readonly { id: string; claim: string; dueAt: Date }[]): Promise<void> {
      for (let start = 0; start < claims.length; start += updatesPerCommand)
        await terms.bulkWrite(
          claims.slice(start, start + updatesPerCommand).map(({ id, claim, dueAt }) => ({
            updateOne: {
              filter: { _id: id, claimed_by: claim },
              update: { $set: { due_at: dueAt }, $unset: { claimed_by: '' } },
            },
          })),
          { ordered: false },
        );
    },

    /** Extends a claim as if it was made now. Returns false when it is lost. Index: _id. */
    async extend(id: string, claim: string, at: Date): Promise<boolean> {
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
