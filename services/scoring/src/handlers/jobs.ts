import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type {
  CreateJobRequest,
  Job,
  JobTarget,
  RunJobBatchReply,
  RunJobBatchRequest,
} from '@shelfwise/proto/jobs/v1/jobs';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { BulkJobs, RunItems } from '@shelfwise/runtime/bulk/bulk-jobs';
import { runBatch, toFailedOutcome, toJobMessage } from '@shelfwise/runtime/bulk/job-handlers';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { type InspectKeywordDeps, inspectKeyword } from './inspect-keyword.ts';

type CreateDeps = { bulkJobs: Pick<BulkJobs<JobTarget>, 'create'>; now: () => Date };
type RunDeps = InspectKeywordDeps & { bulkJobs: Pick<BulkJobs<JobTarget>, 'run'> };

/**
 * A job that inspects keywords.
 * @throws INVALID_PARAMS; PLAN_LIMIT when too many jobs are open
 */
export async function createJob(
  { bulkJobs, now }: CreateDeps,
  request: CreateJobRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Job> {
  const storefront = checkStorefront(request.target?.storefront ?? null);
  return toJobMessage(await bulkJobs.create(request, { storefront }, signal), now());
}

/** The inspections of a batch run at once. One that comes again after a crash replaces its row. @throws NOT_FOUND when the claim is lost */
export function runJobBatch(
  deps: RunDeps,
  request: RunJobBatchRequest,
  call: CallContext,
): Promise<RunJobBatchReply> {
  const runItems: RunItems<JobTarget> = async (job, items) => {
    const { storefront } = job.target;
    const inspect = async (keyword: string) => {
      try {
        const inspection = { account_id: job.account_id, storefront, keyword };
        const reply = await inspectKeyword(deps, inspection, call, false);
        return { result: InspectKeywordReply.encode(reply).finish() };
      } catch (error) {
        call.signal.throwIfAborted();
        return toFailedOutcome(error, call.log);
      }
    };
    return { outcomes: await Promise.all(items.map(({ text }) => inspect(text))), ends: null };
  };
  return runBatch(deps, request, runItems, call);
}
