import { isDeepStrictEqual } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { type Api, createApi } from '../testing/system/api.ts';
import { startBareRun } from './lib/bare-run.ts';
import { startDistributedSystem } from './lib/distributed-system.ts';
import { createExpectations } from './lib/expectations.ts';
import { sumLocalDecisions } from './lib/local-decisions.ts';
import { askAssistants, attack, doMainJob, until } from './lib/main-job-steps.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const {
  copies,
  port,
  'service-port': servicePort,
} = readOptions(
  'npm run distributed',
  `The main job on npm run start:distributed, with copies of every part: calls alternate between the gateways. Verifies that scores and
audits arrive in the lists as events, that all gateways answer the same, that the rate windows hold over two gateways under attack,
that a replaced key is refused by both, that copies share the work, and that assistants are answered through every gateway.
npm run faults kills, freezes and restarts them.

KAFKA_BROKERS and REDIS_URL name the engines (npm run infra -- up kafka redis). Without MONGODB_URI the embedded database serves all
processes.`,
  {
    copies: ['all=2', 'as of npm run start:distributed; at least two gateways'],
    port: [18_080, 'of the first gateway; the others, and metrics from this port + 100, follow'],
    'service-port': [15_051, 'as of npm run start:distributed'],
  },
);
const { KAFKA_BROKERS, REDIS_URL } = process.env;
if (!KAFKA_BROKERS || !REDIS_URL) {
  console.error(
    'Set KAFKA_BROKERS and REDIS_URL: "npm run infra -- up kafka redis" starts them and prints both.',
  );
  process.exit(2);
}

const expectations = createExpectations();
const { expectThat, expectOnMachine, conclude } = expectations;
/** Gateways that Redis does not tell of a replaced key notice it in the database. */
const noticedWithinMs = 1000;

const engine = process.env.MONGODB_URI
  ? null
  : await startEngine({ dataDir: temporaryFolder('distributed') });
const mongodbUri = process.env.MONGODB_URI ?? engine?.mongodbUri ?? '';
const options = ['--copies', copies, '--service-port', String(servicePort)];
const system = await startDistributedSystem(options, {
  MONGODB_URI: mongodbUri,
  PORT: String(port),
  METRICS_PORT: String(port + 100),
});
try {
  console.log(`# started in ${Math.round(system.startedInMs)} ms: ${system.urls.join(', ')}`);
  const account = await createAccount();
  const key = account.key ?? '';
  const apis = system.urls.map((url) => createApi(url, key));
  let calls = 0;
  const api: Api = (...call) => (apis[calls++ % apis.length] as Api)(...call);
  const id = await doMainJob(api, expectThat);
  await compareGateways(apis, id);
  await countCalls();
  await askAssistants(system.urls, key, expectThat);
  await attack(system.urls, (await createAccount()).key ?? '', expectations, async () =>
    sumLocalDecisions((await system.readMetrics()).values()),
  );
  await replaceKey(account);
} finally {
  const code = await system.end();
  expectThat(code === 0, 'Ctrl-C stops all processes with exit code 0');
  await engine?.stop();
}
process.exitCode = conclude();

function createAccount(): Promise<Record<string, string>> {
  return system.account('create', '--email', `${Date.now()}@example.com`, '--plan', 'unlimited');
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

async function replaceKey({ id = '', key = '' }: Record<string, string>): Promise<void> {
  console.log('\n# a replaced key');
  const usage = async (url: string, usedKey: string) =>
    (await fetch(`${url}/api/v1/account/usage`, { headers: { 'x-api-key': usedKey } })).status;
  const isRefused = async () =>
    (await Promise.all(system.urls.map((url) => usage(url, key)))).every((status) => status === 401);
  const bareRun = await startBareRun();
  const { key: newKey = '' } = await system.account('regenerate', '--id', id);
  const replacedAt = performance.now();
  /** When the last call began that a gateway did not refuse, in ms after the key was replaced. */
  let lastAcceptedMs: number | null = null;
  const seconds = await until(async () => {
    const beganMs = performance.now() - replacedAt;
    const isOver = await isRefused();
    if (!isOver) lastAcceptedMs = beganMs;
    return isOver;
  });
  const bare = await bareRun.stop();
  expectThat(seconds !== null && (await isRefused()), 'every gateway refuses the old key');
  expectOnMachine(
    { isMet: (lastAcceptedMs ?? 0) < noticedWithinMs, limitMs: noticedWithinMs, bare },
    lastAcceptedMs === null
      ? 'from the first call on'
      : `the last call that was not refused began ${Math.round(lastAcceptedMs)} ms after the key was replaced`,
  );
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
