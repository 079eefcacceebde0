import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AlertLoad, createAlertLoad } from '../lib/alert-load.ts';
import { type AlertReceivers, type ReceiverMode, startAlertReceivers } from '../lib/alert-receivers.ts';
import { areAllDelivered, describeDeliveries, untilDelivered } from '../lib/check-deliveries.ts';
import { createExpectations, type Expectations } from '../lib/expectations.ts';
import { residentMiB } from '../lib/process-figures.ts';
import { quantile } from '../lib/quantile.ts';
import { type AlertsSystem, startAlertsSystem } from '../lib/start-alerts-system.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { measureInTurns } from './rounds.ts';

/** How the neighbors' receivers answer. The first is the baseline: the same alerts, to receivers that are well. */
const modes = { ok: 'answer', hang: 'hang', error: 'answer 500', redirect: 'redirect' } as const;
/** How much longer the deliveries of others may take next to receivers that do not answer. */
const mostRatio = 2;
/** Pages of one measurement. */
const daysOfCase = 3;
const minuteMs = 60_000;
/** After the minute, alerts may still be on their way for as long. */
const drainMs = 60_000;
/** Flat memory: what the last minute may leave more than the first one took at most, without the pages of the database's file. */
const mostGrowthMiB = 64;
/** What may be more in use on the heap after the last minute than after the first. */
const mostHeapGrowthMiB = 8;
/** Between two days of pages of a measurement. */
const pauseMs = 1000;

export const times = defineTimes({
  name: 'deliveries',
  question:
    'How long do alerts take to receivers while others hang, answer 500 or redirect, and do 10,000 alerts in a minute drain?',
  options: {
    rounds: [5, 'of each kind of receiver', [1, 20]],
    accounts: [20, 'whose deliveries are measured', [2, 40]],
    neighbors: [10, 'accounts with two receivers each that do not answer', [1, 20]],
    alerts: [10_000, 'in each minute; 0: they are left out', [0, 30_000]],
    minutes: [2, 'in which they are sent', [2, 6]],
  },
  async run({ rounds, accounts, neighbors, alerts, minutes }) {
    const folder = temporaryFolder('deliveries');
    const receivers = await startAlertReceivers(join(folder, 'received'));
    const system = await startAlertsSystem(join(folder, 'data'));
    const expectations = createExpectations();
    try {
      const common = { url: system.url(), publish: system.publish, receivers };
      const load = await createAlertLoad({
        ...common,
        number: 0,
        group: {
          name: 'measured',
          keys: await system.createAccounts(accounts),
          keywords: 10,
          channelsOfAccount: 1,
        },
      });
      const neighbor = await createAlertLoad({
        ...common,
        number: 1,
        group: {
          name: 'neighbors',
          keys: await system.createAccounts(neighbors),
          keywords: 10,
          channelsOfAccount: 2,
        },
      });
      await compareNeighbors({ rounds, load, neighbor, receivers, expectations });
      if (alerts > 0) await sendForMinutes({ alerts, minutes, load, receivers, system, expectations });
    } finally {
      await system.stop();
      receivers.stop();
    }
    process.exitCode = expectations.conclude();
  },
});

type Parts = { load: AlertLoad; receivers: AlertReceivers; expectations: Expectations };

