/**
 * Spreads bursts of requests over turns of the event loop: at most `maxPerTurn` start in one turn, and further ones in
 * later turns, in order. Without it, requests that arrive together would hold the loop until all of them have started.
 */
export function createRequestTurns(maxPerTurn: number) {
  const waiting: (() => void)[] = [];
  let startedInTurn = 0;

  /** Counts requests of the current turn. The next one begins with those that wait. */
  function beginTurn(requests: number): void {
    startedInTurn = requests;
    setImmediate(() => {
      startedInTurn = 0;
      const due = waiting.splice(0, maxPerTurn);
      if (due.length > 0) beginTurn(due.length);
      for (const start of due) start();
    });
  }

  return {
    /** Starts the request now, or in a later turn. */
    start(request: () => void): void {
      if (startedInTurn >= maxPerTurn) waiting.push(request);
      else {
        if (startedInTurn === 0) beginTurn(1);
        else startedInTurn++;
        request();
      }
    },
  };
}
