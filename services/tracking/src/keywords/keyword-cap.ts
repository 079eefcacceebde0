import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { capReached, capReachedMessage } from '../tracking-errors.ts';
import type { Attempt, Target } from './keyword-attempt.ts';

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'selectTracked'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'count'>;
};

/**
 * Accepts the first keywords that fit into the plan, so that the others are not read.
 * @throws PLAN_LIMIT when none fits
 */
export async function requireRoom(deps: Deps, target: Target, attempts: readonly Attempt[]): Promise<void> {
  await refuseOverCap(deps, target, attempts);
  const isFull = attempts.length > 0 && attempts.every(({ problem }) => problem !== null);
  if (isFull) throw capReached('tracked keyword', target.maxTracked ?? 0);
}

async function refuseOverCap(
  deps: Deps,
  { app, maxTracked }: Target,
  attempts: readonly Attempt[],
): Promise<void> {
  if (maxTracked === null || attempts.length === 0) return;
  // More keywords are tracked than the cap allows after a change to a smaller plan.
  const room = Math.max(0, maxTracked - (await countTrackedKeywords(deps, app)));
  for (const attempt of attempts.slice(room)) attempt.problem = keywordCapReached(maxTracked);
}

/** The keywords of the account that count towards the cap. */
export async function countTrackedKeywords(
  { trackedApps, trackedKeywords }: Deps,
  app: TrackedAppKey,
): Promise<number> {
  return trackedKeywords.count(await trackedApps.selectTracked(app.account_id));
}

/** Says to the user that the plan allows no more keywords. */
export const keywordCapReached = (cap: number): string => capReachedMessage('tracked keyword', cap);
