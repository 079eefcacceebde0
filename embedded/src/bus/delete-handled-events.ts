import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { EventLog } from './event-log.ts';

/** Nothing is deleted before: the start of a process first publishes again what is left in outboxes. */
const deleteEveryMs = 10 * 60_000;
/** The id of an event is stored for so long, so that an outbox that repeats the event delivers it once. */
const repeatableMs = 3_600_000;

/** Deletes handled events every ten minutes: the snapshots and scores that they made are stored elsewhere. */
export function deleteHandledEvents(deps: {
  log: Pick<EventLog, 'deleteHandled'>;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  sleep: Sleep;
}): { stop(): Promise<void> } {
  const { log, logger, now, sleep } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      await sleep(deleteEveryMs, signal);
      if (signal.aborted) return;
      try {
        await log.deleteHandled(new Date(now().getTime() - repeatableMs), signal);
      } catch (err) {
        logger.warn({ err }, 'handled events could not be deleted; retrying in ten minutes');
      }
    }
  }

  return {
    /** Resolves after the current batch. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
