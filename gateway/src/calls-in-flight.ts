import { AppError } from '@shelfwise/runtime/errors';
import type { Response } from 'express';

export type CallsInFlight = ReturnType<typeof createCallsInFlight>;

/** The calls that handlers work for, each of which ends early when its caller has gone, and all of them before a stop. */
export function createCallsInFlight() {
  const calls = new Set<AbortController>();
  let isOver = false;

  return {
    /**
     * Does the work of one call under a signal that fires when the call ends early.
     * @throws the signal's reason, SERVICE_UNAVAILABLE, when the work failed because of that
     */
    async run<Result>(response: Response, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
      const call = new AbortController();
      const giveUp = () => call.abort(unavailable('The caller has gone.'));
      // Who left while the key was looked up closes no second time.
      if (response.closed) giveUp();
      response.once('close', () => {
        if (!response.writableFinished) giveUp();
      });
      if (isOver) call.abort(stopping());
      calls.add(call);
      try {
        return await work(call.signal);
      } catch (error) {
        throw call.signal.aborted && isUnavailable(error) ? call.signal.reason : error;
      } finally {
        calls.delete(call);
      }
    },

    /** From now on every call ends early: its caller is told to try again. */
    endAll(): void {
      isOver = true;
      for (const call of calls) call.abort(stopping());
    },
  };
}

/** What a service's client makes of a call that it was told to give up. */
function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
}

function stopping(): AppError {
  return unavailable('The service is stopping. Try again.');
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message);
}
