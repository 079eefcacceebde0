import { join } from 'node:path';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { startTracing } from '@shelfwise/runtime/tracing/start-tracing';
import { allInOneConfig, quietLevel } from './config.ts';
import { ensureDemoAccount, hasDemoAccount } from './start/ensure-demo-account.ts';
import { printBanner } from './start/print-banner.ts';
import { createSampleClock } from './start/sample-clock.ts';
import { startSystem } from './start/start-system.ts';

// npm start: the gateway and all services in one process. Each of them also has its own main.ts.
const startedAt = performance.now();
/** Stops what has started, then exits. Undefined until something can have started. */
let end: ((code: number) => Promise<never>) | undefined;
try {
  const settings = readConfig(allInOneConfig, process.env);
  const level = settings.LOG_LEVEL ?? quietLevel;
  const logger = createLogger({ name: 'shelfwise', level, destination: process.stderr });
  const run = createRun(logger, console.error);
  // A failure ends the process in every phase, also while the start waits for what has failed.
  void run.ended.then((code) => process.exit(code));
  end = async (code) => {
    run.stop(code);
    process.exit(await run.ended);
  };
  // First, so that it stops last: spans of the stop are still sent.
  await startTracing(settings, { name: 'shelfwise', logger, onStop: run.onStop });
  // The script of the embedded database's thread.
  const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
  const host = { pid: process.pid, nodeVersion: process.versions.node };
  const system = await startSystem({
    settings,
    run,
    logger,
    worker,
    process: host,
    now: createSampleClock(settings.SAMPLE_DAY),
  });
  const { accounts, dataDir } = system;
  const demoAccount = hasDemoAccount(settings)
    ? await ensureDemoAccount({ accounts, keyFile: join(dataDir, 'demo-key') })
    : null;
  const { announceDraining: onDraining } = system;
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  // Before the banner is printed, because its reader may send a signal.
  const ended = runUntilSignal(process, run, logger, { onDraining, lingerMs: 500, isStartedByNpm });
  await printBanner({ system, settings, demoAccount, print: console.log });
  logger.info({ ms: Math.round(performance.now() - startedAt) }, 'ready');
  await ended;
} catch (error) {
  console.error(explainStartError(error));
  await end?.(1);
  process.exit(1);
}
