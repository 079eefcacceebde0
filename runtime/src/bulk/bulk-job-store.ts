import { type Connection, Schema } from 'mongoose';
import { createJobQueue, endClaim } from '../jobs/job-queue.ts';
import { bulkWriteInChunks } from '../mongo/bulk-write-in-chunks.ts';
import { deleteAll, deleteBatch } from '../mongo/delete-batch.ts';
import { insertNew } from '../mongo/insert-new.ts';
import { ofAccount } from '../mongo/of-account.ts';
import { type BulkItem, type BulkJob, type ItemFailure, keptJobs, maxItems } from './bulk-job.ts';

const jobSchema = new Schema<BulkJob>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    target: { type: Schema.Types.Mixed, required: true },
    state: { type: String, required: true },
    total: { type: Number, required: true },
    done: { type: Number, required: true },
    failed: { type: Number, required: true },
    created_at: { type: Date, required: true },
    started_at: { type: Date, default: null },
    moved_at: { type: Date, default: null },
    finished_at: { type: Date, default: null },
    due_at: Date,
    failures: { type: Number, required: true },
    claimed_by: String,
  },
  { versionKey: false, minimize: false },
)
  .index({ account_id: 1, _id: 1 })
  .index({ due_at: 1 }, { sparse: true })
  .index({ created_at: 1 });

const itemSchema = new Schema<BulkItem>(
  {
    _id: { type: String, required: true },
    job_id: { type: Number, required: true },
    position: { type: Number, required: true },
    text: { type: String, required: true },
    state: { type: String, required: true },
    tries: { type: Number, required: true },
    began_at: { type: Date, default: null },
    spent_at: { type: Date, default: null },
    is_capped: { type: Boolean, required: true },
    changed_by: String,
    result: Buffer,
    failure: { type: Schema.Types.Mixed },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ job_id: 1, state: 1, tries: 1, position: 1 })
  .index({ created_at: 1 });

/** A job that a worker has claimed, with what its next batch needs. */
type DueBulkJob<Target> = Pick<
  BulkJob<Target>,
  '_id' | 'due_at' | 'failures' | 'account_id' | 'target' | 'total'
>;

/** The items of a batch, as its worker needs them. */
export type WaitingItem = Pick<
  BulkItem,
  '_id' | 'position' | 'text' | 'tries' | 'began_at' | 'spent_at' | 'is_capped'
>;

const fieldsOfWaiting = { position: 1, text: 1, tries: 1, began_at: 1, spent_at: 1, is_capped: 1 } as const;

/** What becomes of an item: the fields that are set. It has waited until then. */
export type ItemChange = {
  id: string;
  set: Partial<Pick<BulkItem, 'state' | 'tries' | 'spent_at' | 'is_capped' | 'result' | 'failure'>>;
};

export type BulkJobStore<Target extends object> = ReturnType<typeof createBulkJobStore<Target>>;

