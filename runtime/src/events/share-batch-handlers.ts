import { createBatches } from '../concurrency/batches.ts';
import type { BatchHandler, EventRecord } from './event-bus.ts';

/** As many as one delivery passes on at most. */
const eventsPerCall = 200;
/** For each topic: while one call waits for the database, another one may work. */
const callsAtATime = 2;

/**
 * The same handlers, for deliveries that run at the same time, such as those of the partitions of a topic: what several pass on at
 * once is handled in one call, each event of it of another key. If that call fails, each of them repeats its own events in a call of
 * its own, so that a bad event fails only the delivery that has it.
 */
export function shareBatchHandlers(
  handlers: ReadonlyMap<string, BatchHandler>,
): ReadonlyMap<string, BatchHandler> {
  return new Map([...handlers].map(([topic, handle]) => [topic, shareHandler(handle)] as const));
}

type Passed = { event: EventRecord; signal: AbortSignal };

function shareHandler(handle: BatchHandler): BatchHandler {
  /** Whether the event was handled: false when its signal fired before. */
  const add = createBatches<Passed, boolean>({
    maxItems: eventsPerCall,
    maxRunning: callsAtATime,
    async run(passed) {
      const handled = new Set<EventRecord>();
      for (const part of withoutRepeatedKeys(passed)) {
        // They wait behind calls of others, and a delivery that stops starts none.
        const wanted = part.filter(({ signal }) => !signal.aborted);
        const [first] = wanted;
        if (!first) continue;
        await handle(
          wanted.map(({ event }) => event),
          first.signal,
        );
        for (const { event } of wanted) handled.add(event);
      }
      return passed.map(({ event }) => handled.has(event));
    },
  });
  return async (events, signal) => {
    // Until all have ended: those of a failed call are repeated next, and none may still be running.
    const results = await Promise.allSettled(events.map((event) => add({ event, signal })));
    if (results.every((result) => result.status === 'fulfilled' && result.value)) return;
    signal.throwIfAborted();
    await handle(events, signal);
  };
}

/** A key has events in two partitions for some time after the number of partitions was changed. */
function withoutRepeatedKeys(passed: readonly Passed[]): Passed[][] {
  const counts = new Map<string, number>();
  const parts: Passed[][] = [];
  for (const one of passed) {
    const before = counts.get(one.event.key) ?? 0;
    counts.set(one.event.key, before + 1);
    const part = parts[before];
    if (part) part.push(one);
    else parts.push([one]);
  }
  return parts;
}
