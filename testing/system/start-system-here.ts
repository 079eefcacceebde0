import { join } from 'node:path';
import { allInOneConfig, quietLevel } from '@shelfwise/app/config';
import { ensureDemoAccount, hasDemoAccount } from '@shelfwise/app/start/ensure-demo-account';
import { printBanner } from '@shelfwise/app/start/print-banner';
import { createSampleClock } from '@shelfwise/app/start/sample-clock';
import { type System, startSystem } from '@shelfwise/app/start/start-system';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun } from '@shelfwise/runtime/process/run';
import { explainStartError } from '@shelfwise/runtime/process/start-error';
import { startTracing } from '@shelfwise/runtime/tracing/start-tracing';
import { shareSampleCatalog } from '../../services/store-fetch/test/share-sample-catalog.ts';
import { createRunningClock } from '../running-clock.ts';
import { embeddedWorker } from './embedded-worker.ts';
import { letWindowsPass } from './rate-windows.ts';
import { createSink } from './run-command-here.ts';
import { describeSystem, type RunningSystem } from './running-system.ts';

/**
 * Starts the whole system as `npm start` does, but in this process: a process of its own costs several seconds. For tests
 * of what the system answers; those of signals, exit codes and crashes start a process (`startSystemProcess`). Its
 * settings are these alone, but what OpenTelemetry reads itself, it reads from this process. Call it in the repository root.
 * `pass` moves its clock on, by milliseconds. A store that fails is asked again at once.
 */
export async function startSystemHere(
  env: Record<string, string>,
): Promise<RunningSystem & { system: System; pass: (ms: number) => void }> {
  let output = '';
  const print = (text: unknown) => (output += `${text}\n`);
  const destination = createSink((text) => (output += text));
  const settings = readConfig(allInOneConfig, { PORT: '0', ...env });
  const logger = createLogger({ name: 'shelfwise', level: settings.LOG_LEVEL ?? quietLevel, destination });
  const run = createRun(logger, print);
  const clock = createRunningClock(createSampleClock(settings.SAMPLE_DAY)().getTime());
  let passedMs = 0;
  async function end(code: number): Promise<number> {
    run.stop(code);
    return run.ended;
  }
  try {
    await startTracing(settings, { name: 'shelfwise', logger, onStop: run.onStop });
    const system = await startSystem({
      settings,
      run,
      logger,
      worker: embeddedWorker(),
      process: { pid: process.pid, nodeVersion: process.versions.node },
      now: clock.now,
      sleep: clock.sleep,
      monotonicMs: () => clock.monotonicMs() + passedMs,
      createCatalog: shareSampleCatalog,
      random: () => 0,
    });
    const { accounts, dataDir, announceDraining } = system;
    const demoAccount = hasDemoAccount(settings)
      ? await ensureDemoAccount({ accounts, keyFile: join(dataDir, 'demo-key') })
      : null;
    letWindowsPass(system.url, (ms) => {
      passedMs += ms;
    });
    await printBanner({ system, settings, demoAccount, print });
    return {
      system,
      pass: clock.moveBy,
      ...describeSystem(output),
      output: () => output,
      end() {
        announceDraining();
        return end(0);
      },
    };
  } catch (error) {
    await end(1);
    throw new Error(`the system ended with 1:\n${output}${explainStartError(error)}\n`);
  }
}
