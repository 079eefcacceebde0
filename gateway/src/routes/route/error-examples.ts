import { type CappedCounter, explainCapReached } from '../../limits/count-use.ts';
import { explainBeyondPlan } from './history-window.ts';

/** Error messages that several endpoints share, as examples for the document. */

export const appNotTracked = 'This account does not track an application with that id.';
export const keywordNotTracked = 'This account does not track that keyword for that application.';
export const storeNotReadInTime = 'The store was not read in time. Try again later.';
export const storeTimeout = 'The store did not answer in the time that was left for this call. Try again.';
export const nothingKnown =
  'Nothing is known about this keyword yet. Scores follow within a minute after it is tracked or inspected.';
export const beyondPlan = explainBeyondPlan(7);

export function toCapReachedExample(counter: CappedCounter): string {
  return explainCapReached(counter, { cap: 100, renewsAt: '2026-12-01T00:00:00.000Z' });
}
