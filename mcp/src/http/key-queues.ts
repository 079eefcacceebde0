import { createHash } from 'node:crypto';
import { type CallQueue, type Clock, createCallQueue } from '../api/call-queue.ts';

/** More idle queues than this are dropped. */
const mostIdle = 1000;

/**
 * The queue of each key, so that all requests with one key share its rate limit. Keys are remembered as hashes, and as
 * long as their calls count in a window.
 */
export function createKeyQueues(clock: Clock): (key: string) => CallQueue {
  const queues = new Map<string, CallQueue>();
  return (key) => {
    const hash = createHash('sha256').update(key).digest('base64');
    const known = queues.get(hash);
    if (known) return known;
    if (queues.size >= mostIdle) dropIdle(queues);
    const queue = createCallQueue(clock);
    queues.set(hash, queue);
    return queue;
  };
}

function dropIdle(queues: Map<string, CallQueue>): void {
  for (const [hash, queue] of queues) if (queue.isIdle()) queues.delete(hash);
}
