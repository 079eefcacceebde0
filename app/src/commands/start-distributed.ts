import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { distributedConfig, migrateConfig } from '../config.ts';
import { checkPorts } from '../distributed/check-ports.ts';
import { formatDistributedBanner } from '../distributed/format-distributed-banner.ts';
import { distributedUsage, parseDistributedCommand } from '../distributed/parse-distributed-command.ts';
import { type PlannedProcess, planProcesses } from '../distributed/plan-processes.ts';
import { createProcessGroup } from '../distributed/process-group.ts';
import { startEngines } from '../distributed/start-engines.ts';
import { explainCommandError } from './explain-command-error.ts';
import { runMigrateCommand } from './run-migrate-command.ts';

// npm run start:distributed -- [--copies PART=NUMBER,...] [--infra]
const parsed = parseDistributedCommand(process.argv.slice(2));
if (parsed.kind === 'help') {
  console.log(distributedUsage);
  process.exit(0);
}
if (parsed.kind === 'usage-error') {
  console.error(`${parsed.message}\n\n${distributedUsage}`);
  process.exit(2);
}

/** Longer than the processes need, which stop one part after another. */
const stopWithinMs = 50_000;
const cleanUps: (() => Promise<void>)[] = [];
async function end(code: number): Promise<never> {
  for (const cleanUp of cleanUps.reverse())
    await cleanUp().catch((error: unknown) => console.error(explainCommandError(error)));
  process.exit(code);
}

const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
const signal = firstSignal(process, { isStartedByNpm, stopWithinMs });
const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
void stopped.then(() => console.log('stopping: callers first, then what they call'));

try {
  const engines = parsed.hasInfra
    ? await startEngines(fileURLToPath(new URL('../../../deploy/infra/infra.sh', import.meta.url)))
    : null;
  if (engines) cleanUps.push(engines.stop);
  const environment = { ...process.env, ...engines?.settings };
  const settings = readConfig(distributedConfig, environment);
  const planned = planProcesses(parsed.copies, {
    secret: settings.GRPC_SECRET ?? randomBytes(32).toString('hex'),
    port: settings.PORT,
    host: settings.HOST,
    metricsPort: settings.METRICS_PORT ?? null,
    servicePort: parsed.servicePort,
  });
  await checkPorts(planned);
  await runMigrateCommand(
    { isStatus: false },
    {
      settings: readConfig(migrateConfig, environment),
      logger: createLogger({ name: 'migrate', level: 'warn', destination: process.stderr }),
      signal,
      print: console.log,
    },
  );
  const processes = createProcessGroup(planned, {
    spawn: (one) => spawnPart(one, environment),
    print: console.log,
  });
  cleanUps.push(processes.stop);
  process.once('exit', processes.kill);
  await Promise.race([processes.start(), stopped]);
  if (signal.aborted) throw new StartError('Stopped before everything had started.');
  console.log(formatDistributedBanner({ planned, settings, hasInfra: parsed.hasInfra }));
  await stopped;
  await end(0);
} catch (error) {
  console.error(explainCommandError(error));
  await end(1);
}

/**
 * In a process group of its own, because a Ctrl-C of the terminal goes to a whole group, and callers stop first. Each
 * process also ends when this one is gone, as with npm.
 */
function spawnPart({ part, settings }: PlannedProcess, environment: NodeJS.ProcessEnv) {
  const entry = fileURLToPath(import.meta.resolve(`@shelfwise/${part}/main`));
  return spawn(process.execPath, [...process.execArgv, entry], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      STORE_SOURCE: 'sample',
      LOG_LEVEL: 'warn',
      ...environment,
      ...settings,
      npm_lifecycle_event: 'start',
    },
  });
}
