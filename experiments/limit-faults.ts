import { setTimeout as sleep } from 'node:timers/promises';
import { type BareFigures, startBareRun } from './lib/bare-run.ts';
import { createExpectations } from './lib/expectations.ts';
import {
  type Account,
  type AttackedGateway,
  callAtRate,
  callGateway,
  type LimitedCall,
  startGatewaysOnRedis,
} from './lib/gateways-on-redis.ts';
import { noFailedCall } from './lib/judge-on-machine.ts';
import { mostTimesWithin, mostWithin } from './lib/most-within.ts';
import { readOptions } from './lib/options.ts';
import { quantile } from './lib/quantile.ts';

const { seconds, 'answer-ms': answerMs } = readOptions(
  'npm run limit-faults',
  `The limits under attack and faults: what two gateways on one Redis admit, while Redis works, freezes, dies, comes back empty, is slow,
or loses connections. Prints a figure for each. Starts a redis-server of its own.`,
  {
    seconds: [66, 'of the attack'],
    'answer-ms': [
      50,
      'how long the gateways wait for Redis, as in the product. On a busy machine Redis may take longer',
    ],
  },
);

const { expectThat, expectOnMachine, conclude } = createExpectations();
/** What the median may grow by when each way is 10 ms longer. */
const mostAddedMs = 40;
const system = await startGatewaysOnRedis({ count: 3, answerMs });
const [one, other, ahead] = system.gateways as [AttackedGateway, AttackedGateway, AttackedGateway];
const pair = [one, other];
try {
  await callAtRate(system.gateways, await system.createAccounts(20), { perSecond: 40, seconds: 2 });
  const calm = await callAtRate(pair, await system.createAccounts(100), { perSecond: 60, seconds: 3 });
  const calmMs = quantile(timesOf(calm), 0.99);
  console.log(`# without faults: p50 ${format(quantile(timesOf(calm), 0.5))}, p99 ${format(calmMs)}`);
  const limitMs = answerMs + 50 + calmMs;
  await attackBothPairs();
  await freeze(limitMs);
  await timeOut();
  await killAndEmpty(limitMs);
  await slowAndReset();
} finally {
  await system.stop();
}
process.exitCode = conclude();

/** Rows 1 and 2 at the same time: an account at two gateways with the same clock, and one at two 800 ms apart. */
async function attackBothPairs(): Promise<void> {
  const localBefore = await countLocal();
  const [same = never(), apart = never()] = await system.createAccounts(2);
  const [admittedSame, admittedApart] = await Promise.all([
    attack([one, other], same),
    attack([one, ahead], apart),
  ]);
  const local = (await countLocal()) - localBefore;
  console.log(
    `# attack for ${seconds} s: floods, bursts at the edges of clock seconds, calls as soon as there is room`,
  );
  report('two gateways', admittedSame);
  report('two gateways with clocks 800 ms apart', admittedApart);
  console.log(`  ${local} decisions without Redis`);

  function report(name: string, times: readonly number[]): void {
    const [second, minute] = [mostTimesWithin(times, 1000), mostTimesWithin(times, 60_000)];
    console.log(`  ${name}: ${times.length} admitted, at most ${second} in any 1 s, ${minute} in any 60 s`);
    expectThat(second <= 5 && minute <= 59, `${name}: never more than 5 in 1 s and 59 in 60 s`);
  }
}

