import { dayMs } from '@shelfwise/runtime/day';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import type { DueListingStore, TakenListing } from '../stores/due-listing-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import type { Auditor } from './auditor.ts';

/** Audits are reckoning between reads of the database: more at once would only keep answers waiting. */
const auditsAtOnce = 2;
/** A listing that was taken waits for a few audits before its own. */
const leaseMs = 60_000;
/** Without a bus nobody is known to track anything: a listing that was asked for stays up to date for so long. */
const askedMs = 2 * dayMs;

/** The audits that are due, oldest first. A listing that nobody tracks any more is audited no more. */
export function createAuditJobs(deps: {
  auditor: Pick<Auditor, 'audit' | 'follow'>;
  dueListings: DueListingStore;
  watchers: Pick<WatcherStore, 'isWatched'>;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<TakenListing> {
  const { auditor, dueListings, watchers, now, random } = deps;

  async function isWanted(listing: TakenListing, askedAt: Date | null): Promise<boolean> {
    if (await watchers.isWatched(listing.id)) return true;
    return askedAt !== null && now().getTime() - askedAt.getTime() < askedMs;
  }

  /** Whoever has begun to track it meanwhile may have found it due still. */
  async function letGo(listing: TakenListing): Promise<void> {
    await dueListings.retire(listing);
    if (await watchers.isWatched(listing.id)) await auditor.follow(listing.id, now());
  }

  return {
    name: 'audits',
    maxConcurrency: auditsAtOnce,

    claim(count) {
      const at = now();
      return dueListings.take(count, at, new Date(at.getTime() + leaseMs));
    },

    async run(listing, { requestId }) {
      const found = await dueListings.findAsked(listing);
      if (!found) return 'skipped';
      if (!(await isWanted(listing, found.asked_at))) {
        await letGo(listing);
        return 'skipped';
      }
      await auditor.audit(listing.id, requestId);
      return 'done';
    },

    async fail(listing, isToBlame) {
      const failures = listing.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), Math.max(1, failures), random);
      await dueListings.postpone(listing.id, { due_at: dueAt, failures });
    },

    async requeue(taken) {
      for (const listing of taken) await dueListings.requeue(listing);
    },
  };
}
