import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
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
import { nicheConfig, nicheDatabase } from './config.ts';
import { createNicheServer } from './server.ts';

try {
  const settings = readConfig(nicheConfig, process.env);
  const logger = createLogger({ name: 'niche', level: settings.LOG_LEVEL, destination: process.stderr });
  const metrics = createMetrics({ withProcess: true });
  const protoPackage = import.meta.resolve('@shelfwise/proto/package.json');
  const connection = await connectMongo({ uri: settings.MONGODB_URI, database: nicheDatabase, logger });
  const scoring = createGrpcClient({
    service: ScoringServiceService,
    name: 'scoring',
    address: settings.SCORING_ADDRESS,
  });
  const storeFetch = createGrpcClient({
    service: StoreFetchServiceService,
    name: 'store-fetch',
    address: settings.STORE_FETCH_ADDRESS,
  });
  const service = createNicheServer({
    connection,
    isDatabaseEmbedded: false,
    scoring: scoring.client,
    storeFetch: storeFetch.client,
    logger,
    metrics,
    now: () => new Date(),
    listenAddress: settings.GRPC_ADDRESS,
    contracts: serviceContracts(protoPackage, 'shelfwise/niche/v1/niche.proto'),
  });
  const { checks, announceDraining: onDraining } = service;
  const run = createRun(logger);
  run.onStop('scoring client', async () => scoring.close());
  run.onStop('store-fetch client', async () => storeFetch.close());
  run.onStop('database', () => connection.close());
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks }));
  await run.start(service);
  console.log(`niche listens on ${service.address()}`);
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { onDraining, isStartedByNpm });
} catch (error) {
  console.error(explainStartError(error));
  process.exit(1);
}
