/**
 * What callers without a key can do to the public port: starts the product, attacks it in several ways, and prints open
 * descriptors, the longest time for which the event loop was held, memory, and when the server ends connections.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { createExpectations } from './lib/expectations.ts';
import { readLoopLagMs } from './lib/loop-lag.ts';
import { openDescriptors, residentMiB } from './lib/process-figures.ts';
import { openRawConnection, pipelined, type RawConnection } from './lib/raw-connection.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    'max-mib': { type: 'string', default: '6000' },
    'metrics-port': { type: 'string', default: '18119' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(`Usage: npm run edge-attacks -- [--connections 1000] [--max-mib 6000] [--metrics-port 18119] [--only NAME]

  --connections N   connections of each attack with many
  --max-mib N       stops opening connections when the product uses more memory than this
  --metrics-port N  a free port
  --only NAME       descriptors, loop, memory or times`);
  process.exit(0);
}
const connectionCount = Number(values.connections);
const maxMiB = Number(values['max-mib']);
const metricsPort = values['metrics-port'];
const bundle = '/docs/swagger-ui-bundle.js';
const document = '/api/v1/openapi.json';
const { expectThat, conclude } = createExpectations();

const attacks: Record<string, () => Promise<void>> = {
  descriptors: leakDescriptors,
  loop: holdLoop,
  memory: fillMemory,
  times: exceedTimes,
};
const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-edge-'));
const system = await startSystemProcess({
  SHELFWISE_DATA_DIR: dataDir,
  METRICS_PORT: metricsPort,
  // Each connection may claim an address of its own.
  TRUST_PROXY: '1',
  LOG_LEVEL: 'fatal',
});
const { url, pid } = system;
try {
  for (const [name, attack] of Object.entries(attacks)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`\n# ${name}`);
    await attack();
  }
} finally {
  await system.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = conclude();

async function leakDescriptors(): Promise<void> {
  const before = openDescriptors(pid);
  const { socket } = await openRawConnection(url, pipelined(bundle, 1000), { reads: true });
  await sleep(300);
  socket.destroy();
  await sleep(3000);
  const left = openDescriptors(pid) - before;
  expectThat(left <= 2, `${left} descriptors left by 1,000 pipelined GET ${bundle} and a close`);
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
}

async function fillMemory(): Promise<void> {
  for (const path of [document, bundle])
    for (const addresses of ['one address', 'as many addresses']) {
      const isMany = addresses !== 'one address';
      const what = `${connectionCount} connections from ${addresses} that do not read 16 answers of ${path}`;
      const before = residentMiB(pid);
      let most = before;
      await watchLoop(what, async () => {
        const descriptors = openDescriptors(pid);
        const startedAt = performance.now();
        const opened = await openAll((address) => pipelined(path, 16, isMany ? address : undefined), false);
        // Where the operating system takes all answers, a connection is idle, and ends after 65 s.
        const atMost = isMany ? 105 : 45;
        let seconds = 0;
        for (; seconds < atMost; seconds = (performance.now() - startedAt) / 1000) {
          most = Math.max(most, residentMiB(pid));
          if (openDescriptors(pid) < descriptors + connectionCount / 100) break;
          await sleep(500);
        }
        const left = Math.max(0, openDescriptors(pid) - descriptors);
        // The operating system takes all answers to one address: they are few and small.
        expectThat(
          !isMany || left < connectionCount / 100,
          `${left} are left after ${Math.round(seconds)} s`,
        );
        closeAll(opened);
      });
      expectThat(most - before < 400, `memory grew by ${most - before} MiB, from ${before} to ${most} MiB`);
      await sleep(3000);
    }
}

async function exceedTimes(): Promise<void> {
  const head = 'POST /api/v1/metadata/check HTTP/1.1\r\nHost: x\r\n';
  const body = `${head}X-API-Key: ${system.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const cases: [string, string, number][] = [
    ['half of its headers', head, 10],
    ['half of its body', body, 30],
    ['nothing', '', 10],
  ];
  await Promise.all(
    cases.map(async ([what, bytes, limitSeconds]) => {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1000;
      const { socket } = await openRawConnection(url, bytes, { reads: true });
      while (socket.readyState === 'open' && seconds() < 65) await sleep(100);
      const endedAfter = seconds();
      socket.destroy();
      expectThat(
        endedAfter < limitSeconds + 2,
        `a connection that sends ${what} ended after ${endedAfter.toFixed(1)} s`,
      );
    }),
  );
}

async function watchLoop(what: string, attack: () => Promise<void>): Promise<void> {
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  await readLoopLagMs(metricsUrl);
  await attack();
  const heldMs = await readLoopLagMs(metricsUrl);
  expectThat(heldMs < 200, `the event loop was held ${heldMs} ms by ${what}`);
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
