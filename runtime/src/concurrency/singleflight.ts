import { untilAborted } from './until-aborted.ts';

/** Created once: an abort without a reason creates an error with its stack, also when the work has ended. */
const abandoned = new DOMException('All callers have left.', 'AbortError');

/** One running piece of work. */
type Flight<Result, Shared> = {
  result: Promise<Result>;
  shared: Shared;
  /** The number of callers that wait for the result. */
  callers: number;
  /** Aborts the work. */
  abandon: AbortController;
};

export type Singleflight<Result, Shared = undefined> = {
  /**
   * Returns the result of the running work for this key, and starts `work` when none is running. When the caller's
   * `signal` is aborted before the result is there, it rejects with the signal's reason. Before it waits or starts, it
   * calls `onJoin` with the state that the callers of this work share.
   */
  join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, shared: Shared) => Promise<Result>,
    onJoin?: (shared: Shared) => void,
  ): Promise<Result>;
};

/**
 * Lets concurrent callers with the same key share one piece of work. Each caller waits as long as its own signal
 * allows; the work is aborted when its last caller leaves. `share` creates state that the callers can change while
 * the work runs, such as its urgency.
 */
export function createSingleflight<Result>(): Singleflight<Result>;
export function createSingleflight<Result, Shared>(share: () => Shared): Singleflight<Result, Shared>;
export function createSingleflight<Result, Shared>(share?: () => Shared): Singleflight<Result, Shared> {
  const flights = new Map<string, Flight<Result, Shared>>();

  function start(
    key: string,
    work: (signal: AbortSignal, shared: Shared) => Promise<Result>,
    onJoin: (shared: Shared) => void,
  ): Flight<Result, Shared> {
    const abandon = new AbortController();
    // Without `share`, `Shared` is undefined.
    const shared = share?.() as Shared;
    onJoin(shared);
    const flight = { result: work(abandon.signal, shared), shared, callers: 0, abandon };
    flights.set(key, flight);
    const settle = () => forget(key, flight);
    flight.result.then(settle, settle);
    return flight;
  }

  /** The key may already belong to newer work, which stays. */
  function forget(key: string, flight: Flight<Result, Shared>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async join(key, signal, work, onJoin = () => {}) {
      signal.throwIfAborted();
      let flight = flights.get(key);
      if (flight) onJoin(flight.shared);
      else flight = start(key, work, onJoin);
      flight.callers++;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.callers--;
        if (flight.callers === 0) {
          forget(key, flight);
          flight.abandon.abort(abandoned);
        }
      }
    },
  };
}
