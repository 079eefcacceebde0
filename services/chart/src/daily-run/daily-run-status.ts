import { stores } from '@shelfwise/facts/store';
import { startOfNextDay } from '@shelfwise/runtime/day';
import { describeTrouble } from '@shelfwise/runtime/lanes/describe-trouble';
import type { Lane } from '@shelfwise/runtime/lanes/lane';
import { answered } from '@shelfwise/runtime/mongo';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';
import type { DueChartStore } from '../stores/due-chart-store.ts';

const name = 'daily run';
const lateAfterMs = 3_600_000;

/**
 * How far the day's readings are. Degraded when charts are late or something cannot be read. There are some thousands of
 * charts at most, so they are counted, by index, for whoever looks.
 */
export function dailyRunStatus(deps: {
  lanes: readonly Lane[];
  dueCharts: DueChartStore;
  now: () => Date;
}): StatusCheck {
  const { lanes, dueCharts, now } = deps;

  async function count() {
    const at = now();
    const tomorrow = startOfNextDay(at);
    const [unread, read, late, ...due] = await Promise.all([
      dueCharts.countPlannedBefore(tomorrow),
      dueCharts.countPlannedFrom(tomorrow),
      dueCharts.countPlannedBefore(new Date(at.getTime() - lateAfterMs)),
      ...stores.map((store) => dueCharts.countDue(store, at)),
    ]);
    return { all: unread + read, read, late, due: due.reduce((one, other) => one + other, 0) };
  }

  return async () => {
    const { all, read, late, due } = await answered(count());
    const troubles = lanes.flatMap(describeTrouble);
    const progress = `${format(read)} of ${format(all)} charts read today, ${format(due)} due, ${format(late)} late`;
    return {
      name,
      state: troubles.length > 0 || late > 0 ? PartState.DEGRADED : PartState.OK,
      detail: [progress, ...troubles].join('; '),
      is_embedded: false,
    };
  };
}

/** In a copy that takes no part. */
export const dailyRunIsOff: StatusCheck = async () => ({
  name,
  state: PartState.OK,
  detail: 'not in this copy (DAILY_RUN=false)',
  is_embedded: false,
});

function format(count: number): string {
  return count.toLocaleString('en-US');
}
