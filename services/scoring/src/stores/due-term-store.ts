import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import type { Importance } from '../domain/term-schedule.ts';
import type { PublicPage, Term } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermSchedule } from './term-requests.ts';
import type { TermDocument } from './term-schema.ts';
import type { TermStore } from './term-store.ts';

export type DueTerm = DueJob &
  Pick<Term, '_id' | 'store' | 'country' | 'lang' | 'keyword'> &
  Pick<TermSchedule, 'importance'>;

/** A term that this copy has claimed to measure. */
export type ClaimedTerm = Claimed<DueTerm>;

/** What is read of a claimed term right before it is measured. */
export type CurrentTerm = Pick<Term, 'is_tracked' | 'public_until'> &
  Pick<
    TermSchedule,
    | 'importance'
    | 'requested_until'
    | 'daily_until'
    | 'request_count'
    | 'has_unpublished_scores'
    | 'tracked_at'
    | 'awaited_at'
  > & {
    score?: { difficulty: number | null; traffic: number | null } | null;
    public_page?: Pick<PublicPage, 'shown_at' | 'due_at'>;
  };

/**
 * How long a claim lasts; it is extended when a measurement starts late. It is longer than a measurement with its writes,
 * so that no two copies measure one term.
 */
export const claimMs = 60_000;

export type DueTermStore = ReturnType<typeof createDueTermStore>;

const currentFields = {
  is_tracked: 1,
  importance: 1,
  requested_until: 1,
  daily_until: 1,
  public_until: 1,
  'public_page.shown_at': 1,
  'public_page.due_at': 1,
  request_count: 1,
  has_unpublished_scores: 1,
  tracked_at: 1,
  awaited_at: 1,
  'score.difficulty': 1,
  'score.traffic': 1,
} as const;

/**
 * The terms that the daily run measures. A claim is lost when its term is tracked, gets a new snapshot or is measured
 * for a user. Indexes: `store, importance, due_at` and `store, failures, importance, due_at`.
 */
export function createDueTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  const queue = createJobQueue<DueTerm, TermDocument>({
    model: terms,
    fields: ['store', 'country', 'lang', 'keyword', 'importance'],
  });
  return {
    queue,

    /** The term as it is now; null when the claim is lost. Index: _id. */
    findCurrent: (term: ClaimedTerm) => queue.findClaimed<CurrentTerm>(term, currentFields),

    /**
     * When the last of these terms is measured again; null unless all of them are planned for later. A term that is due or being
     * measured has no such time. Index: _id.
     */
    async findNextLook(storefront: Storefront, keywords: readonly string[], at: Date): Promise<Date | null> {
      const rows = await terms
        .find({ _id: { $in: keywords.map((keyword) => termId(storefront, keyword)) } })
        .select({ due_at: 1, claimed_by: 1 })
        .lean<Pick<TermDocument, 'due_at' | 'claimed_by'>[]>();
      const planned = rows.flatMap(({ due_at: dueAt, claimed_by: claim }) =>
        dueAt && dueAt > at && !claim ? [dueAt.getTime()] : [],
      );
      return planned.length === keywords.length ? new Date(Math.max(...planned)) : null;
    },

    /** How many terms of one importance are due or claimed. Each of the two counts stops at `limit`. */
    async countWaiting(store: Store, importance: Importance, at: Date, limit: number): Promise<number> {
      const due = queue.countDue({ store, importance }, at, limit);
      const until = new Date(at.getTime() + claimMs);
      const claimed = { due_at: { $gt: at, $lte: until }, claimed_by: { $ne: null } };
      const counts = await Promise.all([
        due,
        terms.countDocuments({ store, importance, ...claimed }, { limit }),
      ]);
      return counts[0] + counts[1];
    },
  };
}
