import { quietRequestQueues, type RequestQueue } from './quiet-request-queues.ts';

const prototype = quietRequestQueues();

const queueOf = (pending: unknown[]): RequestQueue =>
  Object.assign(Object.create(prototype) as RequestQueue, {
    pending,
    throttledUntil: 0,
    throttleCheckTimeoutId: null,
  });

test('a queue looks again only while a request is pending', () => {
  const idle = queueOf([]);
  idle.checkPendingRequests();
  expect(idle.throttleCheckTimeoutId).toBeNull();

  const waiting = queueOf([{}]);
  waiting.scheduleCheckPendingRequests();
  expect(waiting.throttleCheckTimeoutId).not.toBeNull();
  clearTimeout(waiting.throttleCheckTimeoutId ?? undefined);
});
