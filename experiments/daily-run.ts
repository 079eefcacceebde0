import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { createLogger } from '@shelfwise/runtime/log/logger';
import type { Connection } from 'mongoose';
import { seedTrackedKeywords } from '../testing/system/seed-tracked-keywords.ts';
import { faults, setMode, storeAddresses } from '../testing/system/stand-in.ts';
import { createUnlimitedSource } from '../testing/system/unlimited-source.ts';
import { createCountingProxy, judgeBucket, judgeBudget } from './lib/counting-proxy.ts';
import { createExpectations } from './lib/expectations.ts';
import { createFaultPlan } from './lib/fault-plan.ts';
import { chooseKeywordMarkets, keywordMarketKey, searchStoreDirectly } from './lib/keyword-markets.ts';
import { createMinuteReport } from './lib/minute-report.ts';
import { readOptions } from './lib/options.ts';
import { type SystemUnderTest, startCopies, startOnDataFolder } from './lib/systems-under-test.ts';

const values = readOptions(
  'npm run daily-run',
  `One daily run on stores with faults. Keywords of both stores that were tracked yesterday are read today through a proxy that counts
every call. Each fault is active for a while, first for all calls, then for 30% of them. Verifies that the budgets are kept, that every
keyword is read exactly once, and that no snapshot is wrong.

Without --copies the whole system runs, and scoring spends the same budgets on the first scores of the keywords. With --copies only
store-fetch and tracking run; REDIS_URL and KAFKA_BROKERS name the other engines, without them the copies share the database only.`,
  {
    store: ['', 'a stand-in for both stores with POST /__control', 'required'],
    keywords: [200, 'the number of keywords, half of them on each store'],
    'per-minute': [20, 'the budget of the App Store; Google Play has three times as much'],
    faults: [faults.join(','), 'some of these, or none'],
    minutes: [40, 'the time limit'],
    copies: [0, 'run N copies of store-fetch and tracking on the server of --mongodb'],
    mongodb: ['', 'a MongoDB-compatible server without Shelfwise data'],
  },
);
const { store, copies, mongodb } = values;
if (copies > 0 !== (mongodb !== '')) throw new Error('--copies needs --mongodb, and the other way around');
const budgets = { itunes: values['per-minute'], play: 3 * values['per-minute'] };
const chosenFaults = faults.filter((fault) => values.faults.split(',').includes(fault));
const keywords = chooseKeywordMarkets(values.keywords);
/** They are tracked in an empty database, which numbers them from 1. */
const keywordIds = keywords.map((_, index) => index + 1);
const minuteMs = 60_000;
const giveUpMs = values.minutes * minuteMs;
const logger = createLogger({ name: 'daily-run', level: 'warn', destination: process.stderr });
const { expectThat, expectOutcome, conclude } = createExpectations();

await setMode(store, 'ok');
await waitForNextDay();
const today = utcDay(new Date());
const proxy = createCountingProxy(store);
let system: SystemUnderTest | null = null;
try {
  system = await startSystem();
  await follow(system);
  await setMode(store, 'ok');
  await verify(system);
} finally {
  await setMode(store, 'ok');
  const exitCodes = await system?.stop();
  await proxy.stop();
  if (exitCodes)
    expectThat(
      exitCodes.every((code) => code === 0),
      'every process exits with 0',
    );
}
process.exitCode = conclude();

/** A run must not continue into the next UTC day, because its snapshots would get two dates. */
async function waitForNextDay(): Promise<void> {
  const leftMs = startOfNextDay(new Date()).getTime() - Date.now();
  if (leftMs > Math.min(giveUpMs, 15 * minuteMs)) return;
  console.log(`waiting for the next UTC day, which starts in ${Math.ceil(leftMs / minuteMs)} minutes`);
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
    seed: (connection: Connection) =>
      seedTrackedKeywords(keywords, { connection, source, now: yesterday, logger }),
    logger,
  };
  const startedAt = performance.now();
  const started = copies > 0 ? await startCopies(copies, mongodb, options) : await startOnDataFolder(options);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const number = started.trackings.length === 1 ? 'one copy' : `${started.trackings.length} copies`;
  console.log(
    `${keywords.length} keywords were tracked yesterday; ${number} of the services started in ${seconds} s`,
  );
  return started;
}

/** Starts the run in every copy and waits until every keyword has a snapshot of today. */
async function follow({ trackings, stores }: SystemUnderTest): Promise<void> {
  const plan = createFaultPlan({
    store,
    faults: chosenFaults,
    calls: proxy.calls,
    // Few enough that unread keywords are left for the last fault.
    callsBetween: Math.max(2, Math.floor(keywords.length / (4 * chosenFaults.length + 2))),
  });
  for (const tracking of trackings) await startRun(tracking);
  const report = createMinuteReport(proxy.calls);
  const startedAtMs = performance.now();
  let isOver = false;
  while (!isOver) {
    await sleep(250);
    await plan.tick();
    const read = (await stores.snapshots.findTaken(keywordIds, today)).size;
    const elapsedMs = performance.now() - startedAtMs;
    isOver = read === keywords.length || elapsedMs > giveUpMs;
    report.update(plan.currentName(), read, elapsedMs, isOver);
  }
  const unplayed = plan.unplayed();
  const except = unplayed.length === 0 ? '' : `, but not ${unplayed.join(', ')}`;
  expectThat(unplayed.length === 0, `each fault was active for a while${except}`);
}

