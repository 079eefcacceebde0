import { background } from '@shelfwise/runtime/concurrency/waiting-callers';
import { type Urgency, urgencyLabel } from './urgency.ts';

/**
 * Per urgency. Calls further back would time out: even at 6,000 calls a minute, the highest budget, these take one
 * address almost two minutes, and a call waits 25 s at most.
 */
const maxQueueLength = 10_000;
/**
 * Urgent calls that one caller may have in the queue. More than a caller can want at a time: 20 calls in flight, each
 * with 20 store calls.
 */
const maxCallsOfCaller = 500;

type Lengths = {
  lengths(): { urgent: number; daily: number };
  lengthOf(callerId: string, isUrgent: boolean): number;
};

/** Whether one more call would be too many for the queue, or for each of its callers. */
export function isQueueFull(queue: Lengths, { isUrgent, callers }: Urgency): boolean {
  if (queue.lengths()[urgencyLabel(isUrgent())] >= maxQueueLength) return true;
  const isOverLimit = (callerId: string) =>
    callerId !== background && queue.lengthOf(callerId, isUrgent()) >= maxCallsOfCaller;
  return callers.ids().every(isOverLimit);
}
