import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { createUrgency } from '../call-budget/urgency.ts';
import type { ReadOptions } from '../sources/source.ts';

export type SharedReadings = ReturnType<typeof createSharedReadings>;

/**
 * One reading for all callers that ask the same at the same time. Each waits as long as its own signal allows; the
 * reading is aborted when the last has left, and is urgent as soon as one of them is.
 */
export function createSharedReadings() {
  const flights = createSingleflight<unknown, ReturnType<typeof createUrgency>>(createUrgency);
  return {
    /** `key` names the kind of request too, and with it the kind of answer. */
    async read<Answer>(
      key: string,
      { signal, urgency }: ReadOptions,
      read: (shared: ReadOptions) => Promise<Answer>,
    ): Promise<Answer> {
      let stopListening = () => {};
      const onJoin = (shared: { becomeUrgent(): void }) => {
        if (urgency.isUrgent()) shared.becomeUrgent();
        else stopListening = urgency.onUrgent(() => shared.becomeUrgent());
      };
      const work = (sharedSignal: AbortSignal, sharedUrgency: ReadOptions['urgency']) =>
        read({ signal: sharedSignal, urgency: sharedUrgency });
      try {
        return (await flights.join(key, signal, work, onJoin)) as Answer;
      } finally {
        stopListening();
      }
    },
  };
}
