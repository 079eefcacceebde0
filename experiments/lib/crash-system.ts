/** The whole system with an additional reader of all events. crash.ts starts and kills it. */

import { allInOneConfig, quietLevel } from '@shelfwise/app/config';
import { startSystem } from '@shelfwise/app/start/start-system';
import { topics } from '@shelfwise/proto/topics';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { consumerDatabase, createEventConsumer } from './event-consumer.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

const settings = readConfig(allInOneConfig, process.env);
const level = settings.LOG_LEVEL ?? quietLevel;
const logger = createLogger({ name: 'crash-system', level, destination: process.stderr });
const run = createRun(logger);
const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
const host = { pid: process.pid, nodeVersion: process.versions.node };
const system = await startSystem({ settings, run, logger, worker, process: host });
const connection = await openEmbeddedDatabase(system.dataDir, consumerDatabase);
run.onStop('reader database', () => connection.close());
run.onStop('event bus of the reader', () => system.buses.tracking.stop());
await system.buses.tracking.subscribe({
  group: 'crash-consumer',
  topics: Object.keys(topics),
  onEvent: createEventConsumer(connection),
});
console.log(`Metrics ${system.opsUrl}/metrics`);
console.log(`Shelfwise listens on ${system.url}. Ctrl-C stops it.`);
await runUntilSignal(process, run, logger, { onDraining: system.announceDraining });
