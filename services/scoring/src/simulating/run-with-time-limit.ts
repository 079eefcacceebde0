import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

/**
 * The longest time for reading the store. It ends earlier if less than `saveMs` would be left to score, save and
 * reply.
 */
const readMs = 20_000;
const saveMs = 4000;

/** Runs `work` under a signal that fires when the time limit is reached or the caller has gone. */
export async function runWithTimeLimit<Result>(
  call: CallOptions,
  sleep: Sleep,
  work: (call: CallOptions & { signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const { deadline } = withinDeadline(call, readMs, saveMs);
  const done = new AbortController();
  const timedOut = new AbortController();
  const wait = sleep(Math.max(0, deadline.getTime() - Date.now()), done.signal).then(() => timedOut.abort());
  const signal = AbortSignal.any([timedOut.signal, ...(call.signal ? [call.signal] : [])]);
  try {
    return await work({ requestId: call.requestId, deadline, signal });
  } finally {
    done.abort();
    await wait;
  }
}
