import { createBatches } from '../concurrency/batches.ts';
import type { EventRecord, EventSubscription } from './event-bus.ts';

type BatchHandlers = NonNullable<EventSubscription['batchHandlers']>;
type BatchHandler = (events: readonly EventRecord[]) => Promise<void>;

/** As many as one delivery passes on at most. */
const eventsPerCall = 200;
/** Of a topic: while one waits for the database, another one may work. */
const callsAtATime = 2;

/**
 * The same handlers, for deliveries that run at the same time, such as those of the partitions of a topic: what several pass on at
 * once is handled in one call, each event of it of another key. If that call fails, it fails for each of them.
 */
export function shareBatchHandlers(handlers: BatchHandlers): BatchHandlers {
  return new Map([...handlers].map(([topic, handle]) => [topic, shareHandler(handle)] as const));
}

function shareHandler(handle: BatchHandler): BatchHandler {
  const add = createBatches<EventRecord, void>({
    maxItems: eventsPerCall,
    maxRunning: callsAtATime,
    async run(events) {
      for (const part of withoutRepeatedKeys(events)) await handle(part);
      return events.map(() => undefined);
    },
  });
  return async (events) => {
    // Until all have ended: those of a failed call are handled one by one next, and none may still be running.
    const results = await Promise.allSettled(events.map(add));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  };
}

/** A key has events in two partitions for some time after the number of partitions was changed. */
function withoutRepeatedKeys(events: readonly EventRecord[]): EventRecord[][] {
  const counts = new Map<string, number>();
  const parts: EventRecord[][] = [];
  for (const event of events) {
    const before = counts.get(event.key) ?? 0;
    counts.set(event.key, before + 1);
    const part = parts[before];
    if (part) part.push(event);
    else parts.push([event]);
  }
  return parts;
}
