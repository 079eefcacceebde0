import { setTimeout as sleep } from 'node:timers/promises';
import { callControlSocket } from '@shelfwise/app/data-folder/control-socket';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import type { Publish } from './alert-load.ts';

/** An event on its way to `alerts-system.ts`; `payload` in base64. */
export type PostedEvent = Omit<EventRecord, 'payload' | 'at'> & { payload: string; at: string };

const againMs = 100;

export type AlertsSystem = Awaited<ReturnType<typeof startAlertsSystem>>;

/** `npm start` on a data folder, in a process that an experiment kills, and a way to publish events there. */
export async function startAlertsSystem(dataDir: string) {
  const start = () =>
    startSystemProcess(
      {
        SHELFWISE_DATA_DIR: dataDir,
        // What is read on this day would be other pages of the same keywords.
        DAILY_RUN: 'false',
        WEBHOOK_ALLOW_PRIVATE: 'true',
      },
      'experiments/lib/alerts-system.ts',
    );
  let system = await start();

  const publisherUrl = () => /Events are taken at (\S+)/.exec(system.output())?.[1] ?? '';

  const publish: Publish = async (events) => {
    const posted = events.map(
      ({ payload, at, ...event }): PostedEvent => ({
        ...event,
        at: at.toISOString(),
        payload: Buffer.from(payload).toString('base64'),
      }),
    );
    for (;;) {
      // Also when it was killed in between: whether it has stored them is not known.
      const answer = await fetch(publisherUrl(), { method: 'POST', body: JSON.stringify(posted) }).catch(
        () => null,
      );
      if (answer?.ok) return;
      await sleep(againMs);
    }
  };

  return {
    publish,
    url: () => system.url,
    pid: () => system.pid,
    /** What is in use on the heap of its main thread, after a garbage collection, in MiB. */
    async heapMiB(): Promise<number> {
      const { heapUsed } = (await (await fetch(publisherUrl())).json()) as NodeJS.MemoryUsage;
      return heapUsed / 2 ** 20;
    },
    /** Accounts without limits of their plan. */
    async createAccounts(count: number): Promise<{ id: string; key: string }[]> {
      const created = [];
      for (let number = 1; number <= count; number++) {
        const email = `alerts-${number}-${Date.now()}@example.com`;
        const command = { action: 'create', email, plan: 'unlimited' };
        const { body } = await callControlSocket(controlSocketPath(dataDir), '/accounts', command);
        created.push((body as { result: { id: string; key: string } }).result);
      }
      return created;
    },
    /** `kill -9`. */
    kill: () => system.end('SIGKILL'),
    async restart(): Promise<void> {
      system = await start();
    },
    stop: () => system.end('SIGINT'),
  };
}
