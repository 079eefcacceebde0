import type { GetChartReply } from '@shelfwise/proto/store/v1/store';
import { utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';

/** The most rows of a snapshot, whatever limit was requested. */
export const maxDepth = 200;

/** What a row shows besides the app's id and rank. Null: the store does not show it, or it could not be read. */
export type ChartRow = {
  title: string | null;
  icon: string | null;
  developer: string | null;
  /** average, 0 to 5 */
  rating: number | null;
  /** in the storefront's currency; 0 is free */
  price: number | null;
  /** ISO 4217 */
  currency: string | null;
};

/** One chart on one UTC day. `app_ids` and `rows` are parallel and in rank order; each id occurs once. */
export type ChartSnapshot = {
  /** YYYY-MM-DD: the UTC day on which the store was read */
  day: string;
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
  app_ids: string[];
  rows: ChartRow[];
};

/**
 * Converts store-fetch's answer. The snapshot belongs to the UTC day of the reading. An empty answer is a valid chart.
 * @throws STORE_FETCH_FAILED when the time of the read or the app id of a row is missing
 */
export function toChartSnapshot({ reading, apps }: GetChartReply): ChartSnapshot {
  if (!reading?.read_at)
    throw new AppError('STORE_FETCH_FAILED', 'The chart does not say when it was read. Try again.');
  // Skipping the row would raise every app below it by one rank.
  if (apps.some((app) => app.app_id === ''))
    throw new AppError('STORE_FETCH_FAILED', 'The chart has a row without an app. Try again.');
  const rows = new Map<string, ChartRow>();
  // An app that is listed twice has the better of its ranks.
  for (const app of apps) {
    if (rows.has(app.app_id)) continue;
    rows.set(app.app_id, {
      title: app.title ?? null,
      icon: app.icon ?? null,
      developer: app.developer_name ?? null,
      rating: app.score ?? null,
      price: app.price ?? null,
      currency: app.currency ?? null,
    });
  }
  return {
    day: utcDay(reading.read_at),
    read_at: reading.read_at,
    source: reading.source,
    app_ids: [...rows.keys()].slice(0, maxDepth),
    rows: [...rows.values()].slice(0, maxDepth),
  };
}

/**
 * False when no row has a rating: either they could not be read, or all apps are unrated. True for an empty chart,
 * where none is missing.
 */
export function hasRatings({ rows }: Pick<ChartSnapshot, 'rows'>): boolean {
  return rows.length === 0 || rows.some(({ rating }) => rating !== null);
}

/** The rows of a snapshot, with missing ratings taken from a later read of the same day. */
export function fillRatings(snapshot: ChartSnapshot, later: ChartSnapshot): ChartRow[] {
  const ratings = new Map(later.app_ids.map((id, index) => [id, later.rows[index]?.rating ?? null]));
  return snapshot.rows.map((row, index) => ({
    ...row,
    rating: row.rating ?? ratings.get(snapshot.app_ids[index] ?? '') ?? null,
  }));
}
