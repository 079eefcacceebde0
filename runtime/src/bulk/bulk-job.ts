import type { ErrorCode } from '../errors.ts';
import type { DueJob } from '../jobs/job-queue.ts';

/** Work on a list of texts that an account sends at once. Its schedule (`DueJob`) ends with it. */
export type BulkJob<Target = object> = DueJob & {
  _id: number;
  account_id: string;
  /** What the texts are for; only its service knows. */
  target: Target;
  state: 'queued' | 'running' | 'done' | 'canceled';
  /** Items of the job. `done` of them have a result, `failed` of them a failure, and the others wait. */
  total: number;
  done: number;
  failed: number;
  created_at: Date;
  /** When its first batch began; null: none has. */
  started_at: Date | null;
  /** When an item ended last; null: none has. */
  moved_at: Date | null;
  /** Null: it has not ended. */
  finished_at: Date | null;
  /** The last claim on it; absent after it has ended. */
  claimed_by?: string;
};

/** One text of a job. */
export type BulkItem = {
  /** Account, job and position, so that the items of a job are in order and those of an account together. */
  _id: string;
  job_id: number;
  /** From 1. */
  position: number;
  text: string;
  state: 'waiting' | 'done' | 'failed';
  /** Attempts that ended neither with a result nor with a failure that counts. */
  tries: number;
  /** When its first attempt began; null: none has. */
  began_at: Date | null;
  /** When it was counted for the account, for an attempt that has not ended; null: none counts. */
  spent_at: Date | null;
  /** It counts towards a monthly cap, too. */
  is_capped: boolean;
  /** The claim of the worker that changed it last. */
  changed_by?: string;
  /** An encoded message; only of an item that is done. */
  result?: Buffer;
  /** Only of an item that failed. */
  failure?: ItemFailure;
  created_at: Date;
};

export type ItemFailure = { code: ErrorCode; message: string };

/** What an item shows that fails for a reason that no one foresaw; the log has the error. */
export const failedUnexpectedly: ItemFailure = {
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side. Try again later.',
};

/**
 * How an attempt at an item ended. `again`: it is tried again later, and fails like this when that does not help; `isUnproven`: the
 * upstream has answered that there is nothing, which is not believed yet; `isIncomplete`: it has answered a part. `wait`: it had no
 * time. What was counted for an attempt that ends with neither a result nor a failure is given back, and the next attempt counts.
 */
export type ItemOutcome =
  | { result: Uint8Array }
  | { failure: ItemFailure; isRefunded: boolean }
  | { again: ItemFailure; isUnproven?: boolean; isIncomplete?: boolean }
  | 'wait';

/** The texts of a job. */
export const maxItems = 1000;
/** The jobs of an account that have not ended. */
export const maxOpenJobs = 5;
/** How many of the last jobs of an account that have ended are kept, each for `keptDays` since it was created. */
export const keptJobs = 20;
export const keptDays = 30;
/** The most items of a batch. */
export const maxBatchItems = 20;
/** Jobs of one kind that an account creates in an hour. Not more than are kept: those are counted. */
export const maxJobsPerHour = keptJobs;
/** An item fails when the upstream could not answer so often, and for so long since its first attempt: stores are away for hours. */
export const maxTries = 10;
export const triedForMs = 24 * 60 * 60_000;

/** Without an item that ended for so long, the pace of a job says nothing about its end. */
const paceLastsMs = 10 * 60_000;

/** When the last item ends if the others take as long as those that have ended; null: not known, or it has ended. */
export function estimateEnd(job: Omit<BulkJob, keyof DueJob>, now: Date): Date | null {
  const { total, started_at: startedAt, moved_at: movedAt, finished_at: finishedAt } = job;
  const ended = job.done + job.failed;
  if (finishedAt || !startedAt || !movedAt || ended === 0) return null;
  if (now.getTime() - movedAt.getTime() > paceLastsMs) return null;
  const msPerItem = (movedAt.getTime() - startedAt.getTime()) / ended;
  return new Date(Math.max(now.getTime(), movedAt.getTime() + msPerItem * (total - ended)));
}
