import { dayMs } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import type { ClaimedListing, DueListingStore } from '../stores/due-listing-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import type { Auditor } from './auditor.ts';

/** Audits are computation between database reads: more at once would only delay answers. */
const auditsAtOnce = 2;
/** A claimed listing may wait for a few audits before its own. */
const leaseMs = 60_000;
/** Without a bus no listing is known to be tracked: one that was requested stays up to date for so long. */
const requestedMs = 2 * dayMs;

/** The audits that are due, oldest first. A listing that is not tracked any more becomes dormant. */
export function createAuditJobs(deps: {
  auditor: Pick<Auditor, 'audit' | 'follow'>;
  dueListings: Omit<DueListingStore, 'countDue'>;
  watchers: Pick<WatcherStore, 'isWatched'>;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<ClaimedListing> {
  const { auditor, dueListings, watchers, now, random } = deps;

  async function isFollowed(listing: ClaimedListing, requestedAt: Date | null): Promise<boolean> {
    if (await watchers.isWatched(listing.id)) return true;
    return requestedAt !== null && now().getTime() - requestedAt.getTime() < requestedMs;
  }

  /** An account that has started to track it meanwhile may have found it due still. */
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
      const found = await dueListings.findClaim(listing);
      if (!found) return 'skipped';
      if (!(await isFollowed(listing, found.requested_at))) {
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