/** On a busy machine a connection to the service may take longer than a call waits for one. */
async function startRun(tracking: SystemUnderTest['trackings'][number]): Promise<void> {
  for (let attemptsLeft = 60; ; attemptsLeft -= 1) {
    try {
      const deadline = new Date(Date.now() + minuteMs);
      await tracking.startSnapshotRun({ all_of_today: true }, { requestId: 'daily-run', deadline });
      return;
    } catch (error) {
      const isUnreachable = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (!isUnreachable || attemptsLeft === 0) throw error;
      await sleep(1000);
    }
  }
}

async function verify({ stores, trackings }: SystemUnderTest): Promise<void> {
  for (const [name, budget] of [
    ['App Store', 'itunes'],
    ['Google Play', 'play'],
  ] as const) {
    const calls = proxy.calls.filter((call) => call.budget === budget);
    const ofMinute = judgeBudget(calls, budgets[budget]);
    const inAnyMinute = `${name}: at most ${ofMinute.most} calls in any 60 s, budget ${budgets[budget]}`;
    if (copies > 0) {
      expectOutcome(ofMinute.outcome, inAnyMinute);
      continue;
    }
    // Scoring reads the words of apps that are new here, too, for which a person waits.
    const { most, outcome } = judgeBucket(calls, budgets[budget]);
    expectOutcome(outcome, `${inAnyMinute}; at most ${most} more than that rate, bucket ${budgets[budget]}`);
  }

  const snapshots = await readSnapshots(stores);
  expectThat(
    snapshots.size === keywords.length,
    `${snapshots.size} of ${keywords.length} keywords were read`,
  );
  const wrong: string[] = [];
  for (const keyword of keywords) {
    const stored = snapshots.get(keywordMarketKey(keyword));
    if (stored && stored.join() !== (await searchStoreDirectly(store, keyword)).join())
      wrong.push(keywordMarketKey(keyword));
  }
  expectThat(wrong.length === 0, `no snapshot differs from the store${listKeys(wrong)}`);

  // An empty page is looked at several times, so only pages with results count.
  const answers = new Map<string, number>();
  for (const { search, outcome, isEmptyPage } of proxy.calls)
    if (search !== null && outcome === 'answered')
      answers.set(search, (answers.get(search) ?? 0) + (isEmptyPage ? 0 : 1));
  const unanswered = keywords.map(keywordMarketKey).filter((key) => !answers.has(key));
  expectThat(unanswered.length === 0, `each keyword was answered${listKeys(unanswered)}`);
  const again = keywords.map(keywordMarketKey).filter((key) => (answers.get(key) ?? 0) > 1);
  const extra = again.reduce((sum, key) => sum + (answers.get(key) ?? 1) - 1, 0);
  // A refusal may open a breaker, which probes the store with a question that was answered before.
  const maxProbes = proxy.calls.filter(({ outcome }) => outcome === 'refused').length;
  // A look at an empty page is followed by a canary, a term that had results.
  const maxCanaries = proxy.calls.filter(({ isEmptyPage }) => isEmptyPage).length;
  expectThat(
    extra <= maxProbes + maxCanaries,
    `${extra} answers to keywords that had results before: at most ${maxProbes}, as probes, and ${maxCanaries} canaries of empty pages${listKeys(again)}`,
  );

  if (trackings.length === 1) return;
  const shares = trackings.map((_, copy) => proxy.calls.filter((call) => call.copy === copy).length);
  expectThat(
    shares.every((calls) => calls > 0),
    `every copy made calls: ${shares.join(' and ')}`,
  );
}

function listKeys(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `; ${keys.length} exceptions: ${keys.slice(0, 5).join('; ')}`;
}

/** Today's snapshots, by keyword and storefront. */
async function readSnapshots({ keywordMarkets, snapshots }: SystemUnderTest['stores']) {
  const appIds = new Map<string, string[]>();
  for (const keywordMarket of await keywordMarkets.findMany(keywordIds)) {
    const [snapshot] = await snapshots.listBetween(keywordMarket._id, today, today);
    if (!snapshot) continue;
    const { length } = snapshot.app_ids;
    const ids = Array.from({ length }, (_, index) => snapshot.app_ids.at(index) ?? '');
    appIds.set(keywordMarketKey(keywordMarket), ids);
  }
  return appIds;
}
