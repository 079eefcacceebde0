import { createFairTurns } from '@shelfwise/runtime/concurrency/fair-turns';

export type OrderingTurns = ReturnType<typeof createOrderingTurns>;

/**
 * Orders long lists (`take`), and compares ranks around changes (`compare`): of each kind one at a time within this process, and
 * accounts in turn. A list takes up to 0.3 s of CPU, changes up to 3: many at once would all miss their deadlines, and so would
 * a list behind two comparisons.
 */
export function createOrderingTurns() {
  return { take: createFairTurns(), compare: createFairTurns() };
}
