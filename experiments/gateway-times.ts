/**
 * The cost of the gateway, compared with a bare node:http answer in the same run: trust the ratios, not the times.
 *
 * The load generator and the services run in separate processes; the CPU time is that of the answering process. Each
 * case runs twice; the first run warms up.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClients } from '@shelfwise/gateway/clients';
import { createGateway } from '@shelfwise/gateway/gateway';
import { builtInPlans } from '@shelfwise/gateway/plans/plans';
import type { ServiceAddress } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createEmptyTracking } from './lib/empty-tracking.ts';
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
    'Usage: node --import tsx --conditions=source experiments/gateway-times.ts [--seconds 4] [--connections 32]',
  );
  process.exit(0);
}
const seconds = Number(values.seconds);
const connections = Number(values.connections);
/** A key may make 5 calls per second, so that 1,000 keys allow 5,000. */
const keyCount = 1000;

const startChild = (file: string) => fork(fileURLToPath(new URL(`./lib/${file}`, import.meta.url)));
const load = startChild('gateway-load.ts');
const services = startChild('gateway-services.ts');
const [{ address, mongodbUri }] = (await once(services, 'message')) as [
  { address: string; mongodbUri: string },
];

const body = '{"data":[],"meta":{"total":0}}';
const bare = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));

const logger = createLogger({ name: 'gateway-times', level: 'silent', destination: process.stderr });
const fast = await startGateway(process.versions.node, address);
// From Node 24 on the gateway uses the stock request and response classes.
const slow = await startGateway('24.0.0', address);
const tracking = createEmptyTracking();
await tracking.listen(null);
const allInOne = await startGateway(process.versions.node, tracking.inProcess);
const keys = await createKeys();

const path = '/api/v1/applications';
const base = await measure('bare node:http', { port: (bare.address() as AddressInfo).port, path, keys: [] });
await measure('Express, /healthz', { port: fast.port, path: '/healthz', keys: [] }, base);
await measure('the same with stock classes', { port: slow.port, path: '/healthz', keys: [] }, base);
await measure('refused: no key', { port: fast.port, path, keys: [] }, base);
await measure('the full pipeline, one service call', { port: fast.port, path, keys }, base);
await measure('the same with stock classes', { port: slow.port, path, keys }, base);
await measure('the service in the same process', { port: allInOne.port, path, keys }, base);

for (const child of [load, services]) await stop(child);
await fast.stop();
await slow.stop();
await allInOne.stop();
bare.close();

async function startGateway(nodeVersion: string, service: ServiceAddress) {
  const connection = await connectMongo({ uri: mongodbUri, database: 'gateway_times', logger });
  const { clients, close } = createClients({
    tracking: service,
    scoring: service,
    storeFetch: service,
    niche: service,
    chart: service,
  });
  const gateway = createGateway({
    connection,
    isDatabaseEmbedded: true,
    clients,
    plans: builtInPlans,
    logger,
    metrics: createMetrics(),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    port: 0,
    maxConnections: 10_000,
    trustProxy: false,
    shownSettings: {},
    nodeVersion,
  });
  await gateway.start();
  const { port } = gateway.address() as AddressInfo;
  const stop = async () => {
    await gateway.stop();
    close();
    await connection.close();
  };
  return { gateway, port, stop };
}

async function createKeys(): Promise<string[]> {
  const created: string[] = [];
  for (let index = 0; index < keyCount; index++) {
    const { key } = await fast.gateway.accounts.create({ email: `a${index}@example.com`, plan: 'unlimited' });
    created.push(key);
  }
  return created;
}

type Measured = { perSecond: number; cpuMicros: number };

async function measure(
  name: string,
  target: Pick<LoadOrder, 'port' | 'path' | 'keys'>,
  against?: Measured,
): Promise<Measured> {
  await runLoad({ ...target, connections, seconds });
  const cpuBefore = process.cpuUsage();
  const result = await runLoad({ ...target, connections, seconds });
  const { user, system } = process.cpuUsage(cpuBefore);
  const measured = { perSecond: result.count / result.seconds, cpuMicros: (user + system) / result.count };
  const ratio = measured.perSecond / (against ?? measured).perSecond;
  console.log(
    [
      name.padEnd(34),
      `${Math.round(measured.perSecond)}/s`.padStart(9),
      `x${ratio.toFixed(3)}`.padStart(8),
      `${Math.round(measured.cpuMicros)} us CPU`.padStart(12),
      `p50 ${result.p50Ms.toFixed(1)} ms`.padStart(13),
      `p99 ${result.p99Ms.toFixed(1)} ms`.padStart(14),
      Object.entries(result.statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ].join('  '),
  );
  return measured;
}

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  load.send(order);
  const [result] = (await once(load, 'message')) as [LoadResult];
  return result;
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
