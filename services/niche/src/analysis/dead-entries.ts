import type { QueueEntry } from '../domain/analysis-queue.ts';

/**
 * Tells which entries of other copies are dead: this copy has seen them for `leaseMs` without a renewal. It measures the
 * time itself, so the clocks of the copies need not agree, and an entry that it sees for the first time is alive. It
 * remembers the entries of the last look only.
 * @param options.monotonicMs a clock that is never set
 */
export function createDeadEntries(options: { leaseMs: number; monotonicMs: () => number }) {
  const { leaseMs, monotonicMs } = options;
  let seen = new Map<string, { renewals: number; sinceMs: number }>();

  /** The ids of those that are dead now. Call it with each queue that was just read. */
  return (entries: readonly QueueEntry[]): ReadonlySet<string> => {
    const nowMs = monotonicMs();
    const isDead = ({ id }: QueueEntry) => nowMs - (seen.get(id)?.sinceMs ?? nowMs) >= leaseMs;
    seen = new Map(
      entries.map(({ id, renewals }) => {
        const before = seen.get(id);
        return [id, before?.renewals === renewals ? before : { renewals, sinceMs: nowMs }];
      }),
    );
    return new Set(entries.filter(isDead).map(({ id }) => id));
  };
}
