/**
 * How long the endpoints of scoring take over HTTP, against a bare Express answer of the same size in the same run:
 * trust the ratios, not the numbers. The whole system on the sample store, in this process, one call at a time.
 *
 *   npm run score-times [-- --calls 40] [--rows 1000000]
 *
 * `--rows`: how many keywords all accounts together track; the list that is read has 1,000 of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '@shelfwise/runtime/config';
import { createLogger } from '@shelfwise/runtime/logger';
import { createRun } from '@shelfwise/runtime/run';
import { trackingDatabase } from '@shelfwise/tracking/config';
import express from 'express';
import { allInOneConfig } from '../src/config.ts';
import { ofSource } from '../src/open-databases.ts';
import { startSystem } from '../src/start-system.ts';
import { type Api, createApi } from './lib/api.ts';
import { openEmbeddedDatabase } from './lib/reader.ts';
import { seedKeywordLists } from './lib/seed-keyword-lists.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '40' },
    rows: { type: 'string', default: '20000' },
    help: { type: 'boolean' },
  },
});
const calls = Number(values.calls);
const rows = Number(values.rows);
if (values.help || !(calls >= 5 && calls <= 500) || !(rows >= 12_000 && rows <= 5_000_000)) {
  console.log(`usage: npm run score-times [-- --calls 40] [--rows 20000]
  5 to 500 calls of each; 12,000 to 5,000,000 keywords of all accounts, 1,000 of them in the list that is read.`);
  process.exit(values.help ? 0 : 2);
}

/** A key may make 5 calls a second: so many that none is refused, one call at a time. */
const keyCount = 12;
const appId = '9005997251';
const market = { store: 'ITUNES' as const, country: 'US', lang: 'en-US' };
const draft = { title: 'Habit Tracker: Daily Planner', subtitle: 'Routine & Goals, To Do List' };
const inMarket = new URLSearchParams(market);

/** Method, path and body, which may be another one for each call. */
type Request = [string, string, (object | (() => object) | undefined)?];

let newWords = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-score-times-'));
const logger = createLogger({ name: 'score-times', level: 'warn', destination: process.stderr });
const run = createRun(logger);
const settings = readConfig(allInOneConfig, { PORT: '0', SHELFWISE_DATA_DIR: dataDir, DAILY_RUN: 'false' });
const system = await startSystem({
  ...{ settings, run, logger, worker: new URL(import.meta.resolve('@shelfwise/embedded/worker')) },
  process: { pid: process.pid, nodeVersion: process.versions.node },
});
const bare = express();
bare.use(express.json());
let sameSize = {};
bare.all('/api/v1/bare', (_request, response) => void response.json(sameSize));
const bareServer = bare.listen(0, '127.0.0.1');

try {
  const { apis, accountIds } = await createApis();
  const id = await trackOnAll(apis);
  const database = await openEmbeddedDatabase(dataDir, ofSource(trackingDatabase, 'sample'));
  const seeded = { rows, accountIds, listingId: id, appId, market };
  await seedKeywordLists(database, seeded, new Date());
  await database.close();
  const steps: [string, ...Request][] = [
    ['#4 score history', 'GET', `/applications/${id}/scores/history`],
    ['#5 stored audit', 'GET', `/applications/${id}/aso-health`],
    ['#5 with its words', 'GET', `/applications/${id}/aso-health?include_words=true`],
    ['#6 metadata check', 'POST', '/metadata/check', { store: 'ITUNES', ...draft }],
    ['#7 simulation, words known', 'POST', '/metadata/simulate', { app_id: id, ...draft }],
    ['#7 simulation, 60 new words', 'POST', '/metadata/simulate', newDraft],
    ['#8 simulations', 'GET', '/metadata/simulate/history'],
    [`#13 keywords, 1,000 of ${rows.toLocaleString('en')}`, 'GET', `/keywords?app_id=${id}`],
    ['#18 inspection, page of today', 'GET', `/keywords/inspect?keyword=habit%20tracker&${inMarket}`],
    ['#19 inspections', 'GET', '/keywords/inspect/history'],
  ];
  console.log(
    `${'endpoint'.padEnd(32)}${'p50'.padStart(10)}${'p95'.padStart(10)}${'x bare Express'.padStart(16)}`,
  );
  for (const [name, ...request] of steps) await showTimes(name, apis, request);
} finally {
  bareServer.close();
  run.stop(0);
  await run.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

/** A draft with 60 words that nobody has ever looked at. */
function newDraft(): object {
  const words = Array.from({ length: 60 }, () => `zorb${(newWords++).toString(36)}`);
  return { ...market, store: 'GPLAY', title: 'Zorb', subtitle: '', description: words.join(', ') };
}

async function createApis(): Promise<{ apis: Api[]; accountIds: string[] }> {
  const accountIds: string[] = [];
  const apis: Api[] = [];
  for (let index = 0; index < keyCount; index++) {
    const account = { email: `times-${index}@example.com`, plan: 'unlimited' };
    const { id, key } = await system.accounts.create(account);
    accountIds.push(id);
    apis.push(createApi(system.url, key));
  }
  return { apis, accountIds };
}

/** Every account tracks the same app, which is audited to its last word before anything is timed. */
async function trackOnAll(apis: readonly Api[]): Promise<number> {
  let id = 0;
  for (const api of apis) {
    const { body } = await api('POST', '/applications', { app_id: appId, ...market });
    id = body.data.id;
  }
  const [first] = apis as [Api];
  const keywords = ['habit tracker', 'daily planner', 'routine'];
  await first('POST', '/keywords', { keywords, app_id: id, ...market });
  await first('POST', '/metadata/simulate', { app_id: id, ...draft });
  await sleep(3000);
  return id;
}

async function showTimes(name: string, apis: readonly Api[], request: Request) {
  const whole = await timesOf(apis, request);
  sameSize = whole.body;
  const { port } = bareServer.address() as AddressInfo;
  const [method, , body] = request;
  const toBare = createApi(`http://127.0.0.1:${port}`, 'none');
  const base = await timesOf([toBare], [method, '/bare', body]);
  const ratio = whole.p50 / base.p50;
  const ms = (time: number) => `${time.toFixed(1)} ms`.padStart(10);
  console.log(`${name.padEnd(32)}${ms(whole.p50)}${ms(whole.p95)}${`x${ratio.toFixed(1)}`.padStart(16)}`);
}

/** After some calls to warm up. @throws when an answer is not 200 */
async function timesOf(apis: readonly Api[], [method, path, body]: Request) {
  const times: number[] = [];
  let answer = {};
  for (let turn = -5; turn < calls; turn++) {
    const api = apis[(turn + 5) % apis.length] as Api;
    const sent = typeof body === 'function' ? body() : body;
    const { status, body: answered, ms } = await api(method, path, sent);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answered)}`);
    if (turn >= 0) times.push(ms);
    answer = answered;
  }
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), body: answer };
}
