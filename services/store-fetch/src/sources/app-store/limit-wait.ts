import type { ReadOptions } from '../../source.ts';

/**
 * Options for reading an optional part of an answer. Their signal aborts with the caller's signal, `ms` after
 * `endIn`, or with `end`.
 */
export function limitWait(options: ReadOptions) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    options: { ...options, signal: AbortSignal.any([options.signal, controller.signal]) },
    endIn(ms: number) {
      timer = setTimeout(() => controller.abort(new Error(`not read within ${ms} ms`)), ms);
    },
    end() {
      clearTimeout(timer);
      controller.abort(new Error('no longer needed'));
    },
  };
}
