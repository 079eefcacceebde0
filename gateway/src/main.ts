import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo, databaseStatus } from '@shelfwise/runtime/mongo/connect-mongo';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { createClients } from './clients.ts';
import { gatewayConfig, toServiceAddresses } from './config.ts';
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
  const { clients, close } = createClients(toServiceAddresses(settings));
  run.onStop('clients', async () => close());
  const opsPort = settings.METRICS_PORT;
  const checks = { database: databaseStatus(connection, false) };
  if (opsPort !== undefined) await run.start(createOpsServer({ port: opsPort, metrics, checks }));
  const gateway = await run.start(
    createGateway({
      connection,
      isDatabaseEmbedded: false,
      clients,
      plans,
      logger,
      metrics,
      now: () => new Date(),
      monotonicMs: () => performance.now(),
      port: settings.PORT,
      trustProxy: settings.TRUST_PROXY,
      shownSettings: {},
      nodeVersion: process.versions.node,
    }),
  );
  console.log(`gateway listens on port ${gateway.address()?.port}`);
  await runUntilSignal(process, run, logger, {
    onDraining: gateway.announceDraining,
    lingerMs: 1500,
    isStartedByNpm: process.env.npm_lifecycle_event !== undefined,
  });
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
