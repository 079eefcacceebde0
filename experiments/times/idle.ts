import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { partNames } from '@shelfwise/app/distributed/plan-processes';
import { type Api, createApi } from '../../testing/system/api.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { startDatabaseProcess } from '../lib/database-process.ts';
import { startDistributedSystem } from '../lib/distributed-system.ts';
import { readUsage, type Usage } from '../lib/process-figures.ts';
import { quantile } from '../lib/quantile.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { appId, storefront } from './on-sample.ts';

/** The system to measure: an API client of an account, and the process ids by name. */
type Idle = { api: Api; pids: ReadonlyMap<string, number>; end(): Promise<unknown> };

const keywords = ['habit tracker', 'daily planner', 'routine', 'goal tracker', 'to do list'];

export const times = defineTimes({
  name: 'idle',
  question: 'What does a system without calls take: CPU and wake-ups of every process?',
  options: {
    seconds: [20, 'of each window', [1, 600]],
    windows: [3, 'windows that are measured', [1, 100]],
    apart: [
      false,
      'each part in a process; KAFKA_BROKERS and REDIS_URL, perhaps MONGODB_URI, name the engines',
    ],
  },
  async run({ seconds, windows, apart }) {
    const { api, pids, end } = apart ? await startApart() : await startTogether();
    try {
      await trackAndScore(api);
      const usages = new Map([...pids.keys()].map((name) => [name, [] as Usage[]]));
      for (let window = 0; window < windows; window++) {
        const before = [...pids].map(([name, pid]) => ({ name, pid, usage: readUsage(pid) }));
        await sleep(seconds * 1000);
        for (const { name, pid, usage } of before) usages.get(name)?.push(minus(readUsage(pid), usage));
      }
      print(usages, seconds);
    } finally {
      await end();
    }
  },
});

/** `npm start`. */
async function startTogether(): Promise<Idle> {
  const system = await startSystemProcess({ SHELFWISE_DATA_DIR: temporaryFolder('idle') });
  return {
    api: createApi(system.url, system.key ?? ''),
    pids: new Map([['npm start', system.pid]]),
    end: () => system.end('SIGINT'),
  };
}

/** `npm run start:distributed`, on the embedded database in a process of its own without MONGODB_URI. */
async function startApart(): Promise<Idle> {
  const { KAFKA_BROKERS, REDIS_URL, MONGODB_URI } = process.env;
  if (!KAFKA_BROKERS || !REDIS_URL)
    throw new Error('Set KAFKA_BROKERS and REDIS_URL: "npm run infra -- up kafka redis" starts them.');
  const database = MONGODB_URI ? null : await startDatabaseProcess(temporaryFolder('idle'));
  const system = await startDistributedSystem([], {
    MONGODB_URI: MONGODB_URI ?? database?.uri ?? '',
    METRICS_PORT: '',
  });
  const account = await system.account('create', '--email', 'idle@example.com', '--plan', 'unlimited');
  const parts = partNames.flatMap((part) => system.pidsOf(part).map((pid) => [part, pid] as const));
  return {
    api: createApi(system.urls[0] ?? '', account.key ?? ''),
    pids: new Map([...parts, ...(database ? [['embedded database', database.pid()] as const] : [])]),
    async end() {
      await system.end();
      await database?.stop();
    },
  };
}

/** Gives the background work its documents. Resolves when the list has all scores and the audit. */
async function trackAndScore(api: Api): Promise<void> {
  const { data } = (await api('POST', '/applications', { app_id: appId, ...storefront })).body;
  await api('POST', '/keywords', { keywords, app_id: data.id, ...storefront });
  for (;;) {
    const rows: { traffic_score: number | null; difficulty_score: number | null }[] =
      (await api('GET', `/keywords?app_id=${data.id}`)).body.data ?? [];
    const scored = rows.filter((row) => row.traffic_score !== null && row.difficulty_score !== null);
    const [app] = (await api('GET', `/applications?app_id=${data.id}`)).body.data ?? [];
    if (scored.length === keywords.length && app?.aso_health != null) return;
    await sleep(500);
  }
}

function minus(after: Usage, before: Usage): Usage {
  return { cpuMs: after.cpuMs - before.cpuMs, wakeUps: after.wakeUps - before.wakeUps };
}

/** The least is that of a system that has nothing left to do. */
function print(usages: ReadonlyMap<string, readonly Usage[]>, seconds: number): void {
  const rows = [...usages].map(([name, windows]) => ({
    name,
    percents: windows.map(({ cpuMs }) => cpuMs / 10 / seconds),
    wakeUps: windows.map((usage) => usage.wakeUps / seconds),
  }));
  const cells = rows.map(({ name, percents, wakeUps }) => [
    name,
    ...[percents, wakeUps].flatMap((all) => [Math.min(...all).toFixed(2), quantile(all, 0.5).toFixed(2)]),
  ]);
  console.log(
    formatTable(['process', '% of a core, least', 'median', 'wake-ups a second, least', 'median'], cells),
  );
  const total = rows.reduce((sum, { percents }) => sum + Math.min(...percents), 0);
  console.log(`all: ${total.toFixed(2)} % of a core`);
}
