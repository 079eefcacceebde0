import { describeTrouble } from '@shelfwise/runtime/lanes/describe-trouble';
import type { Lane } from '@shelfwise/runtime/lanes/lane';
import { answered } from '@shelfwise/runtime/mongo';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';
import type { ChartCounter } from './chart-counter.ts';

const name = 'daily run';

/** How far the day's readings are, counted for whoever looks. Degraded when charts are late or something cannot be read. */
export function dailyRunStatus({
  lanes,
  counter,
}: {
  lanes: readonly Lane[];
  counter: ChartCounter;
}): StatusCheck {
  return async () => {
    const { all, readToday, late, due } = await answered(counter.count());
    const troubles = lanes.flatMap(describeTrouble);
    const progress = `${format(readToday)} of ${format(all)} charts read today, ${format(due)} due, ${format(late)} late`;
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
