import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

/** The store is read for so long at most, and given up early enough to score, to save and to answer. */
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
