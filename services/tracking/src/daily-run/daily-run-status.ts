import { describeTrouble } from '@shelfwise/runtime/lanes/describe-trouble';
import type { Lane } from '@shelfwise/runtime/lanes/lane';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';
import type { MarketCounter } from './market-counter.ts';

const name = 'daily run';

/** How far the day's readings are. Degraded when markets are late or something cannot be read. */
export function dailyRunStatus(deps: { lanes: readonly Lane[]; counter: MarketCounter }): StatusCheck {
  return async () => {
    const troubles = deps.lanes.flatMap(describeTrouble);
    const latest = deps.counter.latest();
    const counts = latest?.counts;
    const isBehind = troubles.length > 0 || (counts?.late ?? 0) > 0;
    const progress = counts
      ? `counted at ${latest.at.toISOString().slice(11, 16)} UTC: ${format(counts.readToday)} of ${format(counts.tracked)} markets read today, ` +
        `${format(counts.due)} due, ${format(counts.late)} late`
      : 'not counted today yet';
    return {
      name,
      state: isBehind ? PartState.DEGRADED : PartState.OK,
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
