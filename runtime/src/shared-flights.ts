type Flight<Result> = { result: Promise<Result>; waiting: number; abandon: AbortController };

export type SharedFlights<Result> = ReturnType<typeof createSharedFlights<Result>>;

/**
 * Lets callers that want the same thing at the same time share one piece of work. Each waits as long as its own
 * signal allows; the work is abandoned when the last of them has gone.
 */
export function createSharedFlights<Result>() {
  const flights = new Map<string, Flight<Result>>();

  function takeOff(key: string, work: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const abandon = new AbortController();
    const flight: Flight<Result> = { result: work(abandon.signal), waiting: 0, abandon };
    flights.set(key, flight);
    const land = () => forget(key, flight);
    flight.result.then(land, land);
    return flight;
  }

  function forget(key: string, flight: Flight<Result>): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async join(
      key: string,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      signal.throwIfAborted();
      const flight = flights.get(key) ?? takeOff(key, work);
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
