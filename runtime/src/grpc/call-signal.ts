import { AppError } from '../errors.ts';

/** Created once, because every call ends: a new error would collect its stack each time. */
const callIsOver = new AppError('SERVICE_UNAVAILABLE', 'The caller canceled the call.');

/** The signal of one call at the server. Most handlers never ask for it, so that it is created on demand. */
export type CallSignal = {
  get(): AbortSignal;
  /** The call is over: the caller canceled, the deadline passed, or the reply was sent. */
  end(): void;
};

export function createCallSignal(): CallSignal {
  let controller: AbortController | undefined;
  let hasEnded = false;
  const abort = () => controller?.abort(callIsOver);
  return {
    get() {
      if (controller) return controller.signal;
      controller = new AbortController();
      if (hasEnded) abort();
      return controller.signal;
    },
    end() {
      hasEnded = true;
      abort();
    },
  };
}
