type Flight<Result, Shared> = {
  result: Promise<Result>;
  shared: Shared;
  waiting: number;
  abandon: AbortController;
};

export type SharedFlights<Result, Shared = undefined> = {
  /**
   * The result of the work that is under way for this key, or of `work`, begun now. `board` is called first,
   * with what the callers of this piece of work share.
   */
  join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, shared: Shared) => Promise<Result>,
    board?: (shared: Shared) => void,
  ): Promise<Result>;
};

/**
 * Lets callers that want the same thing at the same time share one piece of work. Each waits as long as its own
 * signal allows; the work is abandoned when the last of them has gone. `share` makes what those who wait for one piece
 * of work can tell it while it is under way, such as that it has become urgent.
 */
export function createSharedFlights<Result>(): SharedFlights<Result>;
export function createSharedFlights<Result, Shared>(share: () => Shared): SharedFlights<Result, Shared>;
export function createSharedFlights<Result, Shared>(share?: () => Shared): SharedFlights<Result, Shared> {
  const flights = new Map<string, Flight<Result, Shared>>();

  function takeOff(
    key: string,
    work: (signal: AbortSignal, shared: Shared) => Promise<Result>,
    board: (shared: Shared) => void,
  ): Flight<Result, Shared> {
    const abandon = new AbortController();
    // Without `share` nothing is shared, and Shared is undefined.
    const shared = share?.() as Shared;
    board(shared);
    const flight = { result: work(abandon.signal, shared), shared, waiting: 0, abandon };
    flights.set(key, flight);
    const land = () => forget(key, flight);
    flight.result.then(land, land);
    return flight;
  }

  function forget(key: string, flight: Flight<Result, Shared>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async join(key, signal, work, board = () => {}) {
      signal.throwIfAborted();
      let flight = flights.get(key);
      if (flight) board(flight.shared);
      else flight = takeOff(key, work, board);
      flight.waiting++;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.waiting--;
        if (flight.waiting === 0) {
          forget(key, flight);
          flight.abandon.abort();
        }
      }
    },
  };
}

function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
