/**
 * What refused calls cost: calls with a large body above the rate, compared with admitted ones in the same run, and a
 * flood of invalid keys, with the look-ups that reach the database and the time that a valid key waits for its own.
 *
 * The load generator, the database and the services run in separate processes; the CPU time is that of the gateway.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGateway } from '@shelfwise/gateway/gateway';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createClientsOf, gatewayDefaults } from './lib/gateway-defaults.ts';
import type { LoadOrder, LoadResult } from './lib/gateway-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(
    'Usage: node --import tsx --conditions=shelfwise-source experiments/refused-times.ts [--seconds 4] [--connections 32]',
  );
  process.exit(0);
}
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const bodyBytes = 250 * 1024;
/** A key may make 59 calls a minute. */
const keyCount = 1000;

const startChild = (file: string) => fork(fileURLToPath(new URL(`./lib/${file}`, import.meta.url)));
const load = startChild('gateway-load.ts');
const services = startChild('gateway-services.ts');
const [{ address, mongodbUri }] = (await once(services, 'message')) as [
  { address: string; mongodbUri: string },
];

const logger = createLogger({ name: 'refused-times', level: 'silent', destination: process.stderr });
const connection = await connectMongo({ uri: mongodbUri, database: 'refused_times', logger });
const { clients, close } = createClientsOf(address);
const gateway = createGateway({
  ...gatewayDefaults,
  connection,
  isDatabaseEmbedded: true,
  clients,
  logger,
  metrics: createMetrics(),
});
await gateway.start();
const { port } = gateway.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/api/v1/applications`;

const keys: string[] = [];
for (let index = 0; index < keyCount; index++)
  keys.push((await gateway.accounts.create({ email: `a${index}@example.com`, plan: 'unlimited' })).key);
const [slowKey = '', ...fastKeys] = keys;

const path = '/api/v1/applications';
console.log(`bodies of ${bodyBytes / 1024} KiB, ${connections} connections`);
await measure('warm-up', { port, path, keys: fastKeys, bodyBytes }, 1);
const admitted = await measure('admitted, answered 400', { port, path, keys: fastKeys, bodyBytes });
const refused = await measure('refused by a rate window', { port, path, keys: [slowKey], bodyBytes });
console.log(`refused / admitted: ${(refused / admitted).toFixed(2)} of the CPU\n`);
await measure('refused, without a body', { port, path, keys: [slowKey] });

const probing = probeWithValidKeys();
await measure('invalid keys from one address', { port, path, keys: 'invalid' });
await probing.print();

for (const child of [load, services]) await stop(child);
await gateway.stop();
close();
await connection.close();

/** Prints one row and returns the CPU time of a call in us. */
async function measure(
  name: string,
  target: Pick<LoadOrder, 'port' | 'path' | 'keys' | 'bodyBytes'>,
  forSeconds = seconds,
): Promise<number> {
  const cpuBefore = process.cpuUsage();
  load.send({ ...target, connections, seconds: forSeconds } satisfies LoadOrder);
  const [result] = (await once(load, 'message')) as [LoadResult];
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMicros = (user + system) / result.count;
  const statuses = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `${name.padEnd(30)} ${Math.round(cpuMicros)} us CPU  ${Math.round(result.count / result.seconds)}/s  ${statuses.join(', ')}`,
  );
  return cpuMicros;
}

/** Calls with valid keys that are not cached, one at a time, and counts the look-ups of the database meanwhile. */
function probeWithValidKeys() {
  let lookups = 0;
  const accounts = connection.models.Account?.collection;
  if (!accounts) throw new Error('the accounts have no model');
  for (const name of ['findOne', 'find'] as const) {
    const method = accounts[name].bind(accounts) as (...args: unknown[]) => unknown;
    Object.assign(accounts, {
      [name]: (...args: unknown[]) => {
        lookups++;
        return method(...args);
      },
    });
  }
  const latenciesMs: number[] = [];
  let isEnding = false;
  const done = (async () => {
    for (const key of fastKeys) {
      if (isEnding) return;
      const startedMs = performance.now();
      await fetch(url, { headers: { 'x-api-key': key } }).then((answer) => answer.text());
      latenciesMs.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async print() {
      isEnding = true;
      await done;
      latenciesMs.sort((a, b) => a - b);
      const at = (part: number) => (latenciesMs[Math.floor((latenciesMs.length - 1) * part)] ?? 0).toFixed(0);
      console.log(`  ${lookups} look-ups; a valid key meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
