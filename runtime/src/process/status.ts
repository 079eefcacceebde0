import { PartStatus_State as PartState, type PartStatus } from '@shelfwise/proto/runtime/v1/status';
import { withTimeLimit } from '../concurrency/deadline.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';

export { PartState, type PartStatus };

/**
 * Checks one part of a process. Only a check that answers DOWN makes its process unready, so it should do so only when
 * the process cannot work. A check that rejects or is slow makes its part degraded.
 */
export type StatusCheck = () => Promise<PartStatus>;

/** Shorter than the time that the gateway waits for the status of a service, so that one slow check hides no other. */
export const checkTimeoutMs = 600;

/** The status of every part. The checks run in parallel and take at most 600 ms. */
export function checkAll(checks: Readonly<Record<string, StatusCheck>>): Promise<PartStatus[]> {
  return Promise.all(Object.entries(checks).map(([name, check]) => checkOne(name, check)));
}

async function checkOne(name: string, check: StatusCheck): Promise<PartStatus> {
  const error = new Error(`did not answer within ${checkTimeoutMs} ms`);
  try {
    return await withTimeLimit({ ms: checkTimeoutMs, error, signal: undefined }, (signal) =>
      untilAborted(check(), signal),
    );
  } catch (failure) {
    return degraded(name, failure instanceof Error ? failure.message : 'failed');
  }
}

function degraded(name: string, detail: string): PartStatus {
  return { name, state: PartState.DEGRADED, detail, is_embedded: false };
}

/** The state of the worst part: ok, degraded or down. */
export function worstState(parts: readonly PartStatus[]): 'ok' | 'degraded' | 'down' {
  if (parts.some((part) => part.state === PartState.DOWN)) return 'down';
  return parts.some((part) => part.state !== PartState.OK) ? 'degraded' : 'ok';
}
