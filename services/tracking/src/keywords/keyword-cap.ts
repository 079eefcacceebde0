import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { capReached, capReachedMessage } from '../tracking-errors.ts';
import type { Attempt, Target } from './keyword-attempt.ts';

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'selectTracked'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'count'>;
};

/**
 * Accepts the first keywords that fit into the plan. The others need not be read.
 * @throws PLAN_LIMIT when none fits
 */
export async function requireRoom(
  deps: Deps,
  { app, maxTracked }: Target,
  attempts: readonly Attempt[],
): Promise<void> {
  if (maxTracked === null || attempts.length === 0) return;
  // More keywords are tracked than the cap allows after a change to a smaller plan.
  const room = Math.max(0, maxTracked - (await countTrackedKeywords(deps, app)));
  if (room === 0) throw capReached('tracked keyword', maxTracked);
  for (const attempt of attempts.slice(room)) attempt.problem = keywordCapReached(maxTracked);
}

/** The keywords of the account that count towards the cap. */
export async function countTrackedKeywords(
  { trackedApps, trackedKeywords }: Deps,
  app: TrackedAppKey,
): Promise<number> {
  return trackedKeywords.count(await trackedApps.selectTracked(app.account_id));
}

export const keywordCapReached = (cap: number): string => capReachedMessage('tracked keyword', cap);
