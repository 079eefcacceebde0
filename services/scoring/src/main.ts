import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { readConfig } from '@shelfwise/runtime/config';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { serviceContracts } from '@shelfwise/runtime/grpc/reflection';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { scoringConfig, scoringDatabase } from './config.ts';
import { createScoringServer } from './server.ts';

try {
  const settings = readConfig(scoringConfig, process.env);
  const logger = createLogger({ name: 'scoring', level: settings.LOG_LEVEL, destination: process.stderr });
  const metrics = createMetrics({ withProcess: true });
  const protoPackage = import.meta.resolve('@shelfwise/proto/package.json');
  const uri = settings.MONGODB_URI;
  const connection = await connectMongo({ uri, database: scoringDatabase, logger });
  const { client: storeFetch, close } = createGrpcClient({
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address: settings.STORE_FETCH_ADDRESS,
  });
  const service = createScoringServer({
    connection,
    isDatabaseEmbedded: false,
    storeFetch,
    bus: null,
    logger,
    metrics,
    now: () => new Date(),
    listenAddress: settings.GRPC_ADDRESS,
    contracts: serviceContracts(protoPackage, 'shelfwise/scoring/v1/scoring.proto'),
  });
  const { checks, announceDraining: onDraining } = service;
  const run = createRun(logger);
  run.onStop('store-fetch client', async () => close());
  run.onStop('database', () => connection.close());
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks }));
  await run.start(service);
  console.log(
    `scoring listens on ${service.address()}; no event bus: the outbox keeps its events, and it receives none`,
  );
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { onDraining, isStartedByNpm });
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
