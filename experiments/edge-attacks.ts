import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { type BareFigures, startBareRun } from './lib/bare-run.ts';
import { createExpectations } from './lib/expectations.ts';
import type { FloodCounts, FloodOptions } from './lib/flood.ts';
import { firstMessage, forkProgram } from './lib/fork-program.ts';
import { until } from './lib/main-job-steps.ts';
import { readOptions } from './lib/options.ts';
import { startOtherClient } from './lib/other-client.ts';
import { openDescriptors, readLoopLagMs, residentMiB } from './lib/process-figures.ts';
import { quantile } from './lib/quantile.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const {
  connections: connectionCount,
  'max-mib': maxMiB,
  'metrics-port': metricsPort,
  only,
} = readOptions(
  'npm run edge-attacks',
  `What callers without a key can do to the public port: starts the product, attacks it in several ways, and prints open descriptors,
the longest time for which the event loop was held, memory, and when the server ends connections.`,
  {
    connections: [1000, 'connections of each attack with many'],
    'max-mib': [6000, 'stops opening connections when the product uses more memory than this'],
    'metrics-port': [18_119, 'a free port'],
    only: ['', 'descriptors, loop, memory, times or others'],
  },
);
const bundle = '/docs/swagger-ui-bundle.js';
const document = '/api/v1/openapi.json';
const { expectThat, expectOnMachine, conclude } = createExpectations();
/** The longest that the event loop may be held, in ms. */
const mostHeldMs = 200;
/** Where the operating system takes all answers, a connection is idle, and ends after this time. */
const idleSeconds = 65;
/** For the answers of all connections before, in ms. */
const answersMs = 40_000;
/** How long after its time the server may end a connection, or close files, in ms. */
const mostLateMs = 2000;
/** What a process may open for itself meanwhile, such as a connection of the metrics page. */
const mostOwnDescriptors = 5;
/** How long a flood goes on, in ms, and how often, in turn with a bare server. */
const floodMs = 4000;
const floodRounds = 3;
/** Between two floods, in ms. */
const restMs = 500;
/** How many times slower than a bare server the gateway may be for others. */
const mostTimesBare = 2;
/** The p99 of a burst is its slowest call, which one pause of the machine decides; a person does not notice so short a wait. */
const unnoticedMs = 100;
/** What is too slow is so again; a pause of the machine is not. */
const mostRepetitions = 2;
/** Of the other client, and a few of the floods. */
const mostLogLines = 1000;

type Flood = Omit<FloodOptions, 'port' | 'from'> & { name: string };

const pipelinedPerConnection = 15;
const floods: Flood[] = [
  ...['/api/v1/applications', '/healthz'].flatMap((path): Flood[] => {
    const flood = { path, connections: 300, ms: floodMs, once: false };
    return [
      { ...flood, name: `300 connections, 15 pipelined ${path} each`, pipelined: pipelinedPerConnection },
      { ...flood, name: `300 connections, one ${path} at a time`, pipelined: 1 },
    ];
  }),
  {
    name: `a burst of 510 KB over ${connectionCount} connections`,
    // 34 bytes each.
    path: '/pages/x',
    connections: connectionCount,
    pipelined: pipelinedPerConnection,
    ms: 15_000,
    once: true,
  },
];

const attacks: Record<string, () => Promise<void>> = {
  descriptors: leakDescriptors,
  loop: holdLoop,
  memory: fillMemory,
  times: exceedTimes,
  others: slowOthers,
};
const dataDir = temporaryFolder('edge');
const system = await startSystemProcess({
  SHELFWISE_DATA_DIR: dataDir,
  METRICS_PORT: String(metricsPort),
  // Each connection may claim an address of its own.
  TRUST_PROXY: '1',
  LOG_LEVEL: 'fatal',
});
const { url, pid } = system;
try {
  for (const [name, attack] of Object.entries(attacks)) {
    if (only !== '' && only !== name) continue;
    console.log(`\n# ${name}`);
    await attack();
  }
} finally {
  await system.end('SIGKILL');
}
process.exitCode = conclude();

async function leakDescriptors(): Promise<void> {
  const before = openDescriptors(pid);
  const bareRun = await startBareRun();
  const { socket } = await openRawConnection(url, pipelined(bundle, 1000), { reads: true });
  await sleep(300);
  socket.destroy();
  const countLeft = () => openDescriptors(pid) - before;
  const seconds = await until(async () => countLeft() <= 2);
  const bare = await bareRun.stop();
  expectThat(
    seconds !== null,
    `${countLeft()} descriptors left by 1,000 pipelined GET ${bundle} and a close`,
  );
  expectEnd('they are closed', { seconds, limitSeconds: 0, bare });
}

