/**
 * The times of the scoring endpoints over HTTP, compared with a bare Express answer of the same size in the same run:
 * trust the ratios, not the times. The whole system runs on the sample store in this process, with one call at a
 * time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { trackingDatabase } from '@shelfwise/tracking/config';
import type { Api } from '../testing/system/api.ts';
import { startSampleSystem } from '../testing/system/start-sample-system.ts';
import { createCallers } from './lib/create-callers.ts';
import { openEmbeddedDatabase } from './lib/open-embedded-database.ts';
import { seedKeywordLists } from './lib/seed-keyword-lists.ts';
import { createTimesTable, type TimedCall } from './lib/times-table.ts';

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
  console.log(`Usage: npm run score-times [-- --calls 40] [--rows 20000]

  --calls N   calls per endpoint, 5 to 500
  --rows N    tracked keywords of all accounts, 12,000 to 5,000,000; the measured list has 1,000 of them`);
  process.exit(values.help ? 0 : 2);
}

const appId = '9005997251';
const storefront = { store: 'ITUNES' as const, country: 'US', lang: 'en-US' };
const draft = { title: 'Habit Tracker: Daily Planner', subtitle: 'Routine & Goals, To Do List' };
const inStorefront = new URLSearchParams(storefront);

let newWordCount = 0;

const { system, stop } = await startSampleSystem('score-times');
const table = createTimesTable(calls);

try {
  const { apis, accountIds } = await createCallers(system.accounts, system.url);
  const id = await trackOnAll(apis);
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(trackingDatabase, 'sample'));
  const seeded = { rows, accountIds, listingId: id, appId, storefront };
  await seedKeywordLists(database, seeded, new Date());
  await database.close();
  const get = (path: string): TimedCall => ({ method: 'GET', path });
  const post = (path: string, body: NonNullable<TimedCall['body']>): TimedCall => ({
    method: 'POST',
    path,
    body,
  });
  const steps: [string, TimedCall][] = [
    ['#4 score history', get(`/applications/${id}/scores/history`)],
    ['#5 stored audit', get(`/applications/${id}/aso-health`)],
    ['#5 with its words', get(`/applications/${id}/aso-health?include_words=true`)],
    ['#6 metadata check', post('/metadata/check', { store: 'ITUNES', ...draft })],
    ['#7 simulation, words known', post('/metadata/simulate', { app_id: id, ...draft })],
    ['#7 simulation, 60 new words', post('/metadata/simulate', newDraft)],
    ['#8 simulations', get('/metadata/simulate/history')],
    [`#13 keywords, 1,000 of ${rows.toLocaleString('en')}`, get(`/keywords?app_id=${id}`)],
    ['#18 inspection, snapshot of today', get(`/keywords/inspect?keyword=habit%20tracker&${inStorefront}`)],
    ['#19 inspections', get('/keywords/inspect/history')],
  ];
  table.showHeader();
  for (const [name, call] of steps) await table.show(name, apis, call);
} finally {
  table.close();
  await stop();
}

/** A draft with 60 words without scores. */
function newDraft(): object {
  const words = Array.from({ length: 60 }, () => `zorb${(newWordCount++).toString(36)}`);
  return { ...storefront, store: 'GPLAY', title: 'Zorb', subtitle: '', description: words.join(', ') };
}

/** Every account tracks the same app. Its audit must be complete before the measurement starts. */
async function trackOnAll(apis: readonly Api[]): Promise<number> {
  let id = 0;
  for (const api of apis) {
    const { body } = await api('POST', '/applications', { app_id: appId, ...storefront });
    id = body.data.id;
  }
  const [first] = apis as [Api];
  const keywords = ['habit tracker', 'daily planner', 'routine'];
  await first('POST', '/keywords', { keywords, app_id: id, ...storefront });
  await first('POST', '/metadata/simulate', { app_id: id, ...draft });
  await sleep(3000);
  return id;
}
