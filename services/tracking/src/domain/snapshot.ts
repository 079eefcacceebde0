import type { FoundApp, SearchAppsReply } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';

/** How far down a result page a snapshot reaches. */
export const maxDepth = 100;
export const topDepth = 5;

/** The result page of one keyword on one UTC day: store identifiers in the store's order, each once. */
export type Snapshot = { day: string; taken_at: Date; source: string; app_ids: string[] };

/** What a result row shows of an app. */
export type RankedApp = { app_id: string; title: string; icon: string };

/** A store's answer to a search, as a snapshot and the apps that it names. */
export type ResultPage = { snapshot: Snapshot; apps: RankedApp[] };

/**
 * The snapshot that a store's answer amounts to, and the apps that it names. Its day is the day on which the store
 * was read, not the day on which the answer came. An empty page is a real one: nothing ranks in it.
 * @throws STORE_FETCH_FAILED when the answer does not say when it was read, or which app stands in one of its rows
 */
export function toSnapshot(reply: SearchAppsReply): ResultPage {
  const { reading } = reply;
  if (!reading?.read_at)
    throw new AppError('STORE_FETCH_FAILED', 'The result page does not say when it was read. Try again.');
  // Without that row the ranks below it would be too good by one.
  if (reply.apps.some((app) => app.app_id === ''))
    throw new AppError('STORE_FETCH_FAILED', 'The result page has a row without an app. Try again.');
  const apps = firstOfEach(reply.apps).slice(0, maxDepth);
  const snapshot = {
    day: utcDay(reading.read_at),
    taken_at: reading.read_at,
    source: reading.source,
    app_ids: apps.map((app) => app.app_id),
  };
  return { snapshot, apps };
}

/** A page may show an app twice (an advertisement above its own rank): the first place counts. */
function firstOfEach(found: readonly FoundApp[]): RankedApp[] {
  const apps = new Map<string, RankedApp>();
  for (const app of found)
    if (!apps.has(app.app_id)) apps.set(app.app_id, { app_id: app.app_id, title: app.title, icon: app.icon });
  return [...apps.values()];
}

/** 1 to 100, or null when the app is not in the snapshot. */
export function rankOf(appIds: readonly string[], appId: string): number | null {
  const index = appIds.indexOf(appId);
  return index < 0 ? null : index + 1;
}

/** The apps right above and below a rank; null at either end, and both null without a rank. */
export function neighborsOf(
  appIds: readonly string[],
  rank: number | null,
): { ahead: string | null; behind: string | null } {
  if (rank === null) return { ahead: null, behind: null };
  return { ahead: appIds[rank - 2] ?? null, behind: appIds[rank] ?? null };
}
