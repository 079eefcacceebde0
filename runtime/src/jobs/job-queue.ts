import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { createBatches } from '../concurrency/batches.ts';
import type { JobBacklog } from '../metrics/job-metrics.ts';
import { bulkWriteInChunks } from '../mongo/bulk-write-in-chunks.ts';
import { retryAt } from './retry-delay.ts';

/** A job that is due, with the fields that the queue of its kind selects. */
export type DueJob = {
  _id: string | number;
  /** When it became due. If a claim on it has expired: the time when that claim expired. */
  due_at: Date;
  /** Failures since the last completion. */
  failures: number;
};

/** A job that this process has claimed. All fields are from before the claim, and so is `due_at`. */
export type Claimed<Job> = Job & {
  /** The unique id of the claim; the jobs of one call share it. */
  claim: string;
  /** By the clock of the claiming process. */
  expiresAt: Date;
};

/** The fields of a document that the queue writes. */
type JobDocument = {
  _id: string | number;
  /** When it can be claimed; while it is claimed, when the claim expires. Absent: it is not scheduled. */
  due_at?: Date | null;
  failures?: number;
  /** The id of the last claim. It stays when the claim expires, and is absent after the claim has ended. */
  claimed_by?: string | null;
};

/** A filter on fields that the documents of some jobs share. With `due_at`, it should be a range of one index. */
type Scope = Readonly<Record<string, unknown>>;

type HeldJob = Pick<Claimed<DueJob>, '_id' | 'claim'>;

/** Reads a claimed job as it is now; null when the claim is lost. */
type ReadClaimed = (job: HeldJob) => Promise<object | null>;

/** The most claimed jobs that one query reads. */
const claimsPerRead = 50;
/** Counting for metrics goes through an index entry by entry. */
const mostCounted = 1000;
/** How often a claim lists jobs when other workers claim all of them first. */
const claimAttempts = 5;

/**
 * The `$unset` of an update that ends the claim on a document. An update outside of the queue that replaces the schedule
 * needs it, so that the worker that holds the claim does not change the schedule again.
 */
export const endClaim = { claimed_by: '' } as const;

/**
 * A durable queue of jobs, shared by all copies of a service. A job is a document; its schema has `due_at`, `failures`
 * and `claimed_by`. A claim moves `due_at` to the time when it expires and writes a unique id, by which the later calls
 * prove that they still hold it. It is lost when another worker claims the job after it has expired, or when an update
 * with `endClaim` changes the schedule.
 *
 * A claim must last longer than the job, by more than the clocks of the copies differ. If it does not, a job may run
 * twice, but only the worker that claimed it last completes it.
 *
 * `Document` is the type of the documents, whose fields some calls write.
 *
 * `listDue`, `countDue`, `nextDueAt` and `readBacklog` need an index of the fields of their scope and `due_at`. All other calls
 * use the index of `_id`. Every call rejects with the error of the database.
 * @param fields the fields of a job that `listDue` reads, besides those of `DueJob`
 */
