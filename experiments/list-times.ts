/**
 * The times of the large lists over HTTP, compared with a bare Express answer of the same bytes: the calls alternate
 * in one run, so trust the ratios, not the times. The whole system runs on the sample store in this process, with one
 * call at a time and without compression.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { trackingDatabase } from '@shelfwise/tracking/config';
import express from 'express';
import { startSampleSystem } from '../testing/system/start-sample-system.ts';
import { createCallers } from './lib/create-callers.ts';
import { openEmbeddedDatabase } from './lib/open-embedded-database.ts';
import { seedAppLists } from './lib/seed-app-lists.ts';
import { seedKeywordLists } from './lib/seed-keyword-lists.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '25' },
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});
const calls = Number(values.calls);
const rows = Number(values.rows);
if (values.help || !(calls >= 5 && calls <= 500) || !(rows >= 12_000 && rows <= 5_000_000)) {
  console.log(`Usage: npm run list-times [-- --calls 25] [--rows 1000000] [--only TEXT]

  --calls N     calls per list, 5 to 500
  --rows N      tracked keywords of all accounts, 12,000 to 5,000,000
  --only TEXT   measures only the lists whose name contains the text`);
  process.exit(values.help ? 0 : 2);
}
/** The goal: how many times as long as a bare Express answer of the same bytes a list of 1,000 keywords takes. */
const maxRatio = 8;
const warmUps = 8;
const appId = '9005997251';
const storefront = { store: 'ITUNES' as const, country: 'US', lang: 'en-US' };

const { system, stop } = await startSampleSystem('list-times');
const bare = express();
let bareBody: unknown = {};
bare.get('/bare', (_request, response) => void response.json(bareBody));
const server = bare.listen(0, '127.0.0.1');
await once(server, 'listening');
const bareUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bare`;

try {
  const { apis, keys, accountIds } = await createCallers(system.accounts, system.url);
  let id = 0;
  for (const api of apis)
    id = (await api('POST', '/applications', { app_id: appId, ...storefront })).body.data.id;
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  await seedKeywordLists(database, { rows, accountIds, listingId: id, appId, storefront }, new Date());
  await seedAppLists(database, { count: 999, accountIds, listingId: id }, new Date());
  await database.close();

  const lists: [string, string, string[]][] = [
    ['#13 keywords, 10', '/keywords?per_page=10', keys],
    ['#13 keywords, 100', '/keywords?per_page=100', keys],
    ['#13 keywords, 1,000', '/keywords?per_page=1000', keys],
    ['#13 keywords of an app, 1,000', `/keywords?app_id=${id}`, keys],
    ['#13 50 of 1,000 by -traffic', '/keywords?sort=-traffic&per_page=50', keys],
    ['#13 50 of 1,000 by rank', '/keywords?sort=rank&per_page=50', keys],
    ['#13 50 of 1,000 by -delta', '/keywords?sort=-delta&per_page=50', keys],
    ['#13 50 of 1,000 with a text', '/keywords?search=keyword&per_page=50', keys],
    ['#2 applications, 1,000', '/applications', keys],
    ['#12 competitors, 999', '/competitors', keys],
    ['#17 rank history, 400 days', await rankHistoryPath(keys[0] as string), keys.slice(0, 1)],
    ['movers of 1,000 keywords, 50', `/applications/${id}/movers?days=1`, keys.slice(0, 1)],
  ];
  console.log(`${'list'.padEnd(32)}      kB         ms    bare ms    x bare`);
  for (const [name, path, callers] of lists) {
    if (!name.includes(values.only)) continue;
    const { kB, ms, bareMs } = await measure(path, callers);
    const ratio = ms / bareMs;
    const cells = [kB.toFixed(0).padStart(8), ms.toFixed(1).padStart(11), bareMs.toFixed(1).padStart(11)];
    console.log(`${name.padEnd(32)}${cells.join('')}${ratio.toFixed(1).padStart(10)}`);
    if (name === '#13 keywords, 1,000')
      console.log(`  goal of at most ${maxRatio} times ${ratio <= maxRatio ? 'reached' : 'MISSED'}`);
  }
} finally {
  server.close();
  await stop();
}

/** The medians of alternating calls of the product and of the bare answer. */
async function measure(path: string, keys: readonly string[]) {
  const [times, bareTimes]: [number[], number[]] = [[], []];
  let kB = 0;
  for (let index = 0; index < warmUps + calls; index++) {
    const answer = await get(`${system.url}/api/v1${path}`, keys[index % keys.length] ?? '');
    bareBody = answer.body;
    const bareAnswer = await get(bareUrl, '');
    kB = answer.bytes / 1000;
    if (index < warmUps) continue;
    times.push(answer.ms);
    bareTimes.push(bareAnswer.ms);
  }
  return { kB, ms: medianOf(times), bareMs: medianOf(bareTimes) };
}

/** A call until its answer is parsed. A refused rate is waited for. */
async function get(url: string, key: string): Promise<{ ms: number; bytes: number; body: unknown }> {
  for (;;) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
    const text = await response.text();
    const body: unknown = JSON.parse(text);
    const ms = performance.now() - startedAt;
    if (response.ok) return { ms, bytes: Buffer.byteLength(text), body };
    if (response.status !== 429) throw new Error(`${url}: ${response.status} ${text.slice(0, 500)}`);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The history of the keyword with the most days. */
async function rankHistoryPath(key: string): Promise<string> {
  const { body } = await get(`${system.url}/api/v1/keywords`, key);
  const { data } = body as { data: { keyword_id: number }[] };
  const newest = Math.max(...data.map((row) => row.keyword_id));
  const to = new Date();
  const from = new Date(to.getTime() - 399 * 86_400_000);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return `/keywords/${newest}/ranks/history?from=${day(from)}&to=${day(to)}`;
}
