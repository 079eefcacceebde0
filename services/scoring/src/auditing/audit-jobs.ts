import { dayMs } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import type { ClaimedListing, DueListingStore } from '../stores/due-listing-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import type { Auditor } from './auditor.ts';

/** Audits are mostly computation: more at the same time would only delay the replies of this process. */
const auditsAtOnce = 2;
/** How long a claim lasts: a claimed listing may wait for a few other audits before its own starts. */
const leaseMs = 60_000;
/**
 * How long after a request a listing is audited although no account is known to track it. Without a bus that is never
 * known.
 */
const requestedMs = 2 * dayMs;

/** The due audits, oldest first. A listing that is no longer tracked or requested becomes dormant. */
export function createAuditJobs(deps: {
  auditor: Pick<Auditor, 'audit' | 'follow'>;
  dueListings: Omit<DueListingStore, 'countDue'>;
  watchers: Pick<WatcherStore, 'isWatched'>;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<ClaimedListing> {
  const { auditor, dueListings, watchers, now, random } = deps;

  async function isNeeded(listing: ClaimedListing, requestedAt: Date | null): Promise<boolean> {
    if (await watchers.isWatched(listing.id)) return true;
    return requestedAt !== null && now().getTime() - requestedAt.getTime() < requestedMs;
  }

  /**
   * Checks again afterwards: an account may have started to track the listing just before. Its event then found the
   * listing still due and changed nothing.
   */
  async function stopAuditing(listing: ClaimedListing): Promise<void> {
    await dueListings.makeDormant(listing);
    if (await watchers.isWatched(listing.id)) await auditor.follow(listing.id, now());
  }

  return {
    name: 'audits',
    maxConcurrency: auditsAtOnce,

    claim(count) {
      const at = now();
      return dueListings.claim(count, at, new Date(at.getTime() + leaseMs));
    },

    async run(listing, { requestId }) {
      const current = await dueListings.findClaim(listing);
      if (!current) return 'skipped';
      if (!(await isNeeded(listing, current.requested_at))) {
        await stopAuditing(listing);
        return 'skipped';
      }
      await auditor.audit(listing.id, requestId);
      return 'done';
    },

    async fail(listing, isToBlame) {
      const failures = listing.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), Math.max(1, failures), random);
      await dueListings.fail(listing.id, { due_at: dueAt, failures });
    },

    async requeue(claimed) {
      for (const listing of claimed) await dueListings.requeue(listing);
    },
  };
}
