import { type CappedCounter, sayCapReached } from '../../limits/count-use.ts';
import { sayBeyondPlan } from './history-window.ts';

/** What several endpoints say when they fail, for the examples in the document: sentences of the services and our own. */

export const appNotTracked = 'This account does not track an application with that id.';
export const keywordNotTracked = 'This account does not track that keyword for that application.';
export const storeTooSlow = 'The store was not read in time. Try again later.';
export const storeTooLate = 'The store did not answer in the time that was left for this call. Try again.';
export const beyondPlan = sayBeyondPlan(7);

export function capReached(counter: CappedCounter): string {
  return sayCapReached(counter, { cap: 100, renewsAt: '2026-12-01T00:00:00.000Z' });
}
