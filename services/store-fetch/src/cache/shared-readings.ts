import { createSingleflight } from '@shelfwise/runtime/singleflight';
import { createUrgency } from '../call-budget/urgency.ts';
import type { ReadOptions } from '../sources/source.ts';

export type SharedReadings = ReturnType<typeof createSharedReadings>;

/**
 * One reading for all who ask the same at the same time. Each waits as long as its own signal allows; the reading is
 * given up when the last has gone, and is urgent as soon as one of them is.
 */
export function createSharedReadings() {
  const flights = createSingleflight<unknown, ReturnType<typeof createUrgency>>(createUrgency);
  return {
    /** `key` names the kind of question too, and with it the kind of answer. */
    async read<Answer>(
      key: string,
      { signal, urgency }: ReadOptions,
      read: (shared: ReadOptions) => Promise<Answer>,
    ): Promise<Answer> {
      let stopListening = () => {};
      const board = (shared: { becomeUrgent(): void }) => {
        if (urgency.isUrgent()) shared.becomeUrgent();
        else stopListening = urgency.onUrgent(() => shared.becomeUrgent());
      };
      const work = (sharedSignal: AbortSignal, sharedUrgency: ReadOptions['urgency']) =>
        read({ signal: sharedSignal, urgency: sharedUrgency });
      try {
        return (await flights.join(key, signal, work, board)) as Answer;
      } finally {
        stopListening();
      }
    },
  };
}
