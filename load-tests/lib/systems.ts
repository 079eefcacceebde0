import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cleanup, createCleanup } from '../../experiments/lib/cleanup.ts';
import { startDatabaseProcess } from '../../experiments/lib/database-process.ts';
import { runAccountCommand, startDistributedSystem } from '../../experiments/lib/distributed-system.ts';
import { createInfra } from '../../experiments/lib/infra.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { edgeQuota } from '../k6/profiles.ts';
import type { WatchedProcess } from './parse-load-command.ts';
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

/** Of the systems that are started here. */
const plans = {
  edge: { api_access: true, limits: { api_requests_per_month: edgeQuota } },
};

/** Where the first gateway of a distributed system listens; metrics, services and engines have ports above it. */
const firstPort = 18_480;
const ports = { metrics: firstPort + 20, services: firstPort + 60 };
const enginePorts = { redis: firstPort + 90, kafka: firstPort + 91 };

type Settings = Record<string, string>;

/** `npm start` on a new data folder and the sample. */
export function startAllInOne(keyCount: number): Promise<LoadedSystem> {
  return startInFolder(async (folder, cleanup) => {
    // Empty ones count as absent: the servers of this environment are not to be filled.
    const settings = { ...settingsIn(folder), MONGODB_URI: '', REDIS_URL: '', KAFKA_BROKERS: '' };
    const system = await startSystemProcess(settings);
    cleanup.add(async () => {
      const code = await system.end('SIGINT');
      if (code !== 0) throw new Error(`npm start ended with ${code}:\n${system.output().slice(-2000)}`);
    });
    return {
      name: 'npm start',
      urls: [system.url],
      ...(await createKeys(settings, keyCount)),
      processes: new Map([['shelfwise', readLocalProcess(system.pid)]]),
    };
  });
}

/**
 * `npm run start:distributed` on the sample, with Redis, Kafka and a database of its own: that of MONGODB_URI, else the embedded one
 * in a process of its own.
 * @param copies as for its --copies; null: one of each part
 */
export function startDistributed(copies: string | null, keyCount: number): Promise<LoadedSystem> {
  return startInFolder(async (folder, cleanup) => {
    const engines = await startEngines(folder, cleanup);
    const settings = {
      ...settingsIn(folder),
      ...engines.settings,
      MONGODB_PREFIX: `load-${Date.now().toString(36)}-`,
    };
    const system = await startDistributedSystem(
      [...(copies === null ? [] : ['--copies', copies]), '--service-port', String(ports.services)],
      { ...settings, PORT: String(firstPort), METRICS_PORT: String(ports.metrics) },
    );
    cleanup.add(async () => {
      const code = await system.end();
      if (code !== 0)
        throw new Error(`start:distributed ended with ${code}:\n${system.output().slice(-2000)}`);
    });
    const parts = ['gateway', 'tracking', 'scoring', 'store-fetch', 'niche', 'chart', 'notify'] as const;
    const own = parts.flatMap((part) => {
      const pids = system.pidsOf(part);
      return pids.map((pid, index) => [pids.length > 1 ? `${part} ${index + 1}` : part, pid] as const);
    });
    const pids = [...own, ...engines.pids];
    return {
      name: `start:distributed${copies === null ? '' : `, ${copies}`}`,
      urls: system.urls,
      ...(await createKeys(settings, keyCount)),
      processes: new Map(pids.map(([name, pid]) => [name, readLocalProcess(pid)])),
    };
  });
}

/**
 * A system that runs elsewhere.
 * @param options.accountsFile what `npm run account -- create --count N --json` printed there
 * @param options.processes those of it whose CPU and memory are read
 * @throws Error with a message for the user
 */
export function useRunningSystem(options: {
  urls: readonly string[];
  accountsFile: string;
  processes: readonly WatchedProcess[];
}): LoadedSystem {
  return {
    name: options.urls.join(', '),
    urls: options.urls,
    keys: readKeys(options.accountsFile),
    quotaKey: null,
    processes: new Map(
      options.processes.map((one) => [
        one.name,
        'url' in one ? readRemoteProcess(one.url) : readLocalProcess(one.pid),
      ]),
    ),
    stop: async () => {},
  };
}

function readKeys(file: string): string[] {
  const expected = 'what "npm run account -- create --count N --json" has printed';
  let content: { created_accounts?: { key?: string }[] } | null;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} is not ${expected}: ${(cause as Error).message}`, { cause });
  }
  const keys = content?.created_accounts?.map(({ key }) => key) ?? [];
  if (keys.length === 0 || keys.some((key) => typeof key !== 'string'))
    throw new Error(`${file} is not ${expected}: it has no created_accounts with their keys.`);
  return keys as string[];
}

/** Starts a system whose data are in a new folder, which is removed at its end. */
async function startInFolder(
  start: (folder: string, cleanup: Cleanup) => Promise<Omit<LoadedSystem, 'stop'>>,
): Promise<LoadedSystem> {
  const cleanup = createCleanup();
  const folder = mkdtempSync(join(tmpdir(), 'shelfwise-load-'));
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  const stop = async () => void (await cleanup.run());
  try {
    return { ...(await start(folder, cleanup)), stop };
  } catch (error) {
    // The first error is the reason.
    await stop().catch((also: unknown) => console.error(String(also)));
    throw error;
  }
}

function settingsIn(folder: string): Settings {
  const plansFile = join(folder, 'plans.json');
  writeFileSync(plansFile, JSON.stringify(plans));
  return {
    SHELFWISE_DATA_DIR: join(folder, 'data'),
    SHELFWISE_PLANS_FILE: plansFile,
    STORE_SOURCE: 'sample',
  };
}

async function startEngines(
  folder: string,
  cleanup: Cleanup,
): Promise<{ settings: Settings; pids: [string, number][] }> {
  const infra = createInfra(join(folder, 'engines'), enginePorts);
  cleanup.add(() => infra.down());
  await infra.up();
  const pids: [string, number][] = [
    ['redis', infra.pidOf('redis')],
    ['kafka', infra.pidOf('kafka')],
  ];
  const { MONGODB_URI: uri } = process.env;
  if (uri !== undefined) return { pids, settings: { ...infra.settings, MONGODB_URI: uri } };
  const database = await startDatabaseProcess(join(folder, 'database'));
  cleanup.add(database.stop);
  return {
    pids: [...pids, ['database', database.pid()]],
    settings: { ...infra.settings, MONGODB_URI: database.uri },
  };
}

async function createKeys(settings: Settings, count: number) {
  const create = async (email: string, plan: string, many: number) => {
    const words = ['create', '--email', email, '--plan', plan, '--count', String(many)];
    const { created_accounts: accounts } = await runAccountCommand<{ created_accounts: { key: string }[] }>(
      words,
      settings,
    );
    return accounts.map(({ key }) => key);
  };
  const keys = await create('load@example.com', 'unlimited', count);
  const [quotaKey = null] = await create('edge@example.com', 'edge', 1);
  return { keys, quotaKey };
}
