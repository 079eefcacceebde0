import type { CompetitorStore } from './stores/competitor-store.ts';
import type { TrackedAppStore } from './stores/tracked-app-store.ts';

/** Those of the listings that are read daily: some account tracks them, or has them as a competitor. */
export async function findWatched(
  { trackedApps, competitors }: { trackedApps: TrackedAppStore; competitors: CompetitorStore },
  listingIds: readonly number[],
): Promise<Set<number>> {
  const [tracked, competing] = await Promise.all([
    trackedApps.findTracked(listingIds),
    competitors.findCompeting(listingIds),
  ]);
  return new Set([...tracked, ...competing]);
}