async function holdLoop(): Promise<void> {
  await watchLoop('nothing, for comparison', () => sleep(4000));
  await watchLoop(`1,300 pipelined GET ${document} on one connection`, async () => {
    const { socket } = await openRawConnection(url, pipelined(document, 1300), { reads: true });
    await sleep(4000);
    socket.destroy();
  });
  await watchLoop(`${connectionCount} connections with 16 pipelined GET /healthz each`, async () => {
    const opened = await openAll((address) => pipelined('/healthz', 16, address), true);
    await sleep(3000);
    closeAll(opened);
  });
  for (const path of [document, bundle])
    await watchLoop(`${connectionCount} connections that do not read 16 answers of ${path}`, async () => {
      const opened = await openAll((address) => pipelined(path, 16, address), false);
      await sleep(3000);
      closeAll(opened);
    });
}

/** How long it holds the loop is not judged here, because all attacks that wait may run next to other work: see `holdLoop`. */
async function fillMemory(): Promise<void> {
  for (const path of [document, bundle])
    for (const addresses of ['one address', 'as many addresses']) {
      const isMany = addresses !== 'one address';
      console.log(
        `  ${connectionCount} connections from ${addresses} that do not read 16 answers of ${path}`,
      );
      const bareRun = await startBareRun();
      const before = residentMiB(pid);
      let most = before;
      const descriptors = openDescriptors(pid);
      const startedAt = performance.now();
      const opened = await openAll((address) => pipelined(path, 16, isMany ? address : undefined), false);
      const haveEnded = () => openDescriptors(pid) <= descriptors + mostOwnDescriptors;
      // The operating system takes all answers to one address, because they are few and small.
      const isWatched = () => isMany || performance.now() < startedAt + 45_000;
      const seconds = await until(async () => {
        most = Math.max(most, residentMiB(pid));
        return haveEnded() || !isWatched();
      });
      const left = Math.max(0, openDescriptors(pid) - descriptors);
      closeAll(opened);
      const bare = await bareRun.stop();
      console.log(`  ${left} connections are left after ${seconds} s`);
      if (isMany)
        expectEnd('the connections end', { seconds, limitSeconds: idleSeconds, lateMs: answersMs, bare });
      expectThat(most - before < 400, `memory grew by ${most - before} MiB, from ${before} to ${most} MiB`);
      await sleep(3000);
    }
}

/**
 * One address floods; another one calls. The same against a bare server, in turn, so that both have the same machine. The
 * gateway sees both clients itself: no proxy is trusted.
 */
async function slowOthers(): Promise<void> {
  const own = await startSystemProcess({ SHELFWISE_DATA_DIR: join(dataDir, 'others'), LOG_LEVEL: 'info' });
  const bareServer = forkProgram(new URL('lib/bare-server.mjs', import.meta.url));
  try {
    const bareUrl = `http://127.0.0.1:${await firstMessage<number>(bareServer)}`;
    for (const flood of floods) {
      let speed = await compareWithBare(bareUrl, own.url, flood);
      for (let again = 0; !isFast(speed) && again < mostRepetitions; again++)
        speed = await compareWithBare(bareUrl, own.url, flood);
      const { bareP99, productP99 } = speed;
      expectThat(
        isFast(speed),
        `another client's p99 is ${(productP99 / bareP99).toFixed(2)} times that of a bare server: ${productP99.toFixed(0)} ms`,
      );
    }
    const lines = own
      .output()
      .split('\n')
      .filter((line) => line.includes('"request"')).length;
    expectThat(lines < mostLogLines, `${lines} log lines of all floods`);
  } finally {
    bareServer.disconnect();
    await own.end('SIGKILL');
  }
}

type Speed = { bareP99: number; productP99: number };

function isFast({ bareP99, productP99 }: Speed): boolean {
  return productP99 <= Math.max(mostTimesBare * bareP99, unnoticedMs);
}

async function compareWithBare(bareUrl: string, ownUrl: string, { name, ...flood }: Flood): Promise<Speed> {
  const bare: Attacked[] = [];
  const product: Attacked[] = [];
  for (let round = 0; round < floodRounds; round++) {
    bare.push(await attackOne(bareUrl, flood));
    product.push(await attackOne(ownUrl, flood));
  }
  console.log(`  ${name}`);
  return { bareP99: print('a bare server', bare), productP99: print('the gateway', product) };
}

type Attacked = { times: number[]; failed: number; counts: FloodCounts };

