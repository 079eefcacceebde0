import { ConfigError, readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createRun, runUntilSignal } from '@shelfwise/runtime/run';
import { formatBanner } from './banner.ts';
import { FolderTakenError } from './claim-folder.ts';
import { allInOneConfig } from './config.ts';
import { introduce } from './introduce.ts';
import { startSystem } from './start-system.ts';

// Everything in one process; the services' own main.ts start them alone.
const startedAt = performance.now();
let end: ((code: number) => Promise<never>) | undefined;
try {
  const settings = readConfig(allInOneConfig, process.env);
  const logger = createLogger({ name: 'shelfwise', level: settings.LOG_LEVEL, destination: process.stderr });
  const run = createRun(logger);
  end = async (code) => {
    run.stop(code);
    process.exit(await run.ended);
  };
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const host = { pid: process.pid, nodeVersion: process.versions.node };
  const system = await startSystem({ settings, run, logger, worker, process: host });
  console.log(formatBanner(await introduce(system, settings)));
  logger.info({ ms: Math.round(performance.now() - startedAt) }, 'ready');
  await runUntilSignal(process, run, logger, system.announceDraining);
} catch (error) {
  const isExplained = error instanceof ConfigError || error instanceof FolderTakenError;
  console.error(isExplained ? error.message : error);
  await end?.(1);
  process.exit(1);
}
