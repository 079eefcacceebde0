import { type ChartKey, chartIdOf } from '@shelfwise/facts/stores/chart-key';
import type { ChartRow, GetTopChartReply, GetTopChartRequest } from '@shelfwise/proto/chart/v1/chart';
import { checkInteger } from '@shelfwise/runtime/check-request';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { checkChart } from '../check-chart.ts';
import { toMovements } from '../domain/chart-movement.ts';
import { type ChartSnapshot, maxDepth } from '../domain/chart-snapshot.ts';
import type { ChartSnapshotStore } from '../stores/chart-snapshot-store.ts';
import type { TakeChartSnapshot } from '../take-chart-snapshot.ts';

type Deps = {
  takeForCaller: TakeChartSnapshot['takeForCaller'];
  snapshots: Pick<ChartSnapshotStore, 'find' | 'findAppIds'>;
  now: () => Date;
};

/**
 * Returns today's chart (UTC) and how its apps have moved since the day before.
 * @throws INVALID_PARAMS, STORE_FETCH_FAILED, SERVICE_UNAVAILABLE; NOT_FOUND when only a kept one is wanted and there is none
 */
export async function getTopChart(
  { takeForCaller, snapshots, now }: Deps,
  request: GetTopChartRequest,
  call: CallContext,
): Promise<GetTopChartReply> {
  const key = checkChart(request);
  const limit = checkInteger('limit', request.limit, 1, maxDepth);

  const snapshot = request.kept_only
    ? await snapshots.find(chartIdOf(key), utcDay(now()))
    : await takeForCaller(key, call);
  if (!snapshot) throw new AppError('NOT_FOUND', 'This chart has not been read today.');
  const appIdsBefore = await snapshots.findAppIds(chartIdOf(key), daysBefore(snapshot.day, 1));
  return {
    snapshot_date: snapshot.day,
    read_at: snapshot.read_at,
    source: snapshot.source,
    total_count: snapshot.app_ids.length,
    rows: toRows(key, snapshot, appIdsBefore, limit),
    has_day_before: appIdsBefore !== null,
  };
}

/** The first `limit` rows. `appIdsBefore` are the apps of the day before in rank order, null without a snapshot. */
function toRows(
  { store }: ChartKey,
  snapshot: ChartSnapshot,
  appIdsBefore: readonly string[] | null,
  limit: number,
): ChartRow[] {
  const movements = toMovements(snapshot.app_ids, appIdsBefore);
  return snapshot.rows.slice(0, limit).map((row, index) => {
    const appId = snapshot.app_ids[index] ?? '';
    // Fields are listed one by one, because merging objects for each row took a fifth of the call's time.
    return {
      rank: index + 1,
      app_id: appId,
      ios_id: store === 'ITUNES' ? Number(appId) : null,
      title: row.title,
      icon: row.icon,
      developer: row.developer,
      rating: row.rating,
      price: row.price,
      currency: row.currency,
      delta: movements[index]?.delta ?? 0,
      is_new: movements[index]?.isNew ?? false,
    };
  });
}
