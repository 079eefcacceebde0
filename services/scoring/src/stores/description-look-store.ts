import type { Store } from '@shelfwise/facts/stores/store';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { maxLookedUp } from '../domain/audit/words/described-phrases.ts';
import { weekMs } from '../domain/term-schedule.ts';

/** What the store suggests for words of a listing's description. */
export type DescriptionLook = {
  /** internal app id */
  _id: number;
  store: Store;
  /** When the next word is looked up; while it is claimed, when that expires. Absent: not before it is requested again. */
  due_at?: Date | null;
  failures: number;
  claimed_by?: string;
  /** When the first call of the present week was allowed; absent: none was. */
  since?: Date | null;
  /** How many calls were allowed since then, answered or not. */
  calls: number;
  /** Of words that were looked up, the newest last. */
  answers: { word: string; suggestions: string[]; read_at: Date }[];
};

export type DueLook = DueJob & Pick<DescriptionLook, '_id'>;
export type ClaimedLook = Claimed<DueLook>;

const schema = new Schema<DescriptionLook>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    due_at: Date,
    failures: { type: Number, required: true },
    claimed_by: String,
    since: Date,
    calls: { type: Number, required: true },
    answers: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false },
).index({ store: 1, due_at: 1 });

export type DescriptionLookStore = ReturnType<typeof createDescriptionLookStore>;

/**
 * One document of some 3 KB per listing, shared by all accounts. Queries use the index on `_id`. The calls of a week are
 * counted here before they are made, so that restarts and several copies make no more of them.
 */
export function createDescriptionLookStore(connection: Connection) {
  const looks = connection.model('DescriptionLook', schema, 'description_looks');

  return {
    queue: createJobQueue<DueLook, DescriptionLook>({ model: looks, fields: [] }),

    /** Null when nothing was looked up or requested. */
    find: (listingId: number) => looks.findById(listingId).lean<DescriptionLook>(),

    /** Words of the description are due at `at`, or once the week of the last calls is over. */
    async request(listingId: number, store: Store, at: Date): Promise<void> {
      const known = await looks
        .findById(listingId)
        .select({ due_at: 1, since: 1 })
        .lean<Pick<DescriptionLook, 'due_at' | 'since'>>();
      if (known?.due_at) return;
      const weekEnd = known?.since ? known.since.getTime() + weekMs : 0;
      const dueAt = new Date(Math.max(at.getTime(), weekEnd));
      await retryUpsert(() =>
        looks.updateOne(
          { _id: listingId },
          { $set: { due_at: dueAt }, $setOnInsert: { store, failures: 0, calls: 0, answers: [] } },
          { upsert: true },
        ),
      );
    },

    /**
     * Counts a call that the holder of a claim is about to make. False when the week has had ten, or the claim is lost. A call
     * after the week starts the next one.
     */
    async allowCall({ _id, claim }: Pick<ClaimedLook, '_id' | 'claim'>, at: Date): Promise<boolean> {
      const held = { _id, claimed_by: claim };
      const weekAgo = new Date(at.getTime() - weekMs);
      const counted = await looks.updateOne(
        { ...held, since: { $gt: weekAgo }, calls: { $lt: maxLookedUp } },
        { $inc: { calls: 1 } },
      );
      if (counted.matchedCount === 1) return true;
      const first = await looks.updateOne(
        { ...held, since: { $not: { $gt: weekAgo } } },
        { $set: { since: at, calls: 1 } },
      );
      return first.matchedCount === 1;
    },
  };
}
