import type { ReadOptions } from '../source.ts';

/**
 * Options for reading an optional part of an answer: their signal fires with the caller's, and after `endIn` or `end`.
 */
export function limitWait(options: ReadOptions) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    options: { ...options, signal: AbortSignal.any([options.signal, controller.signal]) },
    endIn(ms: number) {
      timer = setTimeout(() => controller.abort(new Error(`not there after ${ms} ms`)), ms);
    },
    end() {
      clearTimeout(timer);
      controller.abort(new Error('no longer needed'));
    },
  };
}
