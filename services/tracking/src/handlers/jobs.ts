import { withoutRepeats } from '@shelfwise/facts/text/without-repeats';
import type {
  CreateJobRequest,
  Job,
  JobTarget,
  RunJobBatchReply,
  RunJobBatchRequest,
} from '@shelfwise/proto/jobs/v1/jobs';
import type { BulkJobs } from '@shelfwise/runtime/bulk/bulk-jobs';
import { runBatch, toJobMessage } from '@shelfwise/runtime/bulk/job-handlers';
import { checkAccountId, checkCap, checkId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createTrackInJob, type TrackInJobDeps } from '../jobs/track-in-job.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, missingRecord } from '../tracking-errors.ts';

type CreateDeps = {
  bulkJobs: Pick<BulkJobs<JobTarget>, 'create'>;
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
  listings: Pick<ListingStore, 'findName'>;
  now: () => Date;
};

/**
 * A job that tracks keywords for an application. One that is sent again is left out.
 * @throws APP_NOT_FOUND, INVALID_PARAMS; PLAN_LIMIT when too many jobs are open
 */
export async function createJob(
  { bulkJobs, trackedApps, listings, now }: CreateDeps,
  request: CreateJobRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Job> {
  const appId = checkId('app_id', request.target?.app_id ?? 0);
  const app = { account_id: checkAccountId(request.account_id), listing_id: appId };
  if (!(await trackedApps.isActive(app))) throw appNotTracked();
  const listing = await listings.findName(appId);
  if (!listing) throw missingRecord(`listing ${appId}`);
  const { store, country, lang } = listing;
  const target = { app_id: appId, storefront: { store, country, lang } };
  const texts = withoutRepeats(request.texts, lang);
  return toJobMessage(await bulkJobs.create({ ...request, texts }, target, signal), now());
}

/** @throws NOT_FOUND when the claim is lost */
export function runJobBatch(
  deps: TrackInJobDeps & { bulkJobs: Pick<BulkJobs<JobTarget>, 'run'> },
  request: RunJobBatchRequest,
  call: CallContext,
): Promise<RunJobBatchReply> {
  const maxKeywords = checkCap('max_keywords', request.max_keywords);
  return runBatch(deps, request, createTrackInJob(deps, call, maxKeywords), call);
}
