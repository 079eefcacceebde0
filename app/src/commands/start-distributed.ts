import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { type DistributedSettings, distributedConfig, migrateConfig } from '../config.ts';
import { wrapFolderErrors } from '../data-folder/claim-folder.ts';
import { checkPorts } from '../distributed/check-ports.ts';
import { formatDistributedBanner } from '../distributed/format-distributed-banner.ts';
import {
  type Copies,
  defaultServicePort,
  maxCopies,
  type PlannedProcess,
  partNames,
  planProcesses,
  servicePortCount,
} from '../distributed/plan-processes.ts';
import { createProcessGroup } from '../distributed/process-group.ts';
import { startEngines } from '../distributed/start-engines.ts';
import { ensureSecretsKey } from '../start/ensure-secrets-key.ts';
import { defineCommand } from './lib/define-command.ts';
import { explainCommandError } from './lib/explain-command-error.ts';
import { startIfMain } from './lib/start-if-main.ts';
import { migrateDatabases } from './migrate.ts';

/** Longer than the processes need, which stop one part after another. */
const stopWithinMs = 50_000;

/** Starts the gateway and every service as processes of their own, and stops them with the first signal. */
export const startDistributed = defineCommand({
  usage: `Usage: npm run start:distributed -- [options]

Starts the gateway and every service as processes of their own, in one terminal. Ctrl-C stops all of them.

  --copies <part>=<number>,...   how many of each part, 1 to ${maxCopies}; default 1
                                 parts: ${partNames.join(', ')}; "all" stands for every part
  --infra                        also start Redis, Kafka and a MongoDB-compatible server (npm run infra), and stop them
                                 and delete their data at the end
  --service-port <number>        the services and the assistant server (mcp) listen on this port of 127.0.0.1 and
                                 up to ${servicePortCount} following ones; default ${defaultServicePort}
  --help                         print this

PORT (8080) is the port of the first gateway, METRICS_PORT (off) that of the first process's metrics; further ones follow.
MONGODB_URI, KAFKA_BROKERS and REDIS_URL name the engines; without --infra at least MONGODB_URI is needed.
Without SECRETS_KEY the key of channels is a file in SHELFWISE_DATA_DIR (.shelfwise), as with npm start.
Every other setting is passed on to each process; SMTP_URL and MAIL_FROM only to notify.`,
  options: {
    copies: { type: 'string', multiple: true },
    infra: { type: 'boolean' },
    'service-port': { type: 'string', default: String(defaultServicePort) },
  },
  read: ({ copies = [], infra: hasInfra = false, 'service-port': port }) => ({
    copies: parseCopies(copies.join(',')),
    hasInfra,
    servicePort: parseServicePort(port),
  }),
  async run({ copies, hasInfra, servicePort }, { env, stdout, stderr, watchSignals, print }) {
    const printOut = (line: string) => stdout.write(`${line}\n`);
    const signal = watchSignals({ isStartedByNpm: env.npm_lifecycle_event !== undefined, stopWithinMs });
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    void stopped.then(() => printOut('stopping: callers first, then what they call'));
    const cleanUps: (() => Promise<void>)[] = [];
    try {
      const engines = hasInfra
        ? await startEngines(
            fileURLToPath(new URL('../../../deploy/without-docker/engines/infra.sh', import.meta.url)),
          )
        : null;
      if (engines) cleanUps.push(engines.stop);
      const environment = { ...env, ...engines?.settings };
      const settings = readConfig(distributedConfig, environment);
      const planned = planProcesses(copies, {
        secret: settings.GRPC_SECRET ?? randomBytes(32).toString('hex'),
        secretsKey: await readSecretsKey(settings),
        port: settings.PORT,
        host: settings.HOST,
        metricsPort: settings.METRICS_PORT ?? null,
        servicePort,
      });
      await checkPorts(planned);
      await migrateDatabases(
        { isStatus: false },
        {
          settings: readConfig(migrateConfig, environment),
          logger: createLogger({ name: 'migrate', level: 'warn', destination: stderr }),
          signal,
          print: printOut,
        },
      );
      const processes = createProcessGroup(planned, {
        spawn: (one) => spawnPart(one, environment),
        print: printOut,
      });
      cleanUps.push(processes.stop);
      process.once('exit', processes.kill);
      await Promise.race([processes.start(), stopped]);
      if (signal.aborted) throw new StartError('Stopped before everything had started.');
      printOut(formatDistributedBanner({ planned, settings, hasInfra }));
      await stopped;
      return {};
    } finally {
      for (const cleanUp of cleanUps.reverse())
        await cleanUp().catch((error: unknown) => print(String(explainCommandError(error))));
    }
  },
});

/** As a setting. @throws StartError when the file of the key cannot be used */
async function readSecretsKey({
  SECRETS_KEY: set,
  SHELFWISE_DATA_DIR,
}: DistributedSettings): Promise<string> {
  const folder = resolve(SHELFWISE_DATA_DIR);
  if (!set) await wrapFolderErrors(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  const keys = await ensureSecretsKey(folder, set);
  return keys.map((key) => key.toString('hex')).join(',');
}

/** @throws Error with a message for the user */
function parseServicePort(text: string): number {
  const last = 65_536 - servicePortCount;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= last)) throw new Error(`--service-port takes a number from 1 to ${last}.`);
  return port;
}

/** @throws Error with a message for the user */
function parseCopies(text: string): Copies {
  const copies: Copies = {};
  for (const entry of text.split(',').filter((one) => one !== '')) {
    const [name = '', number = ''] = entry.split('=');
    const count = /^\d+$/.test(number) ? Number(number) : Number.NaN;
    if (!(count >= 1 && count <= maxCopies))
      throw new Error(`"${entry}" is not <part>=<number> with a number from 1 to ${maxCopies}.`);
    const named = partNames.filter((part) => part === name || name === 'all');
    if (named.length === 0)
      throw new Error(`There is no part "${name}". The parts are ${partNames.join(', ')}.`);
    for (const part of named) copies[part] = count;
  }
  return copies;
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

startIfMain(import.meta.filename, startDistributed);
