import type {
  CancelJobReply,
  CancelJobRequest,
  GetJobReply,
  GetJobRequest,
  JobItem,
  Job as JobMessage,
  JobTarget,
  ListJobsReply,
  ListJobsRequest,
  RunJobBatchReply,
  RunJobBatchRequest,
  TakeJobBatchReply,
  TakeJobBatchRequest,
} from '@shelfwise/proto/jobs/v1/jobs';
import { AppError, isErrorCode, isUpstreamFailure } from '../errors.ts';
import type { CallContext } from '../grpc/grpc-types.ts';
import { isDatabaseFailure } from '../mongo/database-errors.ts';
import {
  type BulkItem,
  type BulkJob,
  estimateEnd,
  failedUnexpectedly,
  type ItemFailure,
  type ItemOutcome,
} from './bulk-job.ts';
import type { BulkJobs, Grant, RunItems } from './bulk-jobs.ts';

/** The RPCs of jobs that do not depend on what the texts are for. */

type Jobs = BulkJobs<JobTarget>;
type Deps<Used extends keyof Jobs> = { bulkJobs: Pick<Jobs, Used>; now: () => Date };

export async function listJobs(deps: Deps<'list'>, request: ListJobsRequest): Promise<ListJobsReply> {
  const jobs = await deps.bulkJobs.list(request);
  return { jobs: jobs.map((job) => toJobMessage(job, deps.now())) };
}

/** @throws NOT_FOUND */
export async function getJob(deps: Deps<'read'>, request: GetJobRequest): Promise<GetJobReply> {
  const { job, items } = await deps.bulkJobs.read(request);
  return { job: toJobMessage(job, deps.now()), items: items.map(toItemMessage) };
}

/** @throws NOT_FOUND */
export async function cancelJob(deps: Deps<'cancel'>, request: CancelJobRequest): Promise<CancelJobReply> {
  const { job, alreadyEnded } = await deps.bulkJobs.cancel(request);
  return { job: toJobMessage(job, deps.now()), already_ended: alreadyEnded };
}

export async function takeJobBatch(
  { bulkJobs }: { bulkJobs: Pick<Jobs, 'take'> },
  _request: TakeJobBatchRequest,
): Promise<TakeJobBatchReply> {
  const { taken, nextAt } = await bulkJobs.take();
  if (!taken) return { batch: null, next_at: nextAt };
  const { job, claim, items } = taken;
  return {
    next_at: null,
    batch: {
      job_id: job._id,
      account_id: job.account_id,
      claim,
      target: job.target,
      items: items.map(({ position, text, spent_at }) => ({ position, text, is_spent: spent_at !== null })),
    },
  };
}

/** @throws NOT_FOUND when the claim is lost */
export async function runBatch(
  { bulkJobs }: { bulkJobs: Pick<Jobs, 'run'> },
  request: RunJobBatchRequest,
  runItems: RunItems<JobTarget>,
  call: Pick<CallContext, 'signal' | 'log'>,
): Promise<RunJobBatchReply> {
  const grant: Grant = {
    jobId: request.job_id,
    claim: request.claim,
    items: request.items.map(({ position, is_capped }) => ({ position, isCapped: is_capped })),
    refusal: request.refusal && toFailure(request.refusal),
  };
  const { requests, uses } = await bulkJobs.run(grant, runItems, call);
  return { refunded_requests: requests, refunded_uses: uses };
}

export function toJobMessage(job: BulkJob<JobTarget>, now: Date): JobMessage {
  return {
    id: job._id,
    state: ({ queued: 'QUEUED', running: 'RUNNING', done: 'DONE', canceled: 'CANCELED' } as const)[job.state],
    target: job.target,
    total: job.total,
    done: job.done,
    failed: job.failed,
    eta: estimateEnd(job, now),
    created_at: job.created_at,
    finished_at: job.finished_at,
  };
}

function toItemMessage({
  position,
  text,
  result,
  failure,
}: Pick<BulkItem, 'position' | 'text' | 'result' | 'failure'>): JobItem {
  if (failure) return { position, text, outcome: { $case: 'failure', value: failure } };
  // The driver has its own type of bytes.
  if (result) return { position, text, outcome: { $case: 'result', value: toBuffer(result) } };
  return { position, text, outcome: null };
}

function toBuffer(stored: Buffer | { buffer: Uint8Array }): Buffer {
  return Buffer.isBuffer(stored) ? stored : Buffer.from(stored.buffer);
}

function toFailure({ code, message }: { code: string; message: string }): ItemFailure {
  if (!isErrorCode(code)) throw new AppError('INVALID_PARAMS', 'refusal.code is not an error code');
  return { code, message };
}

/**
 * How an attempt at an item failed. An upstream that did not answer is asked again, and so is one that answered that there is
 * nothing, which a later look may prove. An unexpected error is logged, and the item is tried again.
 * @throws the failure of the database
 */
export function toFailedOutcome(error: unknown, log: Pick<CallContext['log'], 'error'>): ItemOutcome {
  if (isDatabaseFailure(error)) throw error;
  if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') {
    log.error({ err: error }, 'an item of a job failed unexpectedly');
    return { again: failedUnexpectedly };
  }
  const { code, message } = error;
  if (error.isUnproven) return { again: { code, message }, isUnproven: true };
  if (!isUpstreamFailure(error)) return { failure: { code, message }, isRefunded: true };
  return { again: { code, message } };
}
