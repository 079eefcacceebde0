import type { Connection } from 'mongoose';
import { type Sleep, sleep as wallClockSleep } from '../concurrency/sleep.ts';
import { checkTimeoutMs, PartState, type PartStatus, type StatusCheck } from '../process/status.ts';

/** A check answers before its time limit, so that it can say how long the database has been silent. */
const patienceMs = checkTimeoutMs - 100;
/** A database that has been silent for this long is down, and not only slow. */
const downAfterMs = 5000;

/**
 * Checks whether the own database answers. Down when it refuses, or has not answered for five seconds; until then a slow
 * one is degraded, because a moment's load must not make all copies unready. The detail omits the driver's message, which
 * contains internal addresses.
 *
 * One ping is on its way at a time, however many checks are made, and a check does not wait for it longer than its
 * patience.
 */
export function databaseStatus(
  connection: Pick<Connection, 'db'>,
  isEmbedded: boolean,
  {
    monotonicMs = () => performance.now(),
    sleep = wallClockSleep,
  }: { monotonicMs?: () => number; sleep?: Sleep } = {},
): StatusCheck {
  type Outcome = 'answered' | 'refused';
  let inFlight: Promise<Outcome> | null = null;
  let lastOutcome: Outcome = 'answered';
  /** When the oldest ping was sent that has no answer; null when the last one was answered. */
  let silentSinceMs: number | null = null;

  function sendPing(): Promise<Outcome> {
    silentSinceMs ??= monotonicMs();
    return ping(connection).then(
      () => {
        silentSinceMs = null;
        return settle('answered');
      },
      () => settle('refused'),
    );
  }

  function settle(outcome: Outcome): Outcome {
    inFlight = null;
    lastOutcome = outcome;
    return outcome;
  }

  return async () => {
    inFlight ??= sendPing();
    const waiting = new AbortController();
    const outcome = await Promise.race([inFlight, sleep(patienceMs, waiting.signal)]);
    waiting.abort();
    if (outcome === 'answered') return show(PartState.OK, isEmbedded ? 'embedded, answers' : 'answers');
    const silentMs = silentSinceMs === null ? 0 : monotonicMs() - silentSinceMs;
    if (outcome === 'refused' || lastOutcome === 'refused' || silentMs >= downAfterMs)
      return show(PartState.DOWN, 'the database does not answer');
    return show(PartState.DEGRADED, `no answer for ${Math.round(silentMs)} ms`);
  };

  function show(state: PartStatus['state'], detail: string): PartStatus {
    return { name: 'database', state, detail, is_embedded: isEmbedded };
  }
}

async function ping({ db }: Pick<Connection, 'db'>): Promise<void> {
  if (!db) throw new Error('the connection is closed');
  await db.command({ ping: 1 });
}
