import { withinDeadline } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';

/** The store is read for so long at most, and given up early enough to score, to save and to answer. */
const readMs = 20_000;
const saveMs = 4000;

/** Runs `work` under a signal that fires when its time is over or the caller has gone. */
export async function withPatience<Result>(
  call: CallOptions,
  sleep: Sleep,
  work: (call: CallOptions & { signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const { deadline } = withinDeadline(call, readMs, saveMs);
  const isDone = new AbortController();
  const isOver = new AbortController();
  const wait = sleep(Math.max(0, deadline.getTime() - Date.now()), isDone.signal).then(() => isOver.abort());
  const signal = AbortSignal.any([isOver.signal, ...(call.signal ? [call.signal] : [])]);
  try {
    return await work({ requestId: call.requestId, deadline, signal });
  } finally {
    isDone.abort();
    await wait;
  }
}
