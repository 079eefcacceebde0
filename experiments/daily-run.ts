/**
 * One day's run on stores that misbehave: markets of both stores that were tracked yesterday are read today, through a
 * proxy that counts every call, while each fault is switched on for a while; once in full and once for 30% of the
 * calls. Promises that the budgets are kept, that every market is read exactly once, and that no snapshot is wrong.
 *
 * On a data folder the whole system runs, and scoring makes the first scores of the keywords meanwhile, out of the same
 * budgets; with `--copies`, store-fetch and tracking alone.
 *
 *   npm run daily-run -- --store http://127.0.0.1:4780
 *   npm run daily-run -- --store http://127.0.0.1:4780 --copies 2 --mongodb mongodb://127.0.0.1:27017
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dayMs, startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { createLogger } from '@shelfwise/runtime/logger';
import { seedTrackedKeywords } from '../testing/system/seed-tracked-keywords.ts';
import { faults, setMode, storeAddresses } from '../testing/system/stand-in.ts';
import { createUnlimitedSource } from '../testing/system/unlimited-source.ts';
import { createCountingProxy, mostInAMinute } from './lib/counting-proxy.ts';
import { createExpectations } from './lib/expectations.ts';
import { createFaultPlan } from './lib/fault-plan.ts';
import { chooseKeywordMarkets, keywordMarketKey, searchStoreDirectly } from './lib/keyword-markets.ts';
import { createMinuteReport } from './lib/minute-report.ts';
import { type SystemUnderTest, startCopies, startOnDataFolder } from './lib/systems-under-test.ts';

const usage = `usage: npm run daily-run -- --store URL [options]

  --store URL         a stand-in for both stores with POST /__control
  --markets N         half of them on each store (200)
  --per-minute N      the App Store's budget; Google Play's is three times that (20)
  --faults a,b        some of ${faults.join(', ')}, or none (all)
  --minutes N         give up after that long (40)
  --copies N          that many copies of store-fetch and tracking, on the server of --mongodb
  --mongodb URI       a MongoDB-compatible server that holds no Shelfwise`;

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    markets: { type: 'string', default: '200' },
    'per-minute': { type: 'string', default: '20' },
    faults: { type: 'string', default: faults.join(',') },
    minutes: { type: 'string', default: '40' },
    copies: { type: 'string' },
    mongodb: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help || !values.store || (values.copies !== undefined) !== (values.mongodb !== undefined)) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
const store = values.store;
const budgets = { itunes: Number(values['per-minute']), play: 3 * Number(values['per-minute']) };
const playedFaults = faults.filter((fault) => values.faults.split(',').includes(fault));
const markets = chooseKeywordMarkets(Number(values.markets));
const minuteMs = 60_000;
const giveUpMs = Number(values.minutes) * minuteMs;
const logger = createLogger({ name: 'daily-run', level: 'warn', destination: process.stderr });
const { expectThat, conclude } = createExpectations();

await setMode(store, 'ok');
await waitForRoomInTheDay();
const today = utcDay(new Date());
const proxy = createCountingProxy(store);
let system: SystemUnderTest | null = null;
try {
  system = await startSystem();
  await follow(system);
  await setMode(store, 'ok');
  await judge(system);
} finally {
  await setMode(store, 'ok');
  const codes = await system?.stop();
  await proxy.stop();
  if (codes)
    expectThat(
      codes.every((code) => code === 0),
      'every process drains and ends with 0',
    );
}
process.exitCode = conclude();

/** A run that began before midnight would end on another day. */
async function waitForRoomInTheDay(): Promise<void> {
  const leftMs = startOfNextDay(new Date()).getTime() - Date.now();
  if (leftMs > Math.min(giveUpMs, 15 * minuteMs)) return;
  console.log(`waiting for the next UTC day, which begins in ${Math.ceil(leftMs / minuteMs)} minutes`);
  await sleep(leftMs + 1000);
}

