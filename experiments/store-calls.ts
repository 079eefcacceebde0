/**
 * What tracked apps and keywords cost at the App Store: `npm start` on a stand-in tracks apps, then keywords for them, and lives through
 * a week after each. Prints the calls by endpoint: at the beginning, and on each later day.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { dayMs } from '@shelfwise/runtime/day';
import { type Endpoint, endpoints } from '@shelfwise/store-fetch/call-budget/endpoints';
import { type Api, createApi } from '../testing/system/api.ts';
import { storeAddresses } from '../testing/system/stand-in.ts';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { createCleanup } from './lib/cleanup.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    apps: { type: 'string', default: '5' },
    keywords: { type: 'string', default: '8' },
    port: { type: 'string', default: '18390' },
    help: { type: 'boolean' },
  },
});
const [apps, keywordsPerApp] = [Number(values.apps), Number(values.keywords)];

/** What people search for; each app gets its own part of the list. */
const searches =
  `photo editor, weather radar, budget planner, habit tracker, meditation, language learning, recipes, workout,
  sleep sounds, notes, invoice maker, dating, qr code scanner, calendar, to do list, pdf reader, music player, podcast, news, crossword,
  sudoku, chess, solitaire, word search, travel guide, flight tracker, hotel booking, translator, dictionary, calculator,
  unit converter, alarm clock, step counter, calorie counter, yoga, running, fasting, water reminder, period tracker, pregnancy`.split(
    /,\s+/,
  );
const isCount = (value: number) => Number.isInteger(value) && value >= 1;
const mostApps = searches.length / keywordsPerApp;
if (values.help || !values.store || !(isCount(apps) && isCount(keywordsPerApp) && apps <= mostApps)) {
  console.log(`Usage: npm run store-calls -- --store URL [--apps 5] [--keywords 8]

  --store URL   a stand-in for both stores
  --apps N      of the top chart of the stand-in
  --keywords N  of each app; at most ${searches.length} together
  --port N      of the gateway (default 18390)`);
  process.exit(values.help ? 0 : 2);
}

const names = (Object.keys(endpoints) as Endpoint[]).filter((name) => endpoints[name].store === 'ITUNES');
const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
/** After so long without a store call everything is read. */
const quietMs = 12_000;
/** Suggestions that seem empty are read again after ten minutes. */
const secondLookMs = 15 * 60_000;
const daysOfWeek = 7;
const stepsPerDay = 4;

const cleanup = createCleanup();
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-calls-'));
cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
const clockFile = join(folder, 'clock');
let aheadMs = 0;

try {
  await run();
} finally {
  await cleanup.run();
}

async function run(): Promise<void> {
  const system = await startSystemProcess({
    ...storeAddresses(values.store as string),
    // Empty ones count as absent: nothing else is called or filled.
    MONGODB_URI: '',
    REDIS_URL: '',
    KAFKA_BROKERS: '',
    STORE_PROXIES: '',
    NODE_OPTIONS: `--import ${new URL('faults/shift-clock.mjs', import.meta.url).href}`,
    FAULTS_CLOCK_PORT: values.port as string,
    FAULTS_CLOCK_FILE: clockFile,
    PORT: values.port as string,
    METRICS_PORT: '0',
    SHELFWISE_DATA_DIR: join(folder, 'data'),
    SHELFWISE_DEMO_ACCOUNT: 'true',
    STORE_SOURCE: 'live',
    // None of them is to limit what is counted.
    STORE_ITUNES_PER_MINUTE: '6000',
    STORE_ITUNES_HINTS_PER_MINUTE: '6000',
    STORE_ITUNES_PAGES_PER_MINUTE: '6000',
    LOG_LEVEL: 'fatal',
  });
  cleanup.add(() => system.end('SIGINT'));
  const api = createApi(system.url, system.key ?? '');
  const metrics = `${system.opsUrl}/metrics`;
  const rows: string[][] = [];
  const measure = async (name: string, work: () => Promise<void>, times = 1) => {
    const before = await readCalls(metrics);
    await work();
    const after = await readCalls(metrics);
    const calls = names.map((endpoint) => ((after[endpoint] - before[endpoint]) / times).toFixed(1));
    rows.push([name, ...calls]);
    console.log(`${name}: ${names.map((endpoint, index) => `${endpoint} ${calls[index]}`).join(', ')}`);
  };

  // Before anything is counted.
  const chart = await ask(api, 'GET', `/top-charts?store=ITUNES&country=US&limit=${apps}`);
  await settle(metrics);
  const ids: number[] = [];
  await measure(`${apps} apps are tracked`, async () => {
    for (const { app_id: appId } of chart.rows) {
      await ask(api, 'POST', '/applications', { app_id: appId, ...market });
    }
    const list = await ask(api, 'GET', '/applications');
    ids.push(...list.map(({ id }: { id: number }) => id));
    await settle(metrics);
  });
  await measure('each later day with them', () => liveThroughWeek(metrics), daysOfWeek);
  await measure(`${apps * keywordsPerApp} keywords more`, async () => {
    for (const [index, id] of ids.entries()) {
      const keywords = searches.slice(index * keywordsPerApp, (index + 1) * keywordsPerApp);
      const { success_count: count } = await ask(api, 'POST', '/keywords', {
        keywords,
        app_id: id,
        ...market,
      });
      if (count !== keywords.length) throw new Error(`${count} of ${keywords.length} keywords are tracked`);
    }
    await settle(metrics);
  });
  await measure('each later day with both', () => liveThroughWeek(metrics), daysOfWeek);
  console.log(`\n${formatTable(['calls', ...names], rows)}`);
}

/** The data of an answer. @throws Error for an answer other than 200 */
// biome-ignore lint/suspicious/noExplicitAny: a script reads whatever comes
async function ask(api: Api, method: string, path: string, body?: object): Promise<any> {
  const answer = await api(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function liveThroughWeek(metrics: string): Promise<void> {
  // Each keyword and app has a time of its own in the day: after a whole day at once it would be read every second day.
  for (let step = 0; step < daysOfWeek * stepsPerDay; step++) {
    moveClock(dayMs / stepsPerDay);
    await waitUntilQuiet(metrics);
  }
}

/** Waits until no store call is made, also after the time of second looks. */
async function settle(metrics: string): Promise<void> {
  await waitUntilQuiet(metrics);
  moveClock(secondLookMs);
  await waitUntilQuiet(metrics);
}

async function waitUntilQuiet(metrics: string): Promise<void> {
  let last = -1;
  for (let total = 0; total !== last; ) {
    last = total;
    await sleep(quietMs);
    total = Object.values(await readCalls(metrics)).reduce((sum, count) => sum + count, 0);
  }
}

/** All calls so far, also failed ones. */
async function readCalls(metrics: string): Promise<Record<Endpoint, number>> {
  const text = await (await fetch(metrics)).text();
  const counted = [...text.matchAll(/^shelfwise_store_calls_total\{.*endpoint="([\w-]+)".*\} (\d+)$/gm)];
  const sum = (name: Endpoint) =>
    counted.filter((match) => match[1] === name).reduce((total, match) => total + Number(match[2]), 0);
  if (counted.length === 0) throw new Error(`${metrics} counts no calls`);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Endpoint, number>;
}

function moveClock(ms: number): void {
  aheadMs += ms;
  writeFileSync(clockFile, String(aheadMs));
}
