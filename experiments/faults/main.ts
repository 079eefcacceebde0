/**
 * The fault table: kills, freezes, slows down and restarts every part and engine of `npm run start:distributed` with two copies of
 * everything, under a steady load of half of what it can do. For each fault: what users saw, what was lost or done twice, and whether the goals are met. Ends
 * with 1 when they are not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBalancer } from '../lib/balancer.ts';
import { createAccounts } from '../lib/create-accounts.ts';
import { startDistributedSystem } from '../lib/distributed-system.ts';
import { createClients } from './clients.ts';
import { startEngines } from './engines.ts';
import { startEventAudit } from './event-audit.ts';
import { createFaultTable } from './fault-table.ts';
import { measureCapacity } from './measure-capacity.ts';
import { runPhase } from './phase.ts';
import { describePhase } from './report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    port: { type: 'string', default: '18080' },
    'service-port': { type: 'string', default: '15051' },
    'engine-port': { type: 'string', default: '19400' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(
    `Usage: npm run faults -- [--only 7,9] [--port 18080] [--service-port 15051] [--engine-port 19400]`,
  );
  process.exit(0);
}

/** A key may make fewer than 60 calls in a minute. */
const everyMs = 1250;
const clientCount = 120;
const port = Number(values.port);
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-faults-'));
const clockFile = join(folder, 'clock');

const engines = await startEngines({
  port: Number(values['engine-port']),
  mongodbUri: process.env.MONGODB_URI,
});
const shim = new URL('./shift-clock.ts', import.meta.url).href;
const system = await startDistributedSystem(
  ['--copies', 'all=2', '--service-port', values['service-port']],
  {
    ...engines.settings,
    PORT: String(port),
    METRICS_PORT: String(port + 100),
    FAULTS_CLOCK_FILE: clockFile,
    FAULTS_CLOCK_PORT: String(port + 1),
  },
  ['--import', 'tsx', '--import', shim],
);
const events = await startEventAudit({
  brokers: engines.settings.KAFKA_BROKERS,
  mongodbUri: engines.settings.MONGODB_URI,
});
const balancer = startBalancer(system.urls);
try {
  console.log(`# started in ${Math.round(system.startedInMs)} ms: ${system.urls.join(', ')}`);
  const only = values.only?.split(',').map(Number);
  const faults = createFaultTable({ system, engines, clockFile }).filter(
    ({ row }) => row === 0 || only === undefined || only.includes(row),
  );
  const keys = await createAccounts(engines.settings.MONGODB_URI, clientCount + faults.length);
  const all = await createClients(balancer, keys.slice(0, clientCount));
  const attackers = keys.slice(clientCount);
  const spent = new Map();
  const capacity = await measureCapacity({ balancer, clients: all, spent });
  const clients = all.slice(0, Math.max(32, Math.round((capacity / 2) * (everyMs / 1000))));
  console.log(
    `capacity ${capacity} calls a second; the load is ${Math.round((1000 * clients.length) / everyMs)}`,
  );
  for (const fault of faults) {
    const takeAttacker = () => attackers.pop() ?? '';
    const phase = await runPhase(fault, { balancer, clients, everyMs, spent, takeAttacker, events });
    console.log(describePhase(phase));
  }
} finally {
  await balancer.stop();
  await events.stop();
  const code = await system.end();
  console.log(`ended with ${code}`);
  await engines.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