/** The jobs of accounts and their items, in `jobs` and `job_items`. */
export function createBulkJobStore<Target extends object>(connection: Connection) {
  const jobs = connection.model('Job', jobSchema, 'jobs');
  const items = connection.model('JobItem', itemSchema, 'job_items');
  const queue = createJobQueue<DueBulkJob<Target>, BulkJob<Target>>({
    model: jobs,
    fields: ['account_id', 'target', 'total'],
  });

  const isOpen = { finished_at: null };
  /** At least as many as the jobs of all the accounts whose batches run. */
  const mostClaimed = 100;

  /** Four digits: the order of the texts is that of the positions. */
  const toItemId = (job: Pick<BulkJob, '_id' | 'account_id'>, position: number) =>
    `${job.account_id}:${job._id}:${String(position).padStart(4, '0')}`;

  /** The job goes last: when the signal stops this, the next call goes on. Indexes: job_id, state, …; account_id, _id. */
  async function remove(accountId: string, id: number, signal: AbortSignal): Promise<void> {
    const { isComplete } = await deleteAll(items, { job_id: id }, signal);
    if (isComplete) await jobs.deleteOne({ _id: id, account_id: accountId });
  }

  return {
    queue,
    remove,

    /** The open jobs of an account. Index: account_id, _id, of its few rows. */
    countOpen: (accountId: string): Promise<number> =>
      jobs.countDocuments({ account_id: accountId, ...isOpen }).exec(),

    /** When the jobs of an account were created after `after`, oldest first. Index: account_id, _id, of its few rows. */
    async listCreations(accountId: string, after: Date): Promise<Date[]> {
      const created = await jobs
        .find({ account_id: accountId, created_at: { $gt: after } })
        .sort({ _id: 1 })
        .select({ created_at: 1 })
        .lean<Pick<BulkJob, 'created_at'>[]>();
      return created.map(({ created_at: createdAt }) => createdAt);
    },

    /** Accounts with a batch that runs now, or was claimed. Index: due_at, of the claims and pauses, which are few. */
    async listBusyAccounts(at: Date): Promise<Set<string>> {
      const claimed = await jobs
        .find({ due_at: { $gt: at }, claimed_by: { $ne: null } })
        .sort({ due_at: 1 })
        .limit(mostClaimed)
        .select({ account_id: 1 })
        .lean<Pick<BulkJob, 'account_id'>[]>();
      return new Set(claimed.map(({ account_id: accountId }) => accountId));
    },

    /** The items first, so that a job never runs without them; those without a job expire. */
    async add(
      job: Pick<BulkJob<Target>, '_id' | 'account_id' | 'target'>,
      texts: readonly string[],
      at: Date,
    ) {
      const rows = texts.map((text, index) => ({
        _id: toItemId(job, index + 1),
        job_id: job._id,
        position: index + 1,
        text,
        state: 'waiting',
        tries: 0,
        began_at: null,
        spent_at: null,
        is_capped: false,
        created_at: at,
      }));
      await insertNew(items.collection, rows);
      const added: BulkJob<Target> = {
        ...job,
        state: 'queued',
        total: texts.length,
        done: 0,
        failed: 0,
        created_at: at,
        started_at: null,
        moved_at: null,
        finished_at: null,
        due_at: at,
        failures: 0,
      };
      await jobs.create(added);
      return added;
    },

    /** Newest first: all of an account, which are few. Index: account_id, _id. */
    list: (accountId: string): Promise<BulkJob<Target>[]> =>
      jobs.find({ account_id: accountId }).sort({ _id: -1 }).lean<BulkJob<Target>[]>().exec(),

    /** Index: _id. */
    find: (accountId: string, id: number): Promise<BulkJob<Target> | null> =>
      jobs.findOne({ _id: id, account_id: accountId }).lean<BulkJob<Target>>().exec(),

    /** A page of the items of a job, in the order sent. Index: _id. */
    async listItems(
      job: Pick<BulkJob, '_id' | 'account_id'>,
      { skip, limit }: { skip: number; limit: number },
    ): Promise<Pick<BulkItem, 'position' | 'text' | 'state' | 'result' | 'failure'>[]> {
      if (skip >= maxItems) return [];
      const _id = { $gte: toItemId(job, skip + 1), $lte: toItemId(job, Math.min(skip + limit, maxItems)) };
      return items
        .find({ _id })
        .sort({ _id: 1 })
        .select({ position: 1, text: 1, state: 1, result: 1, failure: 1 })
        .lean<BulkItem[]>();
    },

    /** Ends an open job and the claim on it; null: it has ended, or there is none. Index: _id. */
    cancel: (accountId: string, id: number, at: Date): Promise<BulkJob<Target> | null> =>
      jobs
        .findOneAndUpdate(
          { _id: id, account_id: accountId, ...isOpen },
          { $set: { state: 'canceled', finished_at: at }, $unset: { due_at: '', ...endClaim } },
          { returnDocument: 'after' },
        )
        .lean<BulkJob<Target>>()
        .exec(),

    /** Whose job it is, while the claim on it is held. Index: _id. */
    findClaimed: (id: number, claim: string): Promise<BulkJob<Target> | null> =>
      jobs.findOne({ _id: id, claimed_by: claim }).lean<BulkJob<Target>>().exec(),

    /** Marks a job whose first batch runs. */
    async start(id: number, claim: string, at: Date): Promise<void> {
      await jobs.updateOne(
        { _id: id, claimed_by: claim, state: 'queued' },
        { $set: { state: 'running', started_at: at } },
      );
    },

    /** The next items of a job: those with the fewest attempts first. Index: job_id, state, tries, position. */
    listWaiting: (jobId: number, limit: number): Promise<WaitingItem[]> =>
      items
        .find({ job_id: jobId, state: 'waiting' })
        .sort({ tries: 1, position: 1 })
        .limit(limit)
        .select(fieldsOfWaiting)
        .lean<WaitingItem[]>()
        .exec(),

    /** Those of the positions that wait, in order. Index: _id. */
    findWaiting: (
      job: Pick<BulkJob, '_id' | 'account_id'>,
      positions: readonly number[],
    ): Promise<WaitingItem[]> =>
      items
        .find({ _id: { $in: positions.map((position) => toItemId(job, position)) }, state: 'waiting' })
        .sort({ _id: 1 })
        .select(fieldsOfWaiting)
        .lean<WaitingItem[]>()
        .exec(),

    /** Marks items as begun. Index: _id. */
    async markBegun(ids: readonly string[], at: Date): Promise<void> {
      if (ids.length === 0) return;
      await items.updateMany({ _id: { $in: ids }, began_at: null }, { $set: { began_at: at } });
    },

    /** Marks items as counted. Index: _id. */
    async markSpent(
      ids: readonly string[],
      { isCapped, at }: { isCapped: boolean; at: Date },
    ): Promise<void> {
      if (ids.length === 0) return;
      await items.updateMany(
        { _id: { $in: ids }, spent_at: null },
        { $set: { spent_at: at, is_capped: isCapped } },
      );
    },

    /**
     * Changes items that still wait, each once, whichever worker comes first; without a result only while they are counted, so that
     * nothing is given back twice. Returns the ids of those that this worker has changed, in one more query when another one came
     * first. Index: _id.
     */
    async change(changes: readonly ItemChange[], claim: string): Promise<Set<string>> {
      const ids = changes.map(({ id }) => id);
      const { matchedCount } = await bulkWriteInChunks(
        items,
        changes.map(({ id, set }) => {
          const isCounted = set.state === 'done' ? {} : { spent_at: { $ne: null } };
          const filter: object = { _id: id, state: 'waiting', ...isCounted };
          return { updateOne: { filter, update: { $set: { ...set, changed_by: claim } } } };
        }),
      );
      if (matchedCount === ids.length) return new Set(ids);
      const changed = await items
        .find({ _id: { $in: ids }, changed_by: claim })
        .select({ _id: 1 })
        .lean<Pick<BulkItem, '_id'>[]>();
      return new Set(changed.map(({ _id }) => _id));
    },

    /** Ends the items of a job that wait, all or those that are not counted now. Returns how many. Index: job_id, state, … */
    async failWaiting(jobId: number, failure: ItemFailure, which: { spent_at?: null } = {}): Promise<number> {
      const { modifiedCount } = await items.updateMany(
        { job_id: jobId, state: 'waiting', ...which },
        { $set: { state: 'failed', failure } },
      );
      return modifiedCount;
    },

    /**
     * Counts the items of a job that have ended, and shows that in the job. Counts only grow, so a late worker changes nothing.
     * `movedAt`: an item has just ended. Index: job_id, state, …
     */
    async count(jobId: number, movedAt: Date | null): Promise<{ done: number; failed: number }> {
      const [done, failed] = await Promise.all([
        items.countDocuments({ job_id: jobId, state: 'done' }),
        items.countDocuments({ job_id: jobId, state: 'failed' }),
      ]);
      const largest: { done: number; failed: number; moved_at?: Date } = { done, failed };
      if (movedAt) largest.moved_at = movedAt;
      await jobs.updateOne({ _id: jobId }, { $max: largest });
      return { done, failed };
    },

    /** Lets the jobs of other accounts go first: none of the account has been due for longer. Index: account_id, _id. */
    async queueBehindOthers(accountId: string, at: Date): Promise<void> {
      await jobs.updateMany(
        { account_id: accountId, ...isOpen, due_at: { $lt: at } },
        { $set: { due_at: at } },
      );
    },

    /** Deletes the oldest jobs of an account that have ended, but for the last ones. Index: account_id, _id. */
    async deleteOld(accountId: string, signal: AbortSignal): Promise<void> {
      const old = await jobs
        .find({ account_id: accountId, finished_at: { $ne: null } })
        .sort({ _id: -1 })
        .skip(keptJobs)
        .select({ _id: 1 })
        .lean<Pick<BulkJob, '_id'>[]>();
      for (const { _id: id } of old) await remove(accountId, id, signal);
    },

    /** Deletes a batch of expired jobs; see `deleteBatch`. An open one ends with it. Index: created_at. */
    deleteBefore: (before: Date) => deleteBatch(jobs, { created_at: { $lt: before } }, { created_at: 1 }),

    /** The same of items. Index: created_at. */
    deleteItemsBefore: (before: Date) =>
      deleteBatch(items, { created_at: { $lt: before } }, { created_at: 1 }),

    /** Deletes the jobs of an account until the signal fires. Indexes: account_id, _id; _id. */
    async deleteAccount(accountId: string, signal: AbortSignal) {
      const ofJobs = await deleteAll(jobs, { account_id: accountId }, signal);
      const ofItems = await deleteAll(items, ofAccount(accountId), signal);
      return { found: ofJobs.found + ofItems.found, isComplete: ofJobs.isComplete && ofItems.isComplete };
    },
  };
}
