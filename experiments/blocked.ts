import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@shelfwise/gateway/pages/readiness';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { type Api, type ApiAnswer, createApi } from '../testing/system/api.ts';
import { seedTrackedKeywords } from '../testing/system/seed-tracked-keywords.ts';
import { setMode, storeAddresses } from '../testing/system/stand-in.ts';
import { createUnlimitedSource } from '../testing/system/unlimited-source.ts';
import { withoutScores } from '../testing/system/without-scores.ts';
import { createCountingProxy } from './lib/counting-proxy.ts';
import { createExpectations } from './lib/expectations.ts';
import { chooseKeywordMarkets } from './lib/keyword-markets.ts';
import { readOptions } from './lib/options.ts';
import { startOnDataFolder, type WholeSystem } from './lib/systems-under-test.ts';

const { store, minutes, keywords } = readOptions(
  'npm run blocked',
  `What users see while the stores block. Starts the system on a stand-in for both stores, tracks an app and keywords, and lets the
stores block for some minutes while the daily run has work. Prints the answers, the health page, the store calls and the recovery.`,
  {
    store: ['', 'a stand-in for both stores with POST /__control', 'required'],
    minutes: [10, 'how long the stores block'],
    keywords: [40, 'the number of keywords that are due meanwhile'],
  },
);
const minuteMs = 60_000;
/** A circuit breaker stays open for at most a minute before it lets one call through. */
const firstAnswerWithinMs = 75_000;
/**
 * The first minute has the calls that open the circuit breakers and their first short pauses. After that each
 * endpoint gets one call per minute.
 */
const callsInFirstMinute = 30;
const callsInLaterMinutes = 10;

const appStore = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const googlePlay = { store: 'GPLAY', country: 'US', lang: 'en' };
const logger = createLogger({ name: 'blocked', level: 'warn', destination: process.stderr });
const { expectThat, conclude } = createExpectations();

await setMode(store, 'ok');
const proxy = createCountingProxy(store);
let system: WholeSystem | null = null;
try {
  system = await startSeeded();
  const api = createApi(system.url, system.key ?? '');
  const baseline = await trackAndRead(api);
  await blockStores(system, api, baseline);
  await recover(system, api, baseline);
} finally {
  await setMode(store, 'ok');
  const exitCodes = await system?.stop();
  await proxy.stop();
  if (exitCodes) expectThat(exitCodes.join() === '0', 'Ctrl-C stops the system with exit code 0');
}
process.exitCode = conclude();

/** Seeds keywords that were read yesterday and are due today. */
async function startSeeded(): Promise<WholeSystem> {
  const yesterday = () => new Date(Date.now() - dayMs);
  const source = createUnlimitedSource(store, yesterday);
  return startOnDataFolder({
    settings: async () => ({
      ...storeAddresses(await proxy.open()),
      SHELFWISE_DEMO_ACCOUNT: 'true',
      LOG_LEVEL: 'fatal',
    }),
    seed: (connection) =>
      seedTrackedKeywords(chooseKeywordMarkets(keywords), {
        connection,
        source,
        now: yesterday,
        logger,
      }),
    logger,
  });
}

type Baseline = { id: number; keywordId: number; list: string; history: string };

async function trackAndRead(api: Api): Promise<Baseline> {
  console.log('\n# the stores answer');
  const app = await api('POST', '/applications', { app_id: '281796108', ...appStore });
  const id = Number(app.body.data?.id);
  const words = { keywords: ['notes', 'to do list', 'organizer'], app_id: id, ...appStore };
  const added = await api('POST', '/keywords', words);
  print('POST applications', app);
  print('POST keywords', added);
  const list = await api('GET', `/keywords?app_id=${id}`);
  const keywordId = Number(list.body.data[0].keyword_id);
  const history = await api('GET', `/keywords/${keywordId}/ranks/history`);
  expectThat(added.body.data.success_count === 3, 'an app and three keywords are tracked');
  return {
    id,
    keywordId,
    list: JSON.stringify(withoutScores(list.body.data)),
    history: JSON.stringify(history.body.data),
  };
}

async function blockStores({ trackings, opsUrl }: WholeSystem, api: Api, baseline: Baseline): Promise<void> {
  console.log(`\n# the stores block for ${minutes} minutes`);
  await setMode(store, 'blocked');
  const call = { requestId: 'blocked', deadline: new Date(Date.now() + 10_000) };
  await trackings[0]?.startSnapshotRun({ all_of_today: true }, call);
  for (let minute = 1; minute <= minutes; minute++) {
    const startedAtMs = performance.now();
    const callsBefore = proxy.calls.length;
    console.log(`\n  minute ${minute}`);
    await callAsUser(api, baseline, minute);
    await showReadiness(opsUrl);
    await sleep(Math.max(0, minuteMs - (performance.now() - startedAtMs)));
    const calls = proxy.calls.length - callsBefore;
    const maxCalls = minute === 1 ? callsInFirstMinute : callsInLaterMinutes;
    expectThat(calls <= maxCalls, `${calls} calls reached the stores in this minute (limit ${maxCalls})`);
  }
}

