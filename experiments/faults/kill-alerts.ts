import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createAlertLoad, type Publish } from '../lib/alert-load.ts';
import { startAlertReceivers } from '../lib/alert-receivers.ts';
import { areAllDelivered, describeDeliveries, untilDelivered } from '../lib/check-deliveries.ts';
import { createAccounts } from '../lib/create-accounts.ts';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import { countListens, untilListening } from '../lib/rolling-restart.ts';
import type { Engines } from './engines.ts';
import { openKafkaBus } from './kafka-bus.ts';
import type { FindingRow } from './report.ts';
import type { FaultySystem } from './systems.ts';

const accounts = 8;
const keywords = 5;
/** Between two days of pages. */
const everyMs = 500;
/** Before each kill. */
const calmMs = 5000;

/**
 * Row 17. Ranks change all the time, and the alerts go to two receivers of each account, while notify, the receivers, the database and
 * Kafka are killed in turn. Counts what receivers got against the pages that were published.
 */
export async function killAlerts({
  faulty,
  engines,
  folder,
}: {
  faulty: FaultySystem;
  engines: Engines;
  folder: string;
}): Promise<FindingRow> {
  const { system, prefix } = faulty;
  const { MONGODB_URI: uri, KAFKA_BROKERS: brokers } = engines.settings;
  const receivers = await startAlertReceivers(join(folder, 'received'));
  const connection = await mongoose
    .createConnection(uri, { dbName: `${prefix}alert_load`, autoIndex: false, autoCreate: false })
    .asPromise();
  const bus = openKafkaBus('alert-load', { brokers, prefix, connection });
  const publish: Publish = async (events) => {
    // A broker that does not answer may have stored them: the ids stay.
    while (
      !(await bus.publish(events).then(
        () => true,
        () => false,
      ))
    )
      await sleep(200);
  };
  const kills: readonly (() => Promise<void>)[] = [
    async () => {
      const listening = countListens(system, 'notify');
      const pids = system.pidsOf('notify');
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await untilListening(system, 'notify', listening + pids.length);
    },
    async () => {
      await receivers.kill();
      await sleep(3000);
      await receivers.restart();
    },
    () => killEngine(engines.database, 5000),
    () => killEngine(engines.kafka, 10_000),
  ];
  try {
    const load = await createAlertLoad({
      number: 0,
      group: {
        name: 'all',
        keys: await createAccounts(uri, accounts, prefix),
        keywords,
        channelsOfAccount: 2,
      },
      url: system.urls[0] ?? '',
      publish,
      receivers,
    });
    let isOver = false;
    const publishing = (async () => {
      for (; !isOver; await sleep(everyMs)) await load.publishDay();
    })();
    for (const kill of kills) {
      await sleep(calmMs);
      await kill();
    }
    await sleep(calmMs);
    isOver = true;
    await publishing;
    const endedAt = performance.now();
    const counts = await untilDelivered(receivers, [load.expected]);
    const seconds = ((performance.now() - endedAt) / 1000).toFixed(1);
    return {
      row: 17,
      name: 'alerts under way: notify (both copies), their receivers, the database and Kafka killed in turn',
      finding: {
        text: `${describeDeliveries(counts)}; all was there ${seconds} s after the last page`,
        outcome: outcomeOf(areAllDelivered(counts)),
      },
    };
  } finally {
    await bus.stop();
    await connection.close();
    receivers.stop();
  }
}

async function killEngine(engine: Engines['kafka'], awayMs: number): Promise<void> {
  engine.kill();
  await sleep(awayMs);
  await engine.restart();
}
