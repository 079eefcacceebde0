import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo, databaseStatus } from '@shelfwise/runtime/mongo/connect-mongo';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { createClients } from './clients.ts';
import { addressesOf, gatewayConfig } from './config.ts';
import { createGateway } from './gateway.ts';
import { readPlans } from './plans/plans.ts';

try {
  const settings = readConfig(gatewayConfig, process.env);
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const logger = createLogger({ name: 'gateway', level: settings.LOG_LEVEL, destination: process.stderr });
  const metrics = createMetrics({ withProcess: true });
  const run = createRun(logger);
  const uri = settings.MONGODB_URI;
  const connection = await connectMongo({ uri, database: 'shelfwise_gateway', logger });
  run.onStop('database', () => connection.close());
  const { clients, close } = createClients(addressesOf(settings));
  run.onStop('clients', async () => close());
  const { METRICS_PORT: opsPort, TRUST_PROXY: trustProxy, PORT: port } = settings;
  const checks = { database: databaseStatus(connection, false) };
  if (opsPort !== undefined) await run.start(createOpsServer({ port: opsPort, metrics, checks }));
  const clocks = { now: () => new Date(), monotonicMs: () => performance.now() };
  const state = { connection, isDatabaseEmbedded: false, clients, plans, logger, metrics, shownSettings: {} };
  const nodeVersion = process.versions.node;
  const gateway = await run.start(createGateway({ ...state, ...clocks, port, trustProxy, nodeVersion }));
  console.log(`gateway listens on port ${gateway.address()?.port}`);
  const { announceDraining: onDraining } = gateway;
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { onDraining, lingerMs: 1500, isStartedByNpm });
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