async function attackOne(url: string, flood: Omit<FloodOptions, 'port' | 'from'>): Promise<Attacked> {
  const options: FloodOptions = { ...flood, port: Number(new URL(url).port), from: '127.0.0.1' };
  const attacker = forkProgram(new URL('lib/flood.ts', import.meta.url), JSON.stringify(options));
  await firstMessage(attacker);
  const client = startOtherClient({ url: `${url}/healthz`, from: '127.0.0.2', everyMs: 10 });
  const counts = await firstMessage<FloodCounts>(attacker);
  const measured = await client.stop();
  await sleep(restMs);
  return { ...measured, counts };
}

/** Prints the figures of all rounds together, and returns the p99. */
function print(who: string, rounds: readonly Attacked[]): number {
  const times = rounds.flatMap((round) => round.times);
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(times, part));
  const sum = (count: keyof FloodCounts) => rounds.reduce((total, { counts }) => total + counts[count], 0);
  const ms = (value = Number.NaN) => `${value.toFixed(1)} ms`;
  console.log(
    `    ${who}: p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)} of ${times.length} calls (${failed} failed); ${sum('answered')} of ${sum('sent')} requests of the flood answered, ${sum('opened')} connections`,
  );
  return p99 ?? Number.NaN;
}

async function exceedTimes(): Promise<void> {
  const head = 'POST /api/v1/metadata/check HTTP/1.1\r\nHost: x\r\n';
  const body = `${head}X-API-Key: ${system.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const bareRun = await startBareRun();
  const cases: [string, string, number][] = [
    ['half of its headers', head, 10],
    ['half of its body', body, 30],
    ['nothing', '', 10],
  ];
  const ended = await Promise.all(
    cases.map(async ([what, bytes, limitSeconds]) => {
      const { socket } = await openRawConnection(url, bytes, { reads: true });
      const seconds = await until(async () => socket.readyState !== 'open');
      socket.destroy();
      return { what, limitSeconds, seconds };
    }),
  );
  const bare = await bareRun.stop();
  for (const { what, limitSeconds, seconds } of ended)
    expectEnd(`a connection that sends ${what} ends`, { seconds, limitSeconds, bare });
}

/** Something comes to its end, in time. @param seconds after which it did; null: it never did */
function expectEnd(
  what: string,
  end: { seconds: number | null; limitSeconds: number; lateMs?: number; bare: BareFigures },
): void {
  const { seconds, limitSeconds, lateMs = mostLateMs, bare } = end;
  const text = `${what} after ${seconds} s`;
  if (seconds === null) expectThat(false, text);
  else {
    const isMet = 1000 * seconds < 1000 * limitSeconds + lateMs;
    expectOnMachine({ isMet, limitMs: lateMs, bare }, text);
  }
}

async function watchLoop(what: string, attack: () => Promise<void>): Promise<void> {
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const bareRun = await startBareRun();
  await readLoopLagMs(metricsUrl);
  await attack();
  const heldMs = await readLoopLagMs(metricsUrl);
  const bare = await bareRun.stop();
  const text = `the event loop was held ${heldMs} ms by ${what}`;
  expectOnMachine({ isMet: heldMs < mostHeldMs, limitMs: mostHeldMs, bare, figure: 'held' }, text);
}

/** Opens the connections in batches, each with an address of its own. */
async function openAll(bytesFrom: (address: string) => string, reads: boolean): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  while (opened.length < connectionCount && residentMiB(pid) < maxMiB) {
    const numbers = Array.from(
      { length: Math.min(50, connectionCount - opened.length) },
      (_, index) => opened.length + index,
    );
    const addresses = numbers.map((number) => `10.0.${number >> 8}.${number & 255}`);
    opened.push(
      ...(await Promise.all(
        addresses.map((address) => openRawConnection(url, bytesFrom(address), { reads })),
      )),
    );
  }
  return opened;
}

function closeAll(opened: RawConnection[]): void {
  for (const { socket } of opened) socket.destroy();
}

type RawConnection = { socket: Socket };

/** Opens a connection that sends these bytes. `reads: false`: it takes none of the answers. */
async function openRawConnection(
  url: string,
  bytes: string,
  { reads }: { reads: boolean },
): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A refused or reset connection is a result of the attack, not a failure of the script.
  socket.on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  await new Promise<void>((resolve) => {
    socket.once('connect', () => socket.write(bytes, () => resolve()));
    socket.once('close', () => resolve());
  });
  return { socket };
}

/** The same GET request many times in a row, from this address when the server trusts one proxy. */
function pipelined(path: string, count: number, address = '203.0.113.1'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(count);
}
