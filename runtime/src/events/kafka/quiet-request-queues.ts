import { createRequire } from 'node:module';

/** What is used of kafkajs's queue of the requests to one broker. */
export type RequestQueue = {
  /** requests that are not sent yet */
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
};

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
  prototype: RequestQueue;
};

/**
 * kafkajs 2.2.4 looks for pending requests every millisecond once a request has ever been pending, also when none is: nine hundred
 * wake-ups a second and 3 % of a core in an idle service. It needs to look only while one is pending: a request that becomes
 * pending schedules the next look itself.
 */
export function quietRequestQueues(): RequestQueue {
  const { scheduleCheckPendingRequests: schedule } = prototype;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
  return prototype;
}