/** Returns the times of all admitted calls, on Redis's clock. */
async function attack(gateways: readonly AttackedGateway[], account: Account): Promise<number[]> {
  const endMs = performance.now() + seconds * 1000;
  const isOver = () => performance.now() >= endMs;
  const seen = new Set<number>();
  async function watch(): Promise<void> {
    while (!isOver()) {
      for (const time of await system.readAdmitted(account)) seen.add(time);
      await sleep(500);
    }
    for (const time of await system.readAdmitted(account)) seen.add(time);
  }
  async function flood(gateway: AttackedGateway): Promise<void> {
    while (!isOver()) {
      await callGateway(gateway, account);
      await sleep(10);
    }
  }
  async function burstAtEdges(gateway: AttackedGateway): Promise<void> {
    while (!isOver()) {
      await sleep(1000 - (Date.now() % 1000) - 20);
      await Promise.all(Array.from({ length: 6 }, () => callGateway(gateway, account)));
      await sleep(40);
      await Promise.all(Array.from({ length: 6 }, () => callGateway(gateway, account)));
    }
  }
  async function callWhenThereIsRoom(gateway: AttackedGateway): Promise<void> {
    while (!isOver()) await sleep((await callGateway(gateway, account)).retryAfterMs);
  }
  const attackers = [flood, burstAtEdges, callWhenThereIsRoom];
  await Promise.all([
    watch(),
    ...gateways.flatMap((gateway) => attackers.map((attacker) => attacker(gateway))),
  ]);
  return [...seen];
}

/** Row 3. */
async function freeze(limitMs: number): Promise<void> {
  const calm = await system.createAccounts(120);
  const [attacked = never()] = await system.createAccounts(1);
  const load = { perSecond: 60, seconds: 8 };
  const bareRun = await startBareRun();
  const running = callAtRate(pair, calm, load);
  await sleep(1000);
  const frozenMs = performance.now();
  system.server.freeze();
  const flooded: LimitedCall[] = [];
  while (performance.now() < frozenMs + 5000) {
    flooded.push(...(await Promise.all(pair.map((gateway) => callGateway(gateway, attacked)))));
    await sleep(20);
  }
  system.server.thaw();
  await untilAvailable(pair);
  const backMs = performance.now() - frozenMs - 5000;
  const calls = (await running).filter(({ answeredAt }) => answeredAt >= frozenMs);
  const bare = await bareRun.stop();
  const times = timesOf([...calls, ...flooded]);
  const admitted = flooded.filter(({ status }) => status === 200);
  console.log('\n# Redis frozen for 5 s');
  console.log(
    `  ${times.length} answers, p99 ${format(quantile(times, 0.99))}, slowest ${format(Math.max(...times))}`,
  );
  console.log(
    `  an attacker was admitted at most ${mostWithin(admitted, 1000)} times in 1 s, ${admitted.length} in all`,
  );
  console.log(`  shared decisions again after ${format(backMs)}`);
  expectAnswered(calls, bare);
  expectP99(times, limitMs, bare);
  expectThat(mostWithin(admitted, 1000) <= 10, 'at most gateways x limit');
}

/** Row 6. */
async function timeOut(): Promise<void> {
  const accounts = await system.createAccounts(100);
  for (const account of accounts) await callGateway(one, account);
  system.server.freeze();
  const answers = await Promise.all(accounts.map((account) => callGateway(one, account)));
  const later = await Promise.all(accounts.map((account) => callGateway(one, account)));
  system.server.thaw();
  await untilAvailable(pair);
  let counted = 0;
  for (const account of accounts) counted += (await system.readAdmitted(account)).length - 1;
  const admitted = [...answers, ...later].filter(({ status }) => status === 200).length;
  console.log('\n# 100 decisions in flight when Redis freezes, and 100 after them');
  console.log(
    `  ${admitted} admitted by the gateway alone; Redis counted ${counted} of them when it was back`,
  );
  expectThat(admitted === 200, 'all were admitted');
  expectThat(counted <= 100, 'Redis counts no more than were in flight');
}

