import type { TrackedAppStore } from './stores/tracked-app-store.ts';

/**
 * The keywords or competitors that an account tracks: without those of apps that are removed already while their sweep
 * still runs.
 * Costs one query on an index that is empty as a rule.
 */
export async function trackedByAccount(
  { trackedApps }: { trackedApps: TrackedAppStore },
  accountId: string,
): Promise<{ account_id: string; listing_id?: { $nin: number[] } }> {
  const swept = await trackedApps.listSwept(accountId);
  return swept.length === 0
    ? { account_id: accountId }
    : { account_id: accountId, listing_id: { $nin: swept } };
}
