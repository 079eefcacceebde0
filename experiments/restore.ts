import { deepStrictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { backUpDatabase } from '@shelfwise/embedded/back-up-database';
import { databaseFile, startEngine } from '@shelfwise/embedded/start-engine';
import { createApi } from '../testing/system/api.ts';
import { type DistributedSystem, startDistributedSystem } from './lib/distributed-system.ts';
import { createExpectations } from './lib/expectations.ts';
import { createInfra } from './lib/infra.ts';
import { doMainJob, trackAll, until } from './lib/main-job-steps.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

readOptions(
  'npm run restore',
  `A disaster and the way back: the databases of a distributed system are lost and restored from a backup that is older than the last
writes, once with Redis and Kafka lost as well, once with events in Kafka that are newer than the restored databases. Verifies that
everything of the backup is there again, that nothing of the time after it is half there, and that scores arrive for new keywords. Then
Kafka alone is lost. Starts Redis, Kafka (deploy/without-docker/engines) and the embedded database in place of MongoDB.`,
  {},
);

const ports = { gateway: 18_180, metrics: 18_280, services: 15_151 };
const enginePorts = { redis: 19_480, kafka: 19_481 };
/** Longer than a listing rests between two audits. */
const settledMs = 15_000;
const folder = temporaryFolder('restore');
const folders = {
  engines: join(folder, 'engines'),
  data: join(folder, 'data'),
  backup: join(folder, 'backup'),
};
const infra = createInfra(folders.engines, enginePorts);
const { expectThat, conclude } = createExpectations();

/** Everything that runs. */
type Running = { system: DistributedSystem; stop(): Promise<void> };

try {
  const saved = await fillAndBackUp();
  console.log('\n# everything is lost, and the databases are restored');
  await infra.down();
  rmSync(folders.engines, { recursive: true, force: true });
  await verifyRestored(saved);
  console.log('\n# the databases are lost again; Kafka has newer events; Redis is emptied');
  await emptyRedis();
  await verifyRestored(saved);
  await loseKafka(saved);
} finally {
  await infra.down().catch(() => {});
}
process.exit(conclude());

function emptyRedis() {
  return promisify(execFile)('redis-cli', ['-p', String(enginePorts.redis), 'flushall']);
}

async function start(): Promise<Running> {
  await infra.up();
  const engine = await startEngine({ dataDir: folders.data });
  const system = await startDistributedSystem(['--service-port', String(ports.services)], {
    ...infra.settings,
    MONGODB_URI: engine.mongodbUri,
    STORE_SOURCE: 'sample',
    PORT: String(ports.gateway),
    METRICS_PORT: String(ports.metrics),
  }).catch(async (error: unknown) => {
    await engine.stop();
    throw error;
  });
  return {
    system,
    async stop() {
      const code = await system.end();
      expectThat(code === 0, 'everything stops with exit code 0');
      await engine.stop();
    },
  };
}

/** Does the main job, takes a backup, and changes things afterwards, which the restored system must not know. */
async function fillAndBackUp() {
  const { system, stop } = await start();
  const [url = ''] = system.urls;
  const account = await system.account('create', '--email', 'before@example.com', '--plan', 'unlimited');
  const key = account.key ?? '';
  const api = createApi(url, key, { isPatient: true });
  const id = await doMainJob(api, expectThat);
  const before = await readSettledState(key, id, system);
  mkdirSync(folders.backup, { recursive: true });
  const { pages } = await backUpDatabase(folders.data, databaseFile(folders.backup));
  console.log(`\n# a backup of ${pages} pages, then more writes`);
  expectThat(await trackAll(api, id, ['after backup', 'late planner']), 'keywords after the backup');
  const late = await system.account('create', '--email', 'after@example.com', '--plan', 'unlimited');
  const replaced = await system.account('regenerate', '--email', 'before@example.com');
  await expectScores(createApi(url, replaced.key ?? '', { isPatient: true }), id, 12);
  await stop();
  return { key, id, before, unknownKeys: { later: late.key ?? '', replaced: replaced.key ?? '' } };
}
type Saved = Awaited<ReturnType<typeof fillAndBackUp>>;

/** What the account sees, without what changes with the time. */
async function readState(key: string, id: number, url: string) {
  const api = createApi(url, key, { isPatient: true });
  // Before the audit, which costs a request.
  const usage = await api('GET', '/account/usage');
  const [apps, keywords, audit] = await Promise.all([
    api('GET', '/applications'),
    api('GET', `/keywords?app_id=${id}&per_page=100`),
    api('GET', `/applications/${id}/aso-health`),
  ]);
  // Events that Kafka still has are applied again, and the listings that they name are audited again, with the same result.
  const { computed_at: _, ...report } = audit.body.data?.report ?? {};
  return {
    apps: apps.body.data,
    keywords: keywords.body.data,
    report,
    apiRequests: usage.body.data?.usage.api_requests,
  };
}

/** The report changes with each round of words that the listing could add, until nothing is due that would change it. */
async function readSettledState(
  key: string,
  id: number,
  { urls: [url = ''], readMetrics }: DistributedSystem,
) {
  let state = await readState(key, id, url);
  const seconds = await until(async () => {
    const last = state;
    await wait(settledMs);
    const due = countDue(await readMetrics());
    state = await readState(key, id, url);
    return due === 0 && isDeepStrictEqual(state.report, last.report);
  });
  expectThat(seconds !== null, `the report is the same, and nothing is due, after ${seconds} s`);
  return state;
}

/** The jobs of all queues that are due. */
function countDue(metrics: ReadonlyMap<string, string>): number {
  const counts = [...metrics.values()].flatMap((text) => [
    ...text.matchAll(/^shelfwise_jobs_due\{.*\} (\d+)$/gm),
  ]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function expectScores(api: ReturnType<typeof createApi>, id: number, count: number): Promise<void> {
  const seconds = await until(async () => {
    const { body } = await api('GET', `/keywords?app_id=${id}&per_page=100`);
    const scored = (body.data ?? []).filter(
      (row: { traffic_score: number | null }) => row.traffic_score !== null,
    );
    return scored.length === count;
  });
  expectThat(seconds !== null, `${count} keywords have their scores in the list after ${seconds} s`);
}

/** Null: there is none. */
function describeDifference(actual: unknown, expected: unknown): string | null {
  try {
    deepStrictEqual(actual, expected);
    return null;
  } catch (error) {
    return (error as Error).message.slice(0, 3000);
  }
}

/** Starts everything on the backup, verifies it, and adds keywords, whose scores need events in both directions. */
async function verifyRestored({ key, id, before, unknownKeys }: Saved): Promise<void> {
  rmSync(folders.data, { recursive: true, force: true });
  mkdirSync(folders.data, { recursive: true, mode: 0o700 });
  await backUpDatabase(folders.backup, databaseFile(folders.data));
  const { system, stop } = await start();
  const [url = ''] = system.urls;
  const after = await readState(key, id, url);
  for (const part of ['apps', 'keywords', 'report'] as const) {
    const difference = describeDifference(after[part], before[part]);
    expectThat(difference === null, `${part} are those of the backup`);
    if (difference !== null) console.log(difference);
  }
  // `readState` has spent one after it had read the number.
  expectThat(
    after.apiRequests === before.apiRequests + 1,
    `the quota is that of the backup: ${after.apiRequests}`,
  );
  for (const [name, unknown] of Object.entries(unknownKeys)) {
    const { status } = await createApi(url, unknown)('GET', '/account/usage');
    expectThat(status === 401, `the ${name} key, of after the backup, is unknown (${status})`);
  }
  const api = createApi(url, key, { isPatient: true });
  const more = ['after backup', 'late planner', 'restored'];
  expectThat(await trackAll(api, id, more), 'keywords of after the backup can be tracked again');
  await expectScores(api, id, before.keywords.length + 3);
  await stop();
}

/** Kafka starts empty, without topics and offsets: events go on. */
async function loseKafka({ key, id }: Saved): Promise<void> {
  console.log('\n# Kafka alone is lost');
  await infra.down('kafka');
  rmSync(join(folders.engines, 'kafka-data'), { recursive: true, force: true });
  const { system, stop } = await start();
  const api = createApi(system.urls[0] as string, key, { isPatient: true });
  const listed = await api('GET', `/keywords?app_id=${id}&per_page=100`);
  const count = listed.body.data.length;
  expectThat(await trackAll(api, id, ['after kafka']), 'a keyword can be tracked');
  await expectScores(api, id, count + 1);
  await stop();
}
