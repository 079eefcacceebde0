/**
 * The main job on `npm run start:distributed`, with copies of every part: calls alternate between the gateways.
 * Verifies that scores and audits arrive in the lists as events, that all gateways answer the same, that the rate
 * windows hold over two gateways under attack, that a replaced key is refused by both, that copies share the work, and that
 * assistants are answered through every gateway. `npm run faults` kills, freezes and restarts them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { type Api, createApi } from '../testing/system/api.ts';
import { attackWindows } from './lib/attack-windows.ts';
import { startDistributedSystem } from './lib/distributed-system.ts';
import { createExpectations } from './lib/expectations.ts';

const { values } = parseArgs({
  options: {
    copies: { type: 'string', default: 'all=2' },
    port: { type: 'string', default: '18080' },
    'service-port': { type: 'string', default: '15051' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(`Usage: npm run distributed -- [--copies all=2] [--port 18080]

  --copies   as of npm run start:distributed; at least two gateways
  --port     of the first gateway; the others, and metrics from this port + 100, follow
  --service-port  as of npm run start:distributed

KAFKA_BROKERS and REDIS_URL name the engines (npm run infra -- up kafka redis). Without MONGODB_URI the embedded
database serves all processes.`);
  process.exit(0);
}
const { KAFKA_BROKERS, REDIS_URL } = process.env;
if (!KAFKA_BROKERS || !REDIS_URL) {
  console.error(
    'Set KAFKA_BROKERS and REDIS_URL: "npm run infra -- up kafka redis" starts them and prints both.',
  );
  process.exit(2);
}

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const keywords = 'habit tracker,routine,daily planner,goals,mood,streak,reminder,focus,journal,to do'.split(
  ',',
);
const { expectThat, conclude } = createExpectations();

const folder = mkdtempSync(join(tmpdir(), 'shelfwise-distributed-'));
const engine = process.env.MONGODB_URI ? null : await startEngine({ dataDir: folder });
const port = Number(values.port);
const mongodbUri = process.env.MONGODB_URI ?? engine?.mongodbUri ?? '';
const options = ['--copies', values.copies, '--service-port', values['service-port']];
const system = await startDistributedSystem(options, {
  MONGODB_URI: mongodbUri,
  PORT: String(port),
  METRICS_PORT: String(port + 100),
});
try {
  console.log(`# started in ${Math.round(system.startedInMs)} ms: ${system.urls.join(', ')}`);
  const account = await system.account(
    'create',
    '--email',
    `${Date.now()}@example.com`,
    '--plan',
    'unlimited',
  );
  const key = account.key ?? '';
  const apis = system.urls.map((url) => createApi(url, key));
  let calls = 0;
  const api: Api = (...call) => (apis[calls++ % apis.length] as Api)(...call);
  const id = await doMainJob(api);
  await compareGateways(apis, id);
  await countCalls();
  await askAssistants(key);
  await attack();
  await replaceKey(account);
} finally {
  const code = await system.end();
  expectThat(code === 0, 'Ctrl-C stops all processes with exit code 0');
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = conclude();

async function doMainJob(api: Api): Promise<number> {
  console.log(`\n# an app and ${keywords.length} keywords; the gateways take turns`);
  const tracked = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  const id = Number(tracked.body.data?.id);
  expectThat(tracked.status === 200, `the app is tracked (${Math.round(tracked.ms)} ms)`);
  const added = await api('POST', '/keywords', { keywords, app_id: id, ...storefront });
  expectThat(
    added.body.data?.success_count === keywords.length,
    `the keywords, in ${Math.round(added.ms)} ms`,
  );
  await expectScores(api, id, keywords.length);
  const audited = await until(60, async () => {
    const { body } = await api('GET', `/applications?app_id=${id}`);
    return body.data?.[0]?.aso_health !== null;
  });
  expectThat(audited !== null, `the audit is in the list of applications after ${audited} s`);
  const report = await api('GET', `/applications/${id}/aso-health`);
  expectThat(report.status === 200, `the audit (${Math.round(report.ms)} ms)`);
  const niches = await api('GET', '/niches?topic=habit+tracker&store=ITUNES&country=US&lang=en-US');
  expectThat(
    niches.status === 200 && niches.body.data.clusters.length > 0,
    `niches (${Math.round(niches.ms)} ms)`,
  );
  const chart = await api('GET', '/top-charts?store=ITUNES&country=US&collection=free');
  expectThat(chart.status === 200, `a top chart (${chart.status} ${chart.body.error ?? ''})`);
  return id;
}

/** Scores reach the list as events: tracking -> scoring -> tracking. */
async function expectScores(api: Api, id: number, count: number): Promise<void> {
  const seconds = await until(90, async () => {
    const { body } = await api('GET', `/keywords?app_id=${id}&per_page=100`);
    const rows = body.data as { traffic_score: number | null; difficulty_score: number | null }[];
    return rows.filter((row) => row.traffic_score !== null && row.difficulty_score !== null).length === count;
  });
  expectThat(seconds !== null, `all ${count} keywords have their scores in the list after ${seconds} s`);
}