async function callAsUser(api: Api, baseline: Baseline, minute: number): Promise<void> {
  const apps = [
    await api('POST', '/applications', { app_id: '281940292', ...appStore }),
    await api('POST', '/applications', { app_id: 'com.google.android.apps.translate', ...googlePlay }),
  ];
  for (const app of apps) print('POST applications', app);
  const words = { keywords: [`planner ${minute}`, `memo ${minute}`], app_id: baseline.id, ...appStore };
  const added = await api('POST', '/keywords', words);
  print('POST keywords', added);
  const list = await api('GET', `/keywords?app_id=${baseline.id}`);
  const history = await api('GET', `/keywords/${baseline.keywordId}/ranks/history`);
  const applications = await api('GET', '/applications');
  print('GET keywords', list);
  print('GET history', history);
  print('GET applications', applications);

  expectThat(
    apps.every(({ status, body }) => status === 502 && body.code === 'STORE_FETCH_FAILED'),
    'tracking an unreadable app is 502 STORE_FETCH_FAILED',
  );
  expectThat(
    added.status === 200 && added.body.data.error_count === 2,
    'tracking unreadable keywords is 200 with one error per keyword',
  );
  expectThat(
    [...apps, added].every(({ ms }) => ms < 35_000),
    'all within 35 s',
  );
  expectThat(
    JSON.stringify(withoutScores(list.body.data)) === baseline.list &&
      JSON.stringify(history.body.data) === baseline.history &&
      applications.body.data.length === 1,
    'stored data is served unchanged',
  );
  expectThat(
    [list, history, applications].every(({ ms }) => ms < 1000),
    'within a second',
  );
}

function print(name: string, { status, body, ms }: ApiAnswer): void {
  const results: { error?: string; success?: string }[] = body.data?.results ?? [];
  const message = body.error ?? results[0]?.error ?? results[0]?.success ?? '';
  console.log(`    ${name.padEnd(18)} ${status} ${`${Math.round(ms)} ms`.padStart(8)}  ${message}`);
}

async function showReadiness(opsUrl: string | null): Promise<void> {
  const answer = await fetch(`${opsUrl}/readyz`);
  const { status, services } = (await answer.json()) as Readiness;
  console.log(`    GET /readyz        ${answer.status} ${status}`);
  const parts = [...(services['store-fetch'] ?? []), ...(services.tracking ?? [])];
  for (const { name, state, detail } of parts) console.log(`      ${state.padEnd(9)} ${name}: ${detail}`);
  expectThat(answer.status === 200 && status === 'degraded', '/readyz is 200, degraded');
  expectThat(
    (services['store-fetch'] ?? []).some(({ state }) => state === 'degraded'),
    '/readyz names the stores as degraded',
  );
}

async function recover({ stores, opsUrl }: WholeSystem, api: Api, baseline: Baseline): Promise<void> {
  console.log('\n# the stores answer again');
  await setMode(store, 'ok');
  const backAtMs = performance.now();
  const elapsedMs = () => performance.now() - backAtMs;
  let tries = 0;
  for (;;) {
    const word = { keywords: ['handwriting'], app_id: baseline.id, ...appStore };
    const added = await api('POST', '/keywords', word);
    tries++;
    if (added.body.data?.success_count === 1) {
      print('POST keywords', added);
      break;
    }
    if (elapsedMs() > 5 * minuteMs) break;
    await sleep(1000);
  }
  expectThat(
    elapsedMs() < firstAnswerWithinMs,
    `the first success came after ${seconds(elapsedMs())}, on attempt ${tries} (one per second)`,
  );

  const today = utcDay(new Date());
  const seededIds = Array.from({ length: keywords }, (_, index) => index + 1);
  let read = 0;
  while (read < keywords && elapsedMs() < 40 * minuteMs) {
    read = (await stores.snapshots.findTaken(seededIds, today)).size;
    await sleep(1000);
  }
  expectThat(read === keywords, `the daily run read all ${keywords} keywords within ${seconds(elapsedMs())}`);
  for (const app of [
    await api('POST', '/applications', { app_id: '281940292', ...appStore }),
    await api('POST', '/applications', { app_id: 'com.google.android.apps.translate', ...googlePlay }),
  ]) {
    print('POST applications', app);
    expectThat(app.status === 200, 'an app that could not be read before is tracked');
  }
  const { services } = (await (await fetch(`${opsUrl}/readyz`)).json()) as Readiness;
  const parts = services['store-fetch'] ?? [];
  for (const { name, state, detail } of parts) console.log(`      ${state.padEnd(9)} ${name}: ${detail}`);
  // Scoring also reads charts, but a stand-in has only some of them.
  const failing = parts
    .flatMap(({ detail }) => detail.split('; '))
    .filter((line) => /^(itunes|play)-/.test(line) && !/^\S+-chart |^\S+ ok /.test(line));
  expectThat(failing.length === 0, 'the health page reports every endpoint as ok, apart from the charts');
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
