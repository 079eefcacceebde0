import { AppError } from '@shelfwise/runtime/errors';
import { isDatabaseFailure } from '@shelfwise/runtime/mongo/database-errors';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { Clock } from '../store-health/clock.ts';
import { createBucketRule } from './bucket-rule.ts';
import { type Bucket, fullAfterEmptyMs } from './token-bucket.ts';

/** The call budgets as token buckets that all processes share. A full bucket has the calls of a minute left. */
export type Buckets = {
  /**
   * Takes a call if the bucket allows one now. `fullAt` is when the bucket will be full, in either case. It is now when
   * other processes were always faster: the caller tries again immediately.
   * @throws SERVICE_UNAVAILABLE when the state of the bucket cannot be read or stored
   */
  take(bucket: Bucket, isUrgent: boolean): Promise<{ isTaken: boolean; fullAt: Date }>;
};

/**
 * `_id` is budget:address, such as itunes:direct. If `full_at` is not a date, the bucket counts as empty (no call
 * left).
 */
type BucketDocument = { _id: string; full_at?: Date };

const schema = new Schema<BucketDocument>(
  { _id: { type: String, required: true }, full_at: { type: Date, required: true } },
  { versionKey: false },
);

export function createBucketModel(connection: Connection) {
  return connection.model('Bucket', schema, 'buckets');
}

const databaseTimeoutMs = 5000;

/** After losing more rounds than this to other processes, `take` returns without a call. */
const maxRounds = 20;
const minPauseMs = 4;
const maxPauseMs = 128;

/**
 * Buckets in the database. Times are those of each process's own clock. A clock that is d seconds ahead can spend the
 * calls of d seconds in advance, once, and never at a higher rate. Clocks within a minute of each other share the
 * budget; `createBucketRule` handles greater differences.
 */
export function createBuckets({
  connection,
  clock,
  random,
}: {
  connection: Connection;
  clock: Clock;
  /** 0 to 1 */
  random: () => number;
}) {
  const buckets = createBucketModel(connection);
  const rule = createBucketRule();
  const nowMs = () => clock.now().getTime();

  /** One round: reads the stored time and replaces it. `isLost`: another process replaced it first. */
  async function takeOnce(bucket: Bucket, isUrgent: boolean) {
    const stored = await inTime(buckets.findById(bucket.id).lean<BucketDocument>().exec());
    const storedAt = stored ? stored.full_at : clock.now();
    const { isTaken, fullAtMs, mustStore } =
      storedAt instanceof Date
        ? rule.decide(bucket, storedAt.getTime(), nowMs(), isUrgent)
        : { isTaken: false, fullAtMs: fullAfterEmptyMs(bucket, nowMs()), mustStore: true };
    const fullAt = new Date(fullAtMs);
    const isLost = mustStore && !(await inTime(replace(bucket.id, stored, fullAt)));
    return { isTaken: isTaken && !isLost, fullAt: isLost ? clock.now() : fullAt, isLost };
  }

  /** Replaces the stored time only if it is still the one that was read; false when another process was faster. */
  async function replace(_id: string, stored: BucketDocument | null, fullAt: Date): Promise<boolean> {
    if (stored) {
      const unchanged = stored.full_at instanceof Date ? { full_at: stored.full_at } : {};
      const { modifiedCount } = await buckets.updateOne({ _id, ...unchanged }, { $set: { full_at: fullAt } });
      return modifiedCount === 1;
    }
    return tryCreate(() => buckets.create({ _id, full_at: fullAt }));
  }

  /** Full jitter, up to 4, 8, … 128 ms, so that processes that lost together do not retry together. */
  function pause(round: number): Promise<void> {
    const ms = random() * Math.min(minPauseMs * 2 ** round, maxPauseMs);
    return new Promise((resolve) => {
      clock.after(ms, resolve);
    });
  }

  async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      return await within(clock, databaseTimeoutMs, answer);
    } catch (cause) {
      throw isDatabaseFailure(cause) ? unavailable(cause) : cause;
    }
  }

  return {
    async take(bucket: Bucket, isUrgent: boolean): ReturnType<Buckets['take']> {
      for (let round = 0; ; round++) {
        const { isLost, ...step } = await takeOnce(bucket, isUrgent);
        if (!isLost || round >= maxRounds) return step;
        await pause(round);
      }
    },

    /** How far another process's clock is ahead of this one's; null while the difference is harmless. */
    clockAheadMs: () => rule.clockAheadMs(nowMs()),
  } satisfies Buckets & Record<string, unknown>;
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
    'The database that stores the call budgets does not answer, so no store is called. Try again.',
    { cause },
  );
}