export function createJobQueue<Job extends DueJob, Document extends object>(deps: {
  /** Any mongoose model. Its own type is invariant and would fit only one kind of document. */
  model: { modelName: string };
  fields: readonly Exclude<keyof Job, keyof DueJob>[];
}) {
  const jobs = deps.model as unknown as Model<JobDocument>;
  const fields = ['due_at', 'failures', ...deps.fields].map(String);
  /** By the names of the fields that are read. */
  const claimedReads = new Map<string, ReadClaimed>();

  async function claimListed(listed: readonly Job[], expiresAt: Date): Promise<Claimed<Job>[]> {
    const claim = randomUUID();
    const ids = listed.map(({ _id }) => _id);
    const $set = { due_at: expiresAt, claimed_by: claim };
    // Each job as it was listed: of several workers that claim it, even with different clocks, one succeeds.
    const matched = await updateEach(
      listed.map(({ _id, due_at: dueAt }) => ({ filter: { _id, due_at: dueAt }, update: { $set } })),
    );
    const claimedIds = new Set(matched === listed.length ? ids : await findOf(claim, ids));
    return listed.filter(({ _id }) => claimedIds.has(_id)).map((job) => ({ ...job, claim, expiresAt }));
  }

  async function findOf(claim: string, ids: readonly DueJob['_id'][]): Promise<DueJob['_id'][]> {
    const claimed = await jobs
      .find({ _id: { $in: ids }, claimed_by: claim })
      .select({ _id: 1 })
      .lean<{ _id: DueJob['_id'] }[]>();
    return claimed.map(({ _id }) => _id);
  }

  /** Returns how many filters matched. */
  async function updateEach(updates: readonly { filter: object; update: object }[]): Promise<number> {
    const { matchedCount } = await bulkWriteInChunks(
      jobs,
      updates.map((updateOne) => ({ updateOne })),
    );
    return matchedCount;
  }

  async function findOldest(scope: Scope, dueAt: object): Promise<Pick<DueJob, 'due_at'> | undefined> {
    const [oldest] = await jobs
      .find({ ...scope, due_at: dueAt })
      .sort({ due_at: 1 })
      .limit(1)
      .select({ due_at: 1 })
      .lean<DueJob[]>();
    return oldest;
  }

  function createClaimedRead(select: Readonly<Record<string, 1>>): ReadClaimed {
    return createBatches<HeldJob, object | null>({
      maxItems: claimsPerRead,
      async run(claimed) {
        const rows = await jobs
          .find({
            _id: { $in: claimed.map(({ _id }) => _id) },
            claimed_by: { $in: [...new Set(claimed.map(({ claim }) => claim))] },
          })
          .select({ ...select, claimed_by: 1 })
          .lean<(Pick<JobDocument, '_id' | 'claimed_by'> & object)[]>();
        const byId = new Map(rows.map(({ claimed_by: claim, ...row }) => [row._id, { claim, row }]));
        return claimed.map(({ _id, claim }) => {
          const found = byId.get(_id);
          return found?.claim === claim ? found.row : null;
        });
      },
    });
  }

  async function updateHeld(job: HeldJob, update: object, where: Scope = {}): Promise<boolean> {
    const { matchedCount } = await jobs.updateOne({ ...where, ...held(job) }, update);
    return matchedCount === 1;
  }

  return {
    /** Up to `limit` jobs of the scope that are due at `at`, longest due first. */
    listDue: (scope: Scope, at: Date, limit: number) =>
      jobs
        .find({ ...scope, due_at: { $lte: at } })
        .sort({ due_at: 1 })
        .limit(limit)
        .select(fields)
        .lean<Job[]>(),

    /** How many jobs of the scope are due at `at`; counting stops at `limit`. */
    countDue: (scope: Scope, at: Date, limit?: number) =>
      jobs.countDocuments({ ...scope, due_at: { $lte: at } }, limit === undefined ? {} : { limit }),

    /** The earliest due time in the scopes, in the past or future; null when there is none. One query of an index each. */
    async nextDueAt(scopes: readonly Scope[]): Promise<Date | null> {
      const earliest = await Promise.all(scopes.map((scope) => findOldest(scope, { $gt: new Date(0) })));
      const times = earliest.flatMap((job) => job?.due_at.getTime() ?? []);
      return times.length === 0 ? null : new Date(Math.min(...times));
    },

    /** How many jobs of the scopes are due at `at`, counted up to 1,000, and since when. */
    async readBacklog(scopes: readonly Scope[], at: Date): Promise<JobBacklog> {
      const backlogs = await Promise.all(
        scopes.map(async (scope) => {
          const oldest = await findOldest(scope, { $lte: at });
          if (!oldest) return null;
          const limit = mostCounted;
          const due = await jobs.countDocuments({ ...scope, due_at: { $lte: at } }, { limit });
          return { due, oldestDueAt: oldest.due_at };
        }),
      );
      const waiting = backlogs.flatMap((backlog) => backlog ?? []);
      const times = waiting.map(({ oldestDueAt }) => oldestDueAt.getTime());
      return {
        due: Math.min(
          mostCounted,
          waiting.reduce((sum, { due }) => sum + due, 0),
        ),
        oldestDueAt: times.length === 0 ? null : new Date(Math.min(...times)),
      };
    },

    /**
     * Claims the jobs that `list` finds, and returns the claimed ones in the same order. Of several workers that claim
     * a job at the same time, exactly one gets it. Lists up to 5 times while other workers get all of the jobs.
     */
    async claim(list: () => PromiseLike<readonly Job[]>, expiresAt: Date): Promise<Claimed<Job>[]> {
      for (let attempt = 0; attempt < claimAttempts; attempt++) {
        const listed = await list();
        if (listed.length === 0) return [];
        const claimed = await claimListed(listed, expiresAt);
        if (claimed.length > 0) return claimed;
      }
      return [];
    },

    /**
     * Reads fields of a claimed job as they are now; null when the claim is lost. Jobs that read the same fields at the
     * same time share one query.
     */
    async findClaimed<Fields>(job: HeldJob, select: Readonly<Record<string, 1>>): Promise<Fields | null> {
      const fieldNames = Object.keys(select).join();
      const read = claimedReads.get(fieldNames) ?? createClaimedRead(select);
      claimedReads.set(fieldNames, read);
      return (await read(job)) as Fields | null;
    },

    /** Moves the end of a claim. False when the claim is lost. */
    extend: (job: HeldJob, expiresAt: Date) => updateHeld(job, { $set: { due_at: expiresAt } }),

    /**
     * The job is done and due again at `dueAt`. Writes the fields `set` with it. Returns false and changes nothing
     * when the claim is lost.
     */
    complete: (job: HeldJob, dueAt: Date, set: Partial<Document> = {}) =>
      updateHeld(job, { $set: { ...set, due_at: dueAt, failures: 0 }, $unset: endClaim }),

    /**
     * The job has failed and is retried later: after a delay that grows with its failures, or soon when it is not to
     * blame, which does not count as its failure. Writes the fields `set` with it. Returns false and changes nothing
     * when the claim is lost. `random` returns 0 to 1.
     */
    fail(
      job: HeldJob & Pick<DueJob, 'failures'>,
      isToBlame: boolean,
      { at, random, set = {} }: { at: Date; random: () => number; set?: Partial<Document> },
    ): Promise<boolean> {
      const failures = job.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(at, isToBlame ? failures : 1, random);
      return updateHeld(job, { $set: { ...set, due_at: dueAt, failures }, $unset: endClaim });
    },

    /** Makes claimed jobs that did not run due as before, or at `dueAt`. Skips those whose claim is lost. */
    async requeue(claimed: readonly (HeldJob & Pick<DueJob, 'due_at'>)[], dueAt?: Date): Promise<void> {
      await updateEach(
        claimed.map((job) => ({
          filter: held(job),
          update: { $set: { due_at: dueAt ?? job.due_at }, $unset: endClaim },
        })),
      );
    },

    /**
     * Ends the schedule of a job. Writes the fields `set` and removes the fields `unset` with it. Returns false and
     * changes nothing when its document does not match `where`, or the claim is lost.
     */
    drop: (
      job: HeldJob,
      {
        where,
        set = {},
        unset = [],
      }: { where?: Scope; set?: Partial<Document>; unset?: readonly (keyof Document & string)[] },
    ): Promise<boolean> => {
      const removed = Object.fromEntries(['due_at', 'claimed_by', ...unset].map((field) => [field, '']));
      return updateHeld(job, { $set: set, $unset: removed }, where);
    },
  };
}

export type JobQueue<Job extends DueJob, Document extends object> = ReturnType<
  typeof createJobQueue<Job, Document>
>;

function held({ _id, claim }: HeldJob) {
  return { _id, claimed_by: claim };
}
