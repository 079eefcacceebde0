import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDistributedSystem } from '../../experiments/lib/distributed-system.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { type ReadProcess, readLocalProcess, readRemoteProcess } from './process-samples.ts';

/** A system under load, with its accounts. */
export type LoadedSystem = {
  /** for people, such as "npm start" */
  name: string;
  urls: readonly string[];
  keys: readonly string[];
  /** A key with a quota of `edgeQuota` requests; null when the system has no such plan. */
  quotaKey: string | null;
  processes: ReadonlyMap<string, ReadProcess>;
  stop(): Promise<void>;
};

/** The quota of the plan `edge`, which systems have that are started here. */
const edgeQuota = 20;
const plans = {
  edge: { api_access: true, limits: { api_requests_per_month: edgeQuota } },
};

/** Where the first gateway of a distributed system listens; metrics, services and engines have ports above it. */
const firstPort = 18_480;
const ports = {
  metrics: firstPort + 20,
  services: firstPort + 40,
  redis: firstPort + 80,
  kafka: firstPort + 81,
};
const infraScript = fileURLToPath(new URL('../../deploy/infra/infra.sh', import.meta.url));

type Environment = Record<string, string>;

/** `npm start` on a new data folder and the sample. */
export async function startAllInOne(keyCount: number): Promise<LoadedSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-load-'));
  const environment = {
    SHELFWISE_DATA_DIR: join(folder, 'data'),
    SHELFWISE_PLANS_FILE: writePlans(folder),
    STORE_SOURCE: 'sample',
  };
  try {
    const system = await startSystemProcess(environment);
    const stop = async () => {
      const code = await system.end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`npm start ended with ${code}:\n${system.output().slice(-2000)}`);
    };
    return await stopOnError(stop, async () => ({
      name: 'npm start',
      urls: [system.url],
      ...(await createKeys(environment, keyCount)),
      processes: new Map([['shelfwise', readLocalProcess(system.pid)]]),
      stop,
    }));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * `npm run start:distributed` on the sample, with Redis, Kafka and a database of its own: that of MONGODB_URI, else the embedded one
 * in a process of its own.
 */
export async function startDistributed(gateways: number, keyCount: number): Promise<LoadedSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-load-'));
  const cleanUps: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  return stopOnError(stop, async () => {
    const engines = await startEngines(folder, cleanUps);
    const environment = {
      ...engines.environment,
      MONGODB_PREFIX: `load-${Date.now().toString(36)}-`,
      SHELFWISE_DATA_DIR: join(folder, 'data'),
      SHELFWISE_PLANS_FILE: writePlans(folder),
      STORE_SOURCE: 'sample',
    };
    const system = await startDistributedSystem(
      ['--copies', `gateway=${gateways}`, '--service-port', String(ports.services)],
      { ...environment, PORT: String(firstPort), METRICS_PORT: String(ports.metrics) },
    );
    cleanUps.push(async () => {
      const code = await system.end();
      if (code !== 0)
        throw new Error(`start:distributed ended with ${code}:\n${system.output().slice(-2000)}`);
    });
    const parts = ['gateway', 'tracking', 'scoring', 'store-fetch', 'niche', 'chart'] as const;
    const own = parts.flatMap((part) => {
      const pids = system.pidsOf(part);
      return pids.map((pid, index) => [pids.length > 1 ? `${part} ${index + 1}` : part, pid] as const);
    });
    const pids = [...own, ...engines.pids];
    return {
      name: `start:distributed, ${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}`,
      urls: system.urls,
      ...(await createKeys(environment, keyCount)),
      processes: new Map(pids.map(([name, pid]) => [name, readLocalProcess(pid)])),
      stop,
    };
  });
}

/**
 * A system that runs elsewhere.
 * @param options.accountsFile what `npm run account -- create --count N --json` printed there
 * @param options.metrics NAME=URL of pages of metrics
 */
export function useRunningSystem(options: {
  urls: readonly string[];
  accountsFile: string;
  metrics: readonly string[];
}): LoadedSystem {
  const { created_accounts: accounts } = JSON.parse(readFileSync(options.accountsFile, 'utf8'));
  const pages = options.metrics.map((entry) => {
    const [name, ...url] = entry.split('=');
    return [name as string, readRemoteProcess(url.join('='))] as const;
  });
  return {
    name: options.urls.join(', '),
    urls: options.urls,
    keys: accounts.map(({ key }: { key: string }) => key),
    quotaKey: null,
    processes: new Map(pages),
    stop: async () => {},
  };
}

async function startEngines(folder: string, cleanUps: (() => Promise<void>)[]) {
  const engineFolder = join(folder, 'engines');
  const infra = (command: string) =>
    promisify(execFile)('bash', [infraScript, command, '--dir', engineFolder, 'redis', 'kafka'], {
      env: { ...process.env, REDIS_PORT: String(ports.redis), KAFKA_PORT: String(ports.kafka) },
    });
  cleanUps.push(async () => void (await infra('down')));
  await infra('up');
  const pids = ['redis', 'kafka'].map(
    (name) => [name, Number(readFileSync(join(engineFolder, `${name}.pid`), 'utf8'))] as const,
  );
  const environment: Environment = {
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    KAFKA_BROKERS: `127.0.0.1:${ports.kafka}`,
  };
  const { MONGODB_URI: uri } = process.env;
  if (uri !== undefined) return { pids, environment: { ...environment, MONGODB_URI: uri } };
  const database = fork(
    fileURLToPath(new URL('../../experiments/faults/embedded-database.ts', import.meta.url)),
    [join(folder, 'database')],
    { execArgv: ['--import', 'tsx', '--conditions=source'] },
  );
  cleanUps.push(async () => {
    if (database.exitCode !== null || database.signalCode !== null) return;
    database.kill('SIGTERM');
    await once(database, 'exit');
  });
  const [ownUri] = (await once(database, 'message')) as [string];
  return {
    pids: [...pids, ['database', database.pid as number] as const],
    environment: { ...environment, MONGODB_URI: ownUri },
  };
}

function writePlans(folder: string): string {
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify(plans));
  return file;
}

async function createKeys(environment: Environment, count: number) {
  const create = async (email: string, plan: string, many: number) => {
    const words = ['create', '--email', email, '--plan', plan, '--count', String(many), '--json'];
    const entry = nodeArguments('app/src/commands/account.ts');
    const env = { ...process.env, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, [...entry, ...words], { env });
    const { created_accounts: accounts } = JSON.parse(stdout) as { created_accounts: { key: string }[] };
    return accounts.map(({ key }) => key);
  };
  const keys = await create('load@example.com', 'unlimited', count);
  const [quotaKey = null] = await create('edge@example.com', 'edge', 1);
  return { keys, quotaKey };
}

async function stopOnError<Result>(stop: () => Promise<void>, start: () => Promise<Result>): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }
}
