export type TurnLimits = {
  /** Requests that start in one turn of the event loop. */
  perTurn: number;
  /** Those of one queue. */
  perQueue: number;
  /** Requests of one queue that wait for a later turn. */
  maxWaiting: number;
};

export type WaitingRequest = {
  start(): void;
  /** Whether its connection has ended while it waited: then it is dropped. */
  isGone(): boolean;
};

/**
 * Spreads bursts of requests over turns of the event loop. Without it, requests that arrive together would hold the loop
 * until all of them have started. Each caller, a key or an address, has a queue, and the queues are served in turn. A burst of
 * one delays the requests of others by a few only.
 */
export function createRequestTurns({ perTurn, perQueue, maxWaiting }: TurnLimits) {
  /** In the order in which they are served. None is empty. */
  const queues = new Map<string, WaitingRequest[]>();
  let startedInTurn = 0;
  const startedOf = new Map<string, number>();
  let isTurnDue = false;

  function count(caller: string): void {
    startedInTurn++;
    startedOf.set(caller, (startedOf.get(caller) ?? 0) + 1);
    if (isTurnDue) return;
    isTurnDue = true;
    setImmediate(beginTurn);
  }

  const mayStart = (caller: string) => startedInTurn < perTurn && (startedOf.get(caller) ?? 0) < perQueue;

  function beginTurn(): void {
    isTurnDue = false;
    startedInTurn = 0;
    startedOf.clear();
    for (const request of takeDue()) request.start();
  }

  /** One request of each queue, again and again, up to the limits. */
  function takeDue(): WaitingRequest[] {
    const due: WaitingRequest[] = [];
    const full: [string, WaitingRequest[]][] = [];
    // A queue that is set again comes last, and is visited again.
    for (const [caller, queue] of queues) {
      if (startedInTurn >= perTurn) break;
      queues.delete(caller);
      const request = takeFirst(queue);
      if (!request) continue;
      due.push(request);
      count(caller);
      if (queue.length === 0) continue;
      if (mayStart(caller)) queues.set(caller, queue);
      else full.push([caller, queue]);
    }
    for (const [caller, queue] of full) queues.set(caller, queue);
    return due;
  }

  /** False when too many of the caller wait. */
  function enqueue(caller: string, request: WaitingRequest): boolean {
    const queue = queues.get(caller) ?? [];
    if (queue.length >= maxWaiting) {
      const left = queue.filter((one) => !one.isGone());
      queue.splice(0, queue.length, ...left);
      if (queue.length >= maxWaiting) return false;
    }
    queue.push(request);
    queues.set(caller, queue);
    return true;
  }

  return {
    /**
     * Starts the request now, or in a later turn, after the earlier ones of its caller.
     * @returns false when it is refused: too many of its caller wait
     */
    start(caller: string, request: WaitingRequest): boolean {
      if (queues.has(caller) || !mayStart(caller)) return enqueue(caller, request);
      count(caller);
      request.start();
      return true;
    },
  };
}

/** Drops those that are gone. */
function takeFirst(queue: WaitingRequest[]): WaitingRequest | undefined {
  const at = queue.findIndex((request) => !request.isGone());
  const [request] = queue.splice(0, at === -1 ? queue.length : at + 1).slice(-1);
  return at === -1 ? undefined : request;
}
