import type { Store } from '@shelfwise/facts/store';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';
import type { Turns } from './analysis/turns.ts';

/** How many analyses are being made and wait. Waiting is work, not trouble. */
export function analysisStatus(
  turns: Readonly<Record<Store, Pick<Turns, 'going' | 'waiting'>>>,
): StatusCheck {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return async () => {
    const all = Object.values(turns);
    const going = sum(all.map((store) => store.going()));
    const waiting = sum(all.map((store) => store.waiting()));
    const detail = `${going} being made, ${waiting} wait for their turn`;
    return { name: 'analyses', state: PartState.OK, detail, is_embedded: false };
  };
}
