import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { utcDay } from '@shelfwise/runtime/day';
import type { PackedDay } from '../stores/month-packing.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';

/** With the pause, the days of 100,000 keywords take a day and a half. */
const keywordsPerPause = 500;
/** Longer than any read or write, and than copies of an older version run, which cannot read packed months. */
const pauseMs = 600_000;

/** The days of a month before which days are packed together: a month is written four times. */
const packingDays = ['22', '15', '08', '01'] as const;

/**
 * Packs the snapshots of days before the last packing day until `before`, each in the row of its month, as a sweep. After a crash in
 * between, the next sweep finds the rows of packed days again. Returns how many it deleted.
 */
export function createPackPastDays({
  snapshots,
  sleep,
}: {
  snapshots: Pick<SnapshotStore, 'packSome' | 'deletePacked'>;
  sleep: Sleep;
}) {
  return async (before: Date, signal: AbortSignal): Promise<number> => {
    const openDay = lastPackingDay(utcDay(before));
    let deleted = 0;
    let packed: PackedDay[] | null = [];
    while (packed) {
      await sleep(pauseMs, signal);
      if (signal.aborted) break;
      await snapshots.deletePacked(packed);
      deleted += packed.length;
      packed = await snapshots.packSome(openDay, keywordsPerPause);
    }
    return deleted;
  };
}

function lastPackingDay(day: string): string {
  const last = packingDays.find((one) => one <= day.slice(8)) ?? '01';
  return `${day.slice(0, 8)}${last}`;
}
