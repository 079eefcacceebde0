import { collectionMessages } from '@shelfwise/facts/checks/check-collection';
import { type ChartKey, chartIdOf } from '@shelfwise/facts/stores/chart-key';
import { type NewEvent, newEvent } from '@shelfwise/runtime/events/outbox';
import type { ChartSnapshot } from './chart-snapshot.ts';

/** The event of the first reading of a chart on a day. */
export function chartTaken(
  key: ChartKey,
  { day, read_at, source, app_ids }: ChartSnapshot,
  context: { at: Date; requestId: string },
): NewEvent {
  const { collection, ...chart } = key;
  return newEvent(
    'chart.chart-taken.v1',
    chartIdOf(key),
    { ...chart, collection: collectionMessages[collection], day, read_at, source, app_ids },
    context,
  );
}
