import type { GetChartReply } from '@shelfwise/proto/store/v1/store';
import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';

/** How many rows a snapshot has at most, whatever limit was requested. */
export const maxDepth = 200;

/** What a row shows beside the app's id. Null: the store does not say, or it could not be read. */
export type ChartRow = {
  title: string;
  icon: string;
  developer: string;
  /** average, 0 to 5 */
  rating: number | null;
  /** in the storefront's currency; 0 is free */
  price: number | null;
  currency: string | null;
};

/** One chart on one UTC day. Ids and rows stand in rank order, one row per id, each id once. */
export type ChartSnapshot = {
  /** the UTC day on which the store was read */
  day: string;
  read_at: Date;
  /** sample, app-store or google-play */
  source: string;
  app_ids: string[];
  rows: ChartRow[];
};

/**
 * The snapshot of a store's answer. Its day is the day on which the store was read, not the day on which
 * the answer came. An empty chart is a real one: store-fetch tells it from one that could not be read.
 * @throws STORE_FETCH_FAILED when the answer does not say when it was read, or which app stands in one of its rows
 */
export function toChartSnapshot({ reading, apps }: GetChartReply): ChartSnapshot {
  if (!reading?.read_at)
    throw new AppError('STORE_FETCH_FAILED', 'The chart does not say when it was read. Try again.');
  // Without that row the ranks below it would be too good by one.
  if (apps.some((app) => app.app_id === ''))
    throw new AppError('STORE_FETCH_FAILED', 'The chart has a row without an app. Try again.');
  const rows = new Map<string, ChartRow>();
  // Shown twice, an app has the better of its ranks.
  for (const app of apps) {
    if (rows.has(app.app_id)) continue;
    rows.set(app.app_id, {
      title: app.title,
      icon: app.icon,
      developer: app.developer_name,
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
 * False when the ratings may not have been read: no app has one. A chart of apps that nobody has rated looks the same.
 */
export function hasRatings({ rows }: Pick<ChartSnapshot, 'rows'>): boolean {
  return rows.length === 0 || rows.some(({ rating }) => rating !== null);
}

/** The rows of a snapshot with the ratings that a later read of that day shows for the same apps. */
export function fillRatings(snapshot: ChartSnapshot, later: ChartSnapshot): ChartRow[] {
  const ratings = new Map(later.app_ids.map((id, index) => [id, later.rows[index]?.rating ?? null]));
  return snapshot.rows.map((row, index) => ({
    ...row,
    rating: row.rating ?? ratings.get(snapshot.app_ids[index] ?? '') ?? null,
  }));
}

/** The UTC day (YYYY-MM-DD) that is `count` days before another. */
export function daysBefore(day: string, count: number): string {
  return utcDay(new Date(startOfDay(day).getTime() - count * dayMs));
}
