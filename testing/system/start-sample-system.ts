import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allInOneConfig } from '@shelfwise/app/config';
import type { StartDeps } from '@shelfwise/app/start/start-services';
import { type System, startSystem } from '@shelfwise/app/start/start-system';
import { createLogger, type Logger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun, type Run } from '@shelfwise/runtime/process/run';
import { shareSampleCatalog } from '../../services/store-fetch/test/share-sample-catalog.ts';
import { embeddedWorker } from './embedded-worker.ts';

/** The whole product on the sample store, in the process of the script. */
export type SampleSystem = {
  system: System;
  /** Stops additional parts of the script, before the system. */
  run: Run;
  logger: Logger;
  /** Stops everything and removes the data folder. */
  stop(): Promise<void>;
};

/**
 * `npm start` without the daily run, on a new data folder. `now`, `sleep` and `monotonicMs` replace the system clock, and
 * `post` what sends to channels; the log goes to `destination`, by default stderr. `settings` replace those of the sample.
 */
export async function startSampleSystem(
  name: string,
  {
    destination = process.stderr,
    settings: more = {},
    ...replaced
  }: Pick<StartDeps, 'now' | 'sleep' | 'monotonicMs' | 'post'> & {
    destination?: NodeJS.WritableStream;
    settings?: Record<string, string>;
  } = {},
): Promise<SampleSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), `shelfwise-${name}-`));
  const logger = createLogger({ name, level: 'warn', destination });
  const run = createRun(logger);
  const stop = async () => {
    run.stop(0);
    await run.ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const settings = { PORT: '0', SHELFWISE_DATA_DIR: dataDir, DAILY_RUN: 'false', ...more };
    const deps: StartDeps = {
      settings: readConfig(allInOneConfig, settings),
      run,
      logger,
      worker: embeddedWorker(),
      process: { pid: process.pid, nodeVersion: process.versions.node },
      createCatalog: shareSampleCatalog,
    };
    const system = await startSystem({ ...deps, ...replaced });
    return { system, run, logger, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