/** Row 4. */
async function killAndEmpty(limitMs: number): Promise<void> {
  const [spender = never(), ...calm] = await system.createAccounts(121);
  const bareRun = await startBareRun();
  const running = Promise.all([
    callAtRate(pair, calm, { perSecond: 60, seconds: 8 }),
    callAtRate(pair, [spender], { perSecond: 0.9, seconds: 8 }),
  ]);
  await sleep(2000);
  await system.server.kill();
  const killedMs = performance.now();
  await sleep(3000);
  await system.server.restart();
  const restartedMs = performance.now();
  await untilAvailable(pair);
  const backMs = performance.now() - restartedMs;
  const [calls, spent] = await running;
  const bare = await bareRun.stop();
  const after = [...calls, ...spent].filter(({ answeredAt }) => answeredAt >= killedMs);
  const times = timesOf(after);
  const admitted = spent.filter(({ status }) => status === 200).length;
  const [stored, copy] = [await system.readSpent(spender), await system.readCopy(spender)];
  console.log('\n# Redis killed for 3 s, back empty');
  console.log(
    `  p99 ${format(quantile(times, 0.99))}, slowest ${format(Math.max(...times))}; shared decisions again ${format(backMs)} after its start`,
  );
  console.log(`  quota: ${admitted} admitted, ${stored} in the database, ${copy} in the copy`);
  expectAnswered(after, bare);
  expectP99(times, limitMs, bare);
  expectThat(stored === admitted && copy === stored, 'the quota is exact, and so is its copy');
}

function expectAnswered(calls: readonly LimitedCall[], bare: BareFigures): void {
  const failed = calls
    .filter(({ status }) => status !== 200)
    .map(({ status, sentAt, answeredAt }) => ({ status, ms: answeredAt - sentAt }));
  expectOnMachine(
    noFailedCall(failed, bare),
    `every call below its limits was answered 200 (${failed.length} not)`,
  );
}

function expectP99(times: readonly number[], limitMs: number, bare: BareFigures): void {
  const isMet = quantile(times, 0.99) <= limitMs;
  expectOnMachine({ isMet, limitMs, bare }, `p99 is at most the calm one, ${answerMs} and 50 ms`);
}

/** Row 5. */
async function slowAndReset(): Promise<void> {
  const bareRun = await startBareRun();
  const before = await measure('without faults');
  for (const { proxy } of pair) Object.assign(proxy.faults, { delayMs: 10 });
  const slow = await measure('20 ms more for each call');
  const bare = await bareRun.stop();
  for (const { proxy } of pair) Object.assign(proxy.faults, { resetShare: 0.01 });
  await measure('20 ms more, and 1 % of the calls reset the connection');
  for (const { proxy } of pair) Object.assign(proxy.faults, { delayMs: 0, resetShare: 0 });
  await untilAvailable(pair);
  expectOnMachine(
    { isMet: slow < before + mostAddedMs, limitMs: mostAddedMs, bare },
    'the median grows by no more than two delays',
  );

  async function measure(name: string): Promise<number> {
    const accounts = await system.createAccounts(100);
    const localBefore = await countLocal();
    const calls = await callAtRate(pair, accounts, { perSecond: 50, seconds: 10 });
    const local = (await countLocal()) - localBefore;
    await untilAvailable(pair);
    const admitted = calls.filter(({ status }) => status === 200).length;
    let [stored, counted] = [0, 0];
    for (const account of accounts) {
      stored += await system.readSpent(account);
      counted += (await system.readAdmitted(account)).length;
    }
    const times = timesOf(calls);
    const p99 = quantile(times, 0.99);
    console.log(`\n# ${name}`);
    console.log(
      `  p50 ${format(quantile(times, 0.5))}, p99 ${format(p99)}, slowest ${format(Math.max(...times))}`,
    );
    console.log(
      `  ${admitted} admitted, ${local} of them without Redis; Redis counted ${counted}, the database ${stored}`,
    );
    expectThat(stored === admitted, 'the database counts each call once');
    expectThat(counted <= admitted && counted >= admitted - local, 'Redis counts no call twice');
    return quantile(times, 0.5);
  }
}

async function untilAvailable(gateways: readonly AttackedGateway[]): Promise<void> {
  while (!gateways.every(({ redis }) => redis.isAvailable())) await sleep(5);
}

async function countLocal(): Promise<number> {
  const counts = await Promise.all(system.gateways.map(({ localDecisions }) => localDecisions()));
  return counts.reduce((sum, count) => sum + count, 0);
}

function timesOf(calls: readonly LimitedCall[]): number[] {
  return calls.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
}

function format(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}

function never(): never {
  throw new Error('an account is missing');
}
