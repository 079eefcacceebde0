import type { FoundApp, SearchAppsReply } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';

/** The number of results that a snapshot holds at most. */
export const maxDepth = 100;
/** The number of first results that are stored with title, icon and ratings in the keyword market, and listed with a keyword. */
export const topDepth = 5;

/** The result page of one keyword on one UTC day. */
export type Snapshot = {
  /** YYYY-MM-DD */
  day: string;
  taken_at: Date;
  /** sample, app-store or google-play */
  source: string;
  /** Store identifiers in the store's order, each once. */
  app_ids: string[];
  /** Counts the snapshots of the keyword and day: 1 is the first. */
  revision: number;
  /** It was read while its storefront showed signs of wrong result pages. Absent: it was not. */
  is_suspect?: boolean;
};

/**
 * The next revision of a stored snapshot that a page of the same day disproves: it is empty, and the page has results.
 * Null: the stored one stays. So the snapshot of a day does not depend on the order of its pages.
 */
export function nextRevision(stored: Snapshot, page: Snapshot): number | null {
  return stored.app_ids.length === 0 && page.app_ids.length > 0 ? stored.revision + 1 : null;
}

/** The store identifiers of a snapshot, in the store's order. A stored page offers them without creating all texts. */
export type PageOfIds = {
  readonly length: number;
  /** -1 when the identifier is not on the page. */
  indexOf(appId: string): number;
  /** Undefined beyond the end. */
  at(index: number): string | undefined;
};

/** What a result row shows of an app. Null: it could not be read. */
export type RankedApp = { app_id: string; title: string | null; icon: string | null };

/** One of the first apps of a page. */
export type TopApp = RankedApp & {
  /** The number of ratings in the storefront; null: the store does not say. */
  ratings: number | null;
};

/** A store's answer to a search, as a snapshot and the apps that it names. */
export type ResultPage = { snapshot: Snapshot; apps: TopApp[] };

/**
 * Converts a store's answer into a snapshot and the apps in it. The day is the UTC day on which the store was read,
 * not the day of the answer. An empty page is valid: nothing ranks.
 * @throws STORE_FETCH_FAILED when the answer does not say when it was read, or a row names no app
 */
export function toSnapshot(reply: SearchAppsReply): ResultPage {
  const { reading } = reply;
  if (!reading?.read_at)
    throw new AppError('STORE_FETCH_FAILED', 'The result page does not say when it was read. Try again.');
  // Without that row, all ranks below it would be wrong by one.
  if (reply.apps.some((app) => app.app_id === ''))
    throw new AppError('STORE_FETCH_FAILED', 'The result page has a row without an app. Try again.');
  const apps = firstOfEach(reply.apps).slice(0, maxDepth);
  const snapshot: Snapshot = {
    day: utcDay(reading.read_at),
    taken_at: reading.read_at,
    source: reading.source,
    app_ids: apps.map((app) => app.app_id),
    revision: 1,
  };
  if (reply.is_suspect) snapshot.is_suspect = true;
  return { snapshot, apps };
}

/** A page may show an app twice (an advertisement above its own rank): the first position counts. */
function firstOfEach(rows: readonly FoundApp[]): TopApp[] {
  const apps = new Map<string, TopApp>();
  for (const { app_id, title = null, icon = null, ratings = null } of rows)
    if (!apps.has(app_id)) apps.set(app_id, { app_id, title, icon, ratings });
  return [...apps.values()];
}

/** The rank of an app, 1 to 100; null when it is not in the snapshot. `appIds` are those of the snapshot. */
export function rankOf(appIds: Pick<PageOfIds, 'indexOf'>, appId: string): number | null {
  const index = appIds.indexOf(appId);
  return index < 0 ? null : index + 1;
}

/** The apps directly above and below a rank. Null at either end; both null when `rank` is null. */
export function neighborsOf(
  appIds: Pick<PageOfIds, 'at'>,
  rank: number | null,
): { ahead: string | null; behind: string | null } {
  if (rank === null) return { ahead: null, behind: null };
  const ahead = rank === 1 ? undefined : appIds.at(rank - 2);
  return { ahead: ahead ?? null, behind: appIds.at(rank) ?? null };
}
