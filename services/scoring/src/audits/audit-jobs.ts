import { dayMs } from '@shelfwise/runtime/day';
import type { Claimed, DueJob, JobQueue } from '@shelfwise/runtime/jobs/job-queue';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import type { Listing } from '../stores/listing.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import type { Auditor } from './auditor.ts';

/** A listing that is due for an audit. */
export type DueAudit = DueJob & Pick<Listing, '_id' | 'requested_at'>;

type AuditJob = Claimed<DueAudit>;

/** Audits are mostly computation: more at the same time would only delay the replies of this process. */
const auditsAtOnce = 2;
/** How long a claim lasts: a claimed listing may wait for a few other audits before its own starts. */
const claimMs = 60_000;
/**
 * How long after a request a listing is audited although no account is known to track it. Without a bus that is never
 * known.
 */
const requestedMs = 2 * dayMs;

/**
 * The due audits, oldest first. A listing that is no longer tracked or requested becomes dormant. A claim is lost when
 * something makes the listing due earlier, and when an audit of it starts for a user.
 */
export function createAuditJobs(deps: {
  auditor: Pick<Auditor, 'auditClaimed' | 'follow'>;
  auditQueue: JobQueue<DueAudit, Listing>;
  watchers: Pick<WatcherStore, 'isWatched'>;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<AuditJob> {
  const { auditor, auditQueue, watchers, now, random } = deps;

  async function isNeeded(listingId: number, requestedAt: Date | null): Promise<boolean> {
    if (await watchers.isWatched(listingId)) return true;
    return requestedAt !== null && now().getTime() - requestedAt.getTime() < requestedMs;
  }

  /**
   * Checks again afterwards: an account may have started to track the listing just before. Its event then found the
   * listing still due and changed nothing.
   */
  async function makeDormant(job: AuditJob): Promise<void> {
    await auditQueue.drop(job, {});
    if (await watchers.isWatched(job._id)) await auditor.follow(job._id);
  }

  return {
    name: 'audits',
    maxConcurrency: auditsAtOnce,
    isAwaited: true,

    claim: (count) =>
      auditQueue.claim(() => auditQueue.listDue({}, now(), count), new Date(now().getTime() + claimMs)),

    partsOf: (job) => [job],

    nextDueAt: () => auditQueue.nextDueAt([{}]),

    readBacklog: () => auditQueue.readBacklog([{}], now()),

    // The start of the audit and the end of the schedule see whether the claim is lost. A request since then has taken it over.
    async run(job, { requestId }) {
      if (!(await isNeeded(job._id, job.requested_at))) {
        await makeDormant(job);
        return 'skipped';
      }
      const audited = await auditor.auditClaimed(job._id, { requestId, claim: job.claim });
      return audited ? 'done' : 'skipped';
    },

    async fail(job, isToBlame) {
      await auditQueue.fail(job, isToBlame, { at: now(), random });
    },

    requeue: (jobs) => auditQueue.requeue(jobs),
  };
}
