import { AppError } from '@shelfwise/runtime/errors';
import type { Response } from 'express';

export type CallsInFlight = ReturnType<typeof createCallsInFlight>;

/** More calls of one account are refused while this many are in flight. */
export const maxCallsPerAccount = 20;

/** The error message of every call that a shutdown aborts. */
const stoppingMessage = 'The service is stopping. Try again.';

/**
 * Tracks calls in progress, and limits those of each account. A call is aborted when its caller disconnects, unless its
 * work outlives the caller by then, and every call at a shutdown.
 */
export function createCallsInFlight(mostPerAccount = maxCallsPerAccount) {
  const calls = new Map<AbortController, Promise<unknown>>();
  const works = new WeakMap<Response, Promise<unknown>>();
  const takenSlots = new Map<string, number>();
  let isStopping = false;

  function releaseSlot(accountId: string): void {
    const taken = (takenSlots.get(accountId) ?? 0) - 1;
    if (taken > 0) takenSlots.set(accountId, taken);
    else takenSlots.delete(accountId);
  }

  return {
    /**
     * Reserves one of the account's slots and returns true; false when all are taken. The slot is free again once
     * the response is closed and the work of the call, which may outlive its caller, has ended.
     */
    reserve(accountId: string, response: Response): boolean {
      const taken = takenSlots.get(accountId) ?? 0;
      if (taken >= mostPerAccount) return false;
      takenSlots.set(accountId, taken + 1);
      const release = () => releaseSlot(accountId);
      const onClose = () => void Promise.resolve(works.get(response)).then(release, release);
      if (response.closed) onClose();
      else response.once('close', onClose);
      return true;
    },

    /**
     * Runs the work of one call under a signal that fires when the call is aborted. The work calls `outliveCaller` when it
     * is to go on even if the caller disconnects.
     * @throws the signal's reason, SERVICE_UNAVAILABLE, when the work failed because of the abort
     */
    async run<Result>(
      response: Response,
      work: (signal: AbortSignal, outliveCaller: () => void) => Promise<Result>,
    ): Promise<Result> {
      const call = new AbortController();
      let outlivesCaller = false;
      const outliveCaller = () => {
        outlivesCaller = true;
      };
      const abortDisconnected = () => {
        if (!outlivesCaller) call.abort(unavailable('The caller disconnected.'));
      };
      // A caller that disconnected during the key lookup emits no second 'close'.
      if (response.closed) abortDisconnected();
      response.once('close', () => {
        if (!response.writableFinished) abortDisconnected();
      });
      if (isStopping) call.abort(unavailable(stoppingMessage));
      try {
        const result = work(call.signal, outliveCaller);
        calls.set(call, result);
        // A page of the dashboard makes several calls.
        const earlier = works.get(response);
        works.set(response, earlier ? Promise.allSettled([earlier, result]) : result);
        return await result;
      } catch (error) {
        throw call.signal.aborted && isUnavailable(error) ? call.signal.reason : error;
      } finally {
        calls.delete(call);
      }
    },

    /** Resolves when every running call has ended, also those whose callers have disconnected. */
    async ended(): Promise<void> {
      await Promise.allSettled(calls.values());
    },

    /** Aborts every running call and every later one, with a message that asks the caller to try again. */
    abortAll(): void {
      isStopping = true;
      for (const call of calls.keys()) call.abort(unavailable(stoppingMessage));
    },
  };
}

/** The error that a service's client throws for an aborted call. */
function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message);
}
