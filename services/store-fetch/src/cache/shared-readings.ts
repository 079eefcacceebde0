import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { createUrgency } from '../budget/urgency.ts';
import type { ReadOptions } from '../source.ts';

export type SharedReadings = ReturnType<typeof createSharedReadings>;

/**
 * One read for all equal requests at the same time. Each caller waits as long as its own signal allows. The read is
 * aborted when the last caller has given up, and becomes urgent when one of the callers is urgent. Its store calls are
 * made in the turn of each caller, whichever comes first.
 */
export function createSharedReadings() {
  const singleflight = createSingleflight<unknown, ReturnType<typeof createUrgency>>(createUrgency);
  return {
    /**
     * `key` must include the kind of request: it determines the type of the answer. `onRead` gets each answer once. An
     * answer that arrives after the last caller has given up is dropped, because parts of it may be missing.
     * @throws the signal's reason when a caller gives up, also before the read
     */
    async read<Answer>(
      key: string,
      { signal, urgency, requestId }: ReadOptions,
      read: (shared: ReadOptions) => Promise<Answer>,
      onRead: (answer: Answer) => void = () => {},
    ): Promise<Answer> {
      let stopFollowing = () => {};
      const onJoin = (shared: ReturnType<typeof createUrgency>) => {
        stopFollowing = shared.follow(urgency);
      };
      const work = async (sharedSignal: AbortSignal, sharedUrgency: ReadOptions['urgency']) => {
        const answer = await read({ signal: sharedSignal, urgency: sharedUrgency, requestId });
        sharedSignal.throwIfAborted();
        onRead(answer);
        return answer;
      };
      try {
        return (await singleflight.join(key, signal, work, onJoin)) as Answer;
      } finally {
        stopFollowing();
      }
    },
  };
}