async function startSystem(): Promise<SystemUnderTest> {
  const yesterday = () => new Date(Date.now() - dayMs);
  const source = createUnlimitedSource(store, yesterday);
  const options = {
    settings: async () => ({
      ...storeAddresses(await proxy.open()),
      STORE_TIMEOUT_MS: '2500',
      STORE_ITUNES_PER_MINUTE: String(budgets.itunes),
      STORE_PLAY_PER_MINUTE: String(budgets.play),
      LOG_LEVEL: 'fatal',
    }),
    seed: (connection: SystemUnderTest['database']) =>
      seedTrackedKeywords(markets, { connection, source, now: yesterday, logger }),
    logger,
  };
  const startedAt = performance.now();
  const started =
    values.copies !== undefined && values.mongodb !== undefined
      ? await startCopies(Number(values.copies), values.mongodb, options)
      : await startOnDataFolder(options);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const copies = started.trackings.length === 1 ? 'one copy' : `${started.trackings.length} copies`;
  console.log(
    `${markets.length} markets were tracked yesterday, ${copies} of the services run (${seconds} s)`,
  );
  return started;
}

/** Starts the run in every copy and looks on until every market has today's snapshot. */
async function follow({ trackings, database }: SystemUnderTest): Promise<void> {
  const plan = createFaultPlan({
    store,
    faults: playedFaults,
    calls: proxy.calls,
    // So that the last fault still meets markets that are to be read.
    callsBetween: Math.max(2, Math.floor(markets.length / (4 * playedFaults.length + 2))),
  });
  const call = () => ({ requestId: 'daily-run', deadline: new Date(Date.now() + 10_000) });
  for (const tracking of trackings) await tracking.startSnapshotRun({ all_of_today: true }, call());
  const report = createMinuteReport(proxy.calls);
  const startedAtMs = performance.now();
  let isOver = false;
  while (!isOver) {
    await sleep(250);
    await plan.tick();
    const read = await database.collection('snapshots').countDocuments({ day: today });
    const passedMs = performance.now() - startedAtMs;
    isOver = read === markets.length || passedMs > giveUpMs;
    report.note(plan.current(), read, passedMs, isOver);
  }
  const unmet = plan.unplayed();
  const except = unmet.length === 0 ? '' : `, but not ${unmet.join(', ')}`;
  expectThat(unmet.length === 0, `each fault was on for a while${except}`);
}

async function judge({ database, trackings }: SystemUnderTest): Promise<void> {
  const most = { itunes: 0, play: 0 };
  for (const budget of ['itunes', 'play'] as const)
    most[budget] = mostInAMinute(proxy.calls.filter((call) => call.budget === budget));
  for (const [name, calls, budget] of [
    ['App Store', most.itunes, budgets.itunes],
    ['Google Play', most.play, budgets.play],
  ] as const)
    expectThat(calls <= budget, `${name}: at most ${calls} calls in any 60 s, budget ${budget}`);

  const snapshots = await readSnapshots(database);
  expectThat(snapshots.size === markets.length, `${snapshots.size} of ${markets.length} markets were read`);
  const wrong: string[] = [];
  for (const market of markets) {
    const kept = snapshots.get(keywordMarketKey(market));
    if (kept && kept.join() !== (await searchStoreDirectly(store, market)).join())
      wrong.push(keywordMarketKey(market));
  }
  expectThat(wrong.length === 0, `no snapshot differs from what the store shows${named(wrong)}`);

  const answers = new Map<string, number>();
  for (const { searched, outcome } of proxy.calls)
    if (searched !== null && outcome === 'answered') answers.set(searched, (answers.get(searched) ?? 0) + 1);
  const again = markets.map(keywordMarketKey).filter((key) => answers.get(key) !== 1);
  expectThat(again.length === 0, `each market was answered once, retries apart${named(again)}`);

  if (trackings.length === 1) return;
  const shares = trackings.map((_, copy) => proxy.calls.filter((call) => call.copy === copy).length);
  expectThat(
    shares.every((calls) => calls > 0),
    `every copy took part: ${shares.join(' and ')} calls`,
  );
}

function named(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `, but ${keys.length} do: ${keys.slice(0, 5).join('; ')}`;
}

/** Today's snapshots, by the names of their markets. */
async function readSnapshots(database: SystemUnderTest['database']): Promise<Map<string, string[]>> {
  type MarketRow = { _id: number; store: 'ITUNES' | 'GPLAY'; country: string; keyword: string };
  type SnapshotRow = { keyword_id: number; app_ids: string[] };
  const keys = new Map(
    (await database.collection<MarketRow>('markets').find({}).toArray()).map((row) => [
      row._id,
      keywordMarketKey(row),
    ]),
  );
  const rows = await database.collection('snapshots').find<SnapshotRow>({ day: today }).toArray();
  return new Map(
    rows.map(({ keyword_id: keywordId, app_ids: appIds }) => [keys.get(keywordId) ?? '', appIds]),
  );
}
