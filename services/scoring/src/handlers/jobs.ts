import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import { withoutRepeats } from '@shelfwise/facts/text/without-repeats';
import type {
  CreateJobRequest,
  Job,
  JobTarget,
  RunJobBatchReply,
  RunJobBatchRequest,
} from '@shelfwise/proto/jobs/v1/jobs';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { ItemOutcome } from '@shelfwise/runtime/bulk/bulk-job';
import type { WaitingItem } from '@shelfwise/runtime/bulk/bulk-job-store';
import type { BulkJobs, RunItems } from '@shelfwise/runtime/bulk/bulk-jobs';
import { runBatch, toFailedOutcome, toJobMessage } from '@shelfwise/runtime/bulk/job-handlers';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { type InspectKeywordDeps, inspectKeyword } from './inspect-keyword.ts';

type CreateDeps = { bulkJobs: Pick<BulkJobs<JobTarget>, 'create'>; now: () => Date };
type RunDeps = InspectKeywordDeps & { bulkJobs: Pick<BulkJobs<JobTarget>, 'run'> };

/**
 * A job that inspects keywords. One that is sent again is left out.
 * @throws INVALID_PARAMS; PLAN_LIMIT when too many jobs are open
 */
export async function createJob(
  { bulkJobs, now }: CreateDeps,
  request: CreateJobRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Job> {
  const storefront = checkStorefront(request.target?.storefront ?? null);
  const texts = withoutRepeats(request.texts, storefront.lang);
  return toJobMessage(await bulkJobs.create({ ...request, texts }, { storefront }, signal), now());
}

/**
 * On Google Play an inspection may need the details of ten apps, one call each, which take most of the time of a batch when no other
 * caller waits.
 */
const atOnceOf = (store: string | undefined): number => (store === 'GPLAY' ? 1 : 5);
/** An inspection that would have less time waits for the next batch, unless it is the first of its own. */
const leastMs = 20_000;
/** So often a part of the store may be missing; then the inspection is as it is. */
const maxIncomplete = 3;

/**
 * The inspections of a batch. One that comes again replaces its row. What was read for it is not read again.
 * @throws NOT_FOUND when the claim is lost
 */
export function runJobBatch(
  deps: RunDeps,
  request: RunJobBatchRequest,
  call: CallContext,
): Promise<RunJobBatchReply> {
  const runItems: RunItems<JobTarget> = async (job, items) => {
    const { storefront } = job.target;
    const inspect = async ({ text: keyword, tries }: WaitingItem): Promise<ItemOutcome> => {
      try {
        const inspection = { account_id: job.account_id, storefront, keyword };
        const reply = await inspectKeyword(deps, inspection, call, false);
        if (isIncomplete(reply)) {
          // Not the store, but the end of the call may have cut it.
          call.signal.throwIfAborted();
          // No caller waits for the answer, so that it may become complete.
          if (tries + 1 < maxIncomplete) return { again: partsUnread, isIncomplete: true };
        }
        return { result: InspectKeywordReply.encode(reply).finish() };
      } catch (error) {
        call.signal.throwIfAborted();
        return toFailedOutcome(error, call.log);
      }
    };
    const limit = atOnceOf(storefront?.store);
    const firsts = new Set(items.slice(0, limit));
    const hasTime = (item: WaitingItem) =>
      firsts.has(item) || call.deadline.getTime() - Date.now() >= leastMs;
    const outcomes = await mapLimited(items, limit, async (item) =>
      hasTime(item) ? inspect(item) : ('wait' as const),
    );
    return { outcomes, ends: null };
  };
  return runBatch(deps, request, runItems, call);
}

/** A part of the store that a score needs could not be read. */
function isIncomplete({ difficulty_score, is_partial, result_count }: InspectKeywordReply): boolean {
  return is_partial || (difficulty_score == null && result_count > 0);
}

const partsUnread = {
  code: 'STORE_FETCH_FAILED',
  message: 'The store could not be read completely. Try again later.',
} as const;
