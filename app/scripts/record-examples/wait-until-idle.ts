import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '@shelfwise/app/start/start-system';

/** A reading asks every service and takes time from the work. What ended between two shows in the counters. */
const pollMs = 100;
/** The clock of a test runs so much faster while it waits. */
const passedMs = 500;
/** After this many equal readings in a row, no claimed job is still running: a job of the sample takes milliseconds. */
const quietReadings = 5;
/** A way out after two minutes: a worker that is idle when a test moves its clock looks again within one. */
const maxReadings = 1200;

const isDone = /^0 changes not published yet|^0 keywords wait to be measured, 0 listings to be audited$/;

/**
 * Waits until the services have no background work left: no due job, no pending event, and nothing changes any more. `pass`
 * moves the clock of the system on: a term that is requested while it is measured may be claimed for a minute after it.
 */
export async function waitUntilIdle(
  { metrics, readReadiness }: Pick<System, 'metrics' | 'readReadiness'>,
  pass: (ms: number) => void = () => {},
): Promise<void> {
  let last = '';
  let quiet = 0;
  for (let reading = 0; reading < maxReadings; reading++) {
    const { services } = await readReadiness();
    const backlog = Object.values(services)
      .flat()
      .filter(({ name }) => name === 'events' || name === 'scoring run')
      .map(({ detail }) => detail);
    const activity = [
      await metrics.eventsPublished.get(),
      await metrics.workerJobs.get(),
      await metrics.bulkItems.get(),
    ];
    const current = JSON.stringify([backlog, activity]);
    quiet = current === last && backlog.every((detail) => isDone.test(detail)) ? quiet + 1 : 0;
    if (quiet === quietReadings) return;
    last = current;
    pass(passedMs);
    await pause(pollMs);
  }
  throw new Error(`background work does not end: ${last}`);
}