/** The same alerts for the measured accounts and for their neighbors, whose receivers answer in another way each time. */
async function compareNeighbors(parts: Parts & { rounds: number; neighbor: AlertLoad }): Promise<void> {
  const { rounds, load, neighbor, receivers, expectations } = parts;

  async function measure(mode: ReceiverMode) {
    receivers.setMode(neighbor.group.name, mode);
    for (let day = 0; day < daysOfCase; day++) {
      // First, so that their deliveries are before those that are measured.
      await neighbor.publishDay();
      await load.publishDay();
      await sleep(pauseMs);
    }
    const counts = await untilDelivered(receivers, [load.expected]);
    const waits = receivers
      .read()
      .filter(({ to }) => load.expected.has(to))
      .flatMap(({ arrivedAt, events }) => events.map(({ at }) => arrivedAt - at));
    // The next case begins with neighbors that wait for nothing.
    receivers.setMode(neighbor.group.name, 'ok');
    await neighbor.retryNow();
    const all = await untilDelivered(receivers, [load.expected, neighbor.expected]);
    if (!areAllDelivered(all)) expectations.expectThat(false, `${modes[mode]}: ${describeDeliveries(all)}`);
    load.forget();
    neighbor.forget();
    return {
      'p50 ms': quantile(waits, 0.5),
      'p99 ms': quantile(waits, 0.99),
      alerts: waits.length,
      lost: counts.lost,
    };
  }

  const names = Object.keys(modes) as (keyof typeof modes)[];
  const turns = await measureInTurns(
    names.map((mode) => ({ name: modes[mode], measure: () => measure(mode) })),
    {
      rounds,
      columns: { 'p50 ms': { isCompared: true }, 'p99 ms': { isCompared: true }, alerts: {}, lost: {} },
    },
  );
  turns.print('from the alert in the feed to the receiver, while the receivers of other accounts');
  for (const mode of names.slice(1)) {
    const ratio = turns.ratio(modes[mode], 'p99 ms');
    expectations.expectThat(
      ratio <= mostRatio,
      `next to receivers that ${modes[mode]}, the p99 is ${ratio.toFixed(2)} times that next to receivers that answer`,
    );
  }
}

/** Several times: as many alerts in a minute, in even steps, to receivers that answer. Whether memory grows is seen after the first one. */
async function sendForMinutes(
  parts: Parts & { alerts: number; minutes: number; system: AlertsSystem },
): Promise<void> {
  const { alerts, minutes, load, receivers, system, expectations } = parts;
  const ownMiB = () => residentMiB(system.pid(), 'RssAnon');
  const mostMiB: number[] = [];
  const endMiB: number[] = [];
  const heapMiB: number[] = [];
  console.log('');
  for (let minute = 1; minute <= minutes; minute++) {
    const days = Math.ceil(alerts / load.alertsOfDay);
    const before = ownMiB();
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, ownMiB());
    }, 500);
    const startedAt = performance.now();
    for (let day = 0; day < days; day++) {
      await load.publishDay();
      await sleep(Math.max(0, startedAt + ((day + 1) * minuteMs) / days - performance.now()));
    }
    const publishedMs = performance.now() - startedAt;
    const counts = await untilDelivered(receivers, [load.expected]);
    const drainedMs = performance.now() - startedAt - publishedMs;
    clearInterval(watching);
    const heap = await system.heapMiB();
    const after = ownMiB();
    mostMiB.push(most);
    endMiB.push(after);
    heapMiB.push(heap);
    const waits = receivers.read().flatMap(({ arrivedAt, events }) => events.map(({ at }) => arrivedAt - at));
    console.log(
      `minute ${minute}: ${counts.expected} alerts in ${counts.tries} messages over ${(publishedMs / 1000).toFixed(0)} s, the last ${(drainedMs / 1000).toFixed(1)} s later; p50 ${quantile(waits, 0.5)}, p99 ${quantile(waits, 0.99)} ms; memory without files ${before} MiB before, ${most} at most, ${after} after (${residentMiB(system.pid())} with files), heap in use ${heap.toFixed(1)}`,
    );
    expectations.expectThat(areAllDelivered(counts), `minute ${minute}: ${describeDeliveries(counts)}`);
    expectations.expectThat(
      drainedMs <= drainMs,
      `minute ${minute}: all was delivered ${(drainedMs / 1000).toFixed(1)} s after the last page`,
    );
    load.forget();
  }
  const growth = (endMiB.at(-1) ?? 0) - (mostMiB[0] ?? 0);
  expectations.expectThat(
    growth <= mostGrowthMiB,
    `the last minute left ${growth} MiB more than the first one took at most`,
  );
  const heapGrowth = (heapMiB.at(-1) ?? 0) - (heapMiB[0] ?? 0);
  expectations.expectThat(
    heapGrowth <= mostHeapGrowthMiB,
    `after the last minute ${heapGrowth.toFixed(1)} MiB more were in use on the heap than after the first`,
  );
}