async function compareGateways(apis: readonly Api[], id: number): Promise<void> {
  console.log('\n# the same answer from every gateway');
  for (const path of [
    `/keywords?app_id=${id}`,
    `/applications?app_id=${id}`,
    `/applications/${id}/aso-health`,
  ]) {
    const answers = await Promise.all(apis.map((api) => api('GET', path)));
    expectThat(
      answers.every(({ body }) => isDeepStrictEqual(body.data, answers[0]?.body.data)),
      path,
    );
  }
}

/** Through both gateways at once, to assistant servers that do not know of each other's calls. */
async function askAssistants(key: string): Promise<void> {
  console.log('\n# eight calls of a tool at once, over every gateway');
  const headers = { Authorization: `Bearer ${key}` };
  const answers = await Promise.all(
    system.urls.map(async (url) => {
      const client = new Client({ name: 'distributed', version: '1.0.0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
      );
      const call = () => client.callTool({ name: 'list_applications', arguments: {} });
      const results = await Promise.all(Array.from({ length: 8 }, call));
      await client.close();
      return results;
    }),
  );
  const [first, ...others] = answers.flat();
  expectThat(
    first?.isError !== true && others.every((one) => isDeepStrictEqual(one.content, first?.content)),
    `all ${answers.flat().length} have the same answer`,
  );
}

async function attack(): Promise<void> {
  console.log('\n# an attack on the rate windows, over all gateways at once');
  const { key = '' } = await system.account(
    'create',
    '--email',
    `${Date.now()}@example.com`,
    '--plan',
    'unlimited',
  );
  const { sent, admitted, mostInASecond, unexpected } = await attackWindows({
    urls: system.urls,
    key,
    ms: 20_000,
  });
  console.log(`  ${sent} calls, ${admitted} admitted, at most ${mostInASecond} in a second`);
  expectThat(admitted === 59, 'exactly 59 calls are admitted in less than 60 s');
  expectThat(mostInASecond <= 5, 'at most 5 calls are admitted in any second');
  expectThat(unexpected.length === 0, `every other call is 429 ${unexpected.slice(0, 3).join(', ')}`);
}

async function replaceKey({ id = '', key = '' }: Record<string, string>): Promise<void> {
  console.log('\n# a replaced key');
  const usage = async (url: string, usedKey: string) =>
    (await fetch(`${url}/api/v1/account/usage`, { headers: { 'x-api-key': usedKey } })).status;
  const { key: newKey = '' } = await system.account('regenerate', '--id', id);
  const replacedAt = performance.now();
  const seconds = await until(5, async () =>
    (await Promise.all(system.urls.map((url) => usage(url, key)))).every((status) => status === 401),
  );
  const ms = Math.round(performance.now() - replacedAt);
  expectThat(seconds !== null && ms < 1000, `every gateway refuses the old key after ${ms} ms`);
  const statuses = await Promise.all(system.urls.map((url) => usage(url, newKey)));
  expectThat(
    statuses.every((status) => status === 200 || status === 429),
    `the new key works: ${statuses}`,
  );
}

/** How many RPCs each copy of each service has answered. */
async function countCalls(): Promise<void> {
  console.log('\n# RPCs that each process has answered, without health checks');
  const idle: string[] = [];
  for (const [name, text] of await system.readMetrics()) {
    const counts = [...text.matchAll(/^shelfwise_rpc_duration_seconds_count\{(.*)\} (\d+)$/gm)]
      .filter(([, labels]) => !/getStatus|check/i.test(labels ?? ''))
      .map(([, , count]) => Number(count));
    const total = counts.reduce((sum, count) => sum + count, 0);
    console.log(`  ${name.padEnd(14)} ${total}`);
    if (total === 0 && /^(tracking|scoring|store-fetch)/.test(name)) idle.push(name);
  }
  expectThat(
    idle.length === 0,
    `every copy of tracking, scoring and store-fetch has answered calls ${idle.join(', ')}`,
  );
}

/** The seconds until `isTrue`, asked every 300 ms; null when it is not within `seconds`. */
async function until(seconds: number, isTrue: () => Promise<boolean>): Promise<number | null> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  while (elapsed() < seconds) {
    if (await isTrue()) return Math.round(10 * elapsed()) / 10;
    await sleep(300);
  }
  return null;
}
