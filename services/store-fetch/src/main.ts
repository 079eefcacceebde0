import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { createOpsServer } from '@shelfwise/runtime/ops-server';
import { createRun, runUntilSignal } from '@shelfwise/runtime/run';
import { explainStart } from '@shelfwise/runtime/start-error';
import { storeFetchConfig } from './config.ts';
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
  const { source, status } = createSource(settings, { metrics, now: () => new Date() });
  const checks = { 'store source': status };
  const run = createRun(logger);
  const service = createStoreFetchServer({
    source,
    checks,
    logger,
    metrics,
    listenAddress: settings.GRPC_ADDRESS,
  });
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks }));
  await run.start(service);
  console.log(`store-fetch listens on ${service.address()}, source ${(await status()).detail}`);
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { isStartedByNpm });
} catch (error) {
  console.error(explainStart(error));
  process.exit(1);
}
