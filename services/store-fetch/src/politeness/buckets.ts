import { AppError } from '@shelfwise/runtime/errors';
import { isDatabaseFailure, isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import type { Clock } from './clock.ts';
import { type Bucket, believableFullAtMs, fullAfterTakingMs, mayTakeAtMs } from './token-bucket.ts';

/** The budgets that all processes share. */
export type Buckets = {
  /**
   * Takes a call if one may be taken now; either way, when the bucket will be full.
   * @throws SERVICE_UNAVAILABLE when what was spent cannot be known
   */
  take(bucket: Bucket, isUrgent: boolean): Promise<{ isTaken: boolean; fullAt: Date }>;
};

/** `_id` is budget:address, such as itunes:direct. */
type BucketDocument = { _id: string; full_at: Date };

const schema = new Schema<BucketDocument>(
  { _id: { type: String, required: true }, full_at: { type: Date, required: true } },
  { versionKey: false },
);

const databaseTimeoutMs = 5000;

/**
 * Buckets in a database. Moments are those of each process's own clock: a clock that is d seconds ahead of the others
 * can spend d seconds' worth of calls in advance, once, and never a higher rate. They must agree to within a minute.
 */
export function createBuckets(connection: Connection, clock: Clock): Buckets {
  const buckets = connection.model('Bucket', schema, 'buckets');

  async function take(bucket: Bucket, isUrgent: boolean) {
    for (;;) {
      const kept = await buckets.findById(bucket.id).lean<BucketDocument>();
      const nowMs = clock.now().getTime();
      const fullAtMs = believableFullAtMs(kept?.full_at.getTime(), nowMs);
      if (mayTakeAtMs(bucket, fullAtMs, isUrgent) > nowMs)
        return { isTaken: false, fullAt: new Date(fullAtMs) };
      const fullAt = new Date(fullAfterTakingMs(bucket, fullAtMs, nowMs));
      if (await replace(bucket.id, kept, fullAt)) return { isTaken: true, fullAt };
    }
  }

  /** Whether nobody else was faster: each moment kept is replaced once. */
  async function replace(_id: string, kept: BucketDocument | null, full_at: Date): Promise<boolean> {
    if (kept) {
      const { modifiedCount } = await buckets.updateOne(
        { _id, full_at: kept.full_at },
        { $set: { full_at } },
      );
      return modifiedCount === 1;
    }
    try {
      await buckets.create({ _id, full_at });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    async take(bucket, isUrgent) {
      try {
        return await within(clock, databaseTimeoutMs, take(bucket, isUrgent));
      } catch (cause) {
        throw isDatabaseFailure(cause) ? unavailable(cause) : cause;
      }
    },
  };
}

function within<Result>(clock: Clock, ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => reject(unavailable(undefined)));
    work.then(resolve, reject).finally(stop);
  });
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The database that keeps the budgets of calls does not answer, so no store is asked. Try again.',
    { cause },
  );
}
