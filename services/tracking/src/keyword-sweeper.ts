import { keywordUntracked } from './domain/tracking-events.ts';
import type { TrackedAppKey, TrackedAppStore } from './stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from './stores/tracked-keyword-store.ts';
import { updatesPerCommand } from './stores/updates-per-command.ts';

export type KeywordSweeper = ReturnType<typeof createKeywordSweeper>;

/**
 * Untracks the keywords of removed apps, each with its event. A sweep is due from the write that removes the app
 * until its last keyword is removed; whoever finds one due may finish it, also two at once.
 */
export function createKeywordSweeper(deps: {
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { trackedApps, trackedKeywords, now, wake } = deps;

  async function removeBatch(app: TrackedAppKey, requestId: string): Promise<number> {
    const rows = await trackedKeywords.listActive(app, updatesPerCommand);
    if (rows.length === 0) return 0;
    const at = now();
    const removals = rows.map((row) => {
      const { account_id, keyword_id, listing_id: app_id } = row;
      return { row, event: keywordUntracked({ account_id, keyword_id, app_id }, { at, requestId }) };
    });
    await trackedKeywords.untrackMany(removals, at);
    wake();
    return rows.length;
  }

  return {
    /** Finishes the sweep of one app; nothing happens when none is due. */
    async sweep(app: TrackedAppKey, requestId: string): Promise<void> {
      const key = { account_id: app.account_id, listing_id: app.listing_id };
      while (await trackedApps.isSweepDue(key)) {
        if ((await removeBatch(key, requestId)) === 0) await trackedApps.endSweep(key);
      }
    },

    /** Finishes what a crash left undone. */
    async sweepAll(): Promise<void> {
      for (const app of await trackedApps.listSweepsDue()) await this.sweep(app, 'restart');
    },
  };
}
