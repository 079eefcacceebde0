import { readConfig } from '@shelfwise/runtime/config';
import { serviceContracts } from '@shelfwise/runtime/grpc/reflection';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { storeFetchConfig, storeFetchDatabase } from './config.ts';
import { createSource } from './create-source.ts';
import { createStoreFetchServer } from './server.ts';

try {
  const settings = readConfig(storeFetchConfig, process.env);
  const logger = createLogger({
    name: 'store-fetch',
    level: settings.LOG_LEVEL,
    destination: process.stderr,
  });
  const metrics = createMetrics({ withProcess: true });
  const run = createRun(logger);
  const uri = settings.MONGODB_URI;
  const connection = await connectMongo({ uri, database: storeFetchDatabase, logger });
  run.onStop('database', () => connection.close());
  const now = () => new Date();
  const isDatabaseEmbedded = false;
  const { source, checks, refuseQueued, stop } = createSource(settings, {
    metrics,
    now,
    connection,
    isDatabaseEmbedded,
    logger,
  });
  run.onStop('store source', stop);
  const protoPackage = import.meta.resolve('@shelfwise/proto/package.json');
  const service = createStoreFetchServer({
    source,
    checks,
    connection,
    isDatabaseEmbedded,
    refuseQueued,
    now,
    logger,
    metrics,
    listenAddress: settings.GRPC_ADDRESS,
    contracts: serviceContracts(protoPackage, 'shelfwise/store/v1/store.proto'),
  });
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks: service.checks }));
  await run.start(service);
  const { detail } = await checks['store source']();
  console.log(`store-fetch listens on ${service.address()}, source ${detail}`);
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { isStartedByNpm });
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
