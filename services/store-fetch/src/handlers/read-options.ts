import { forDailyRun, urgent } from '../call-budget/urgency.ts';
import type { ReadOptions } from '../sources/source.ts';

/** How a source is asked on behalf of a request. */
export function readOptions(request: { for_daily_run: boolean }, signal: AbortSignal): ReadOptions {
  return { signal, urgency: request.for_daily_run ? forDailyRun : urgent };
}
