import type { ReadOptions } from '../source.ts';

/**
 * Options for reading what an answer can do without: their signal fires with the caller's, and when `endIn` or `end`
 * say so.
 */
export function limitPatience(options: ReadOptions) {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    options: { ...options, signal: AbortSignal.any([options.signal, giveUp.signal]) },
    endIn(ms: number) {
      timer = setTimeout(() => giveUp.abort(new Error(`not there after ${ms} ms`)), ms);
    },
    end() {
      clearTimeout(timer);
      giveUp.abort(new Error('no longer needed'));
    },
  };
}
