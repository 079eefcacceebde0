import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { formatBanner } from './banner.ts';
import { allInOneConfig, quietLevel } from './config.ts';
import { introduce } from './introduce.ts';
import { startSystem } from './start-system.ts';

// Everything in one process; the services' own main.ts start them alone.
const startedAt = performance.now();
let end: ((code: number) => Promise<never>) | undefined;
try {
  const settings = readConfig(allInOneConfig, process.env);
  const level = settings.LOG_LEVEL ?? quietLevel;
  const logger = createLogger({ name: 'shelfwise', level, destination: process.stderr });
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
  const { announceDraining: onDraining } = system;
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  await runUntilSignal(process, run, logger, { onDraining, lingerMs: 500, isStartedByNpm });
} catch (error) {
  console.error(explainStartError(error));
  await end?.(1);
  process.exit(1);
}
