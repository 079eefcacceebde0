import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@shelfwise/runtime/random';
import { createAlertLoad } from './lib/alert-load.ts';
import { startAlertReceivers } from './lib/alert-receivers.ts';
import { areAllDelivered, describeDeliveries, untilDelivered } from './lib/check-deliveries.ts';
import { readOptions } from './lib/options.ts';
import { startAlertsSystem } from './lib/start-alerts-system.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const { rounds, accounts, keywords, seed } = readOptions(
  'npm run alert-kills',
  `Kills npm start, with its database and its bus, and the receivers of its alerts with kill -9 at random moments while ranks change
and alerts are sent, and starts them again. Verifies that each alert came to each of its receivers, under one webhook-id over all
tries, in order, and no other alert. The same apart, on Kafka: npm run faults -- --only 17.`,
  {
    rounds: [6, 'kills; every third one is of the receivers'],
    accounts: [8, 'accounts, each with two channels', [1, 50]],
    keywords: [5, 'keywords whose ranks change', [1, 20]],
    seed: [1, 'of the random moments'],
  },
);
const random = createRandom(seed);
/** Between two days of pages. */
const everyMs = 200;

const folder = temporaryFolder('alert-kills');
const receivers = await startAlertReceivers(join(folder, 'received'));
const system = await startAlertsSystem(join(folder, 'data'));
const load = await createAlertLoad({
  number: 0,
  group: { name: 'all', keys: await system.createAccounts(accounts), keywords, channelsOfAccount: 2 },
  url: system.url(),
  publish: system.publish,
  receivers,
});

let isOver = false;
const publishing = (async () => {
  for (; !isOver; await sleep(everyMs)) await load.publishDay();
})();
for (let round = 1; round <= rounds; round++) {
  await sleep(500 + random.below(3500));
  const killed = round % 3 === 0 ? receivers : system;
  await killed.kill();
  await sleep(random.below(3000));
  await killed.restart();
  console.log(
    `killed ${killed === system ? 'npm start' : 'the receivers'}, ${round} of ${rounds}: ${receivers.read().length} messages so far`,
  );
}
isOver = true;
await publishing;
const endedAt = performance.now();
const counts = await untilDelivered(receivers, [load.expected]);
const seconds = ((performance.now() - endedAt) / 1000).toFixed(1);
const isOk = areAllDelivered(counts);
console.log(
  `${isOk ? 'ok  ' : 'FAIL'} ${describeDeliveries(counts)}; all was there ${seconds} s after the last kill`,
);
await system.stop();
receivers.stop();
process.exit(isOk ? 0 : 1);
