/**
 * What a store costs that answers searches without results by mistake: always, or every third time. 500 calls of users, and
 * a daily run over two days, each compared with the same on a healthy store. Counts wrong ranks, scores that differ, empty
 * snapshots, the time until the store counts as healthy again, and the searches that a good day costs in addition.
 */
import { parseArgs } from 'node:util';
import { utcDay } from '@shelfwise/runtime/day';
import { createLogger } from '@shelfwise/runtime/logger';
import { setMode } from '../testing/system/stand-in.ts';
import { createExpectations } from './lib/expectations.ts';
import { chooseKeywordMarkets, searchStoreDirectly } from './lib/keyword-markets.ts';
import { type ClockedSystem, startOnManualClock } from './lib/start-on-manual-clock.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    rates: { type: 'string', default: '1,0.3' },
    calls: { type: 'string', default: '500' },
    keywords: { type: 'string', default: '100' },
    help: { type: 'boolean' },
  },
});
if (values.help || !values.store) {
  console.log(`Usage: npm run empty-pages -- --store URL [--rates 1,0.3] [--calls 500] [--keywords 100]

  --store URL     a stand-in for the App Store with POST /__control {"mode": "empty-search", "rate": 1}
  --rates N,N     the shares of searches that are empty by mistake
  --calls N       how many calls of users each rate gets; 0: only the daily runs
  --keywords N    the number of keywords with results, at most 100; as many calls ask for each`);
  process.exit(values.help ? 0 : 2);
}
const store = values.store;
const rates = values.rates.split(',').map(Number);
const callCount = Number(values.calls);
const logger = createLogger({ name: 'empty-pages', level: 'fatal', destination: process.stderr });
const { expectThat, conclude } = createExpectations();

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const day = { first: '2026-03-10', second: '2026-03-11', third: '2026-03-12' };
const minuteMs = 60_000;
const probeMs = 15_000;
/** The steps of the clock during the daily runs. */
const stepMs = 5 * minuteMs;
/** Calls of users come this far apart: a budget of 20 searches a minute. */
const betweenCallsMs = 3000;
const nonsense = ['zzqxjv wkk', 'qqzzxv'];
const accountId = 'empty-pages';
const within = () => ({ requestId: 'empty-pages', deadline: new Date(Date.now() + 60_000) });

type Truth = ReadonlyMap<string, readonly string[]>;
type Scores = { difficulty: number | null; traffic: number | null; isPartial: boolean };

const words = chooseKeywordMarkets(2 * Number(values.keywords))
  .filter((keyword) => keyword.store === 'ITUNES')
  .map(({ keyword }) => keyword);
const keywords = [...words, ...nonsense];

await setMode(store, 'ok');
const truth = await readTruth();
const withResults = words.filter((word) => (truth.get(word) ?? []).length > 0);
console.log(`${withResults.length} keywords with results, ${keywords.length - withResults.length} without`);
try {
  if (callCount > 0) {
    const healthy = await userCalls(null);
    for (const rate of rates) await compareUserCalls(rate, healthy);
  }
  for (const rate of rates) await dailyRunOfTwoDays(rate);
  await goodDay();
} finally {
  await setMode(store, 'ok');
}
process.exitCode = conclude();

async function readTruth(): Promise<Truth> {
  const pages = new Map<string, readonly string[]>();
  for (const keyword of keywords)
    pages.set(keyword, await searchStoreDirectly(store, { ...us, app_id: '', keyword }));
  return pages;
}

/** Inspects the keywords in turn. `answers`: by number of the call; null: it failed. */
async function userCalls(rate: number | null) {
  const system = await startOnManualClock(store, { at: `${day.first}T09:00:00Z`, logger });
  const outcome = { answers: [] as (Scores | null)[], wrongRanks: 0, suspectCalls: 0, recoveredMs: 0 };
  try {
    // The first calls find a store that is well.
    for (let call = 0; call < callCount; call++) {
      if (call === 10 && rate !== null) await setMode(store, 'empty-search', rate);
      const keyword = keywords[call % keywords.length] ?? '';
      const answer = await inspect(system, keyword);
      outcome.answers.push(answer?.scores ?? null);
      if (answer && answer.ranking.join() !== (truth.get(keyword) ?? []).slice(0, 20).join())
        outcome.wrongRanks++;
      if (await isSuspect(system)) outcome.suspectCalls++;
      await system.advance(betweenCallsMs, betweenCallsMs);
    }
    await setMode(store, 'ok');
    outcome.recoveredMs = await untilHealthy(system);
    return outcome;
  } finally {
    await setMode(store, 'ok');
    await system.stop();
  }
}

async function inspect({ scoring }: ClockedSystem, keyword: string) {
  try {
    const request = { account_id: accountId, storefront: us, keyword };
    const reply = await scoring.inspectKeyword(request, within());
    const scores: Scores = {
      difficulty: reply.difficulty_score ?? null,
      traffic: reply.traffic_score ?? null,
      isPartial: reply.is_partial,
    };
    return { scores, ranking: reply.ranking.map(({ app_id: appId }) => appId) };
  } catch {
    return null;
  }
}

async function compareUserCalls(rate: number, healthy: Awaited<ReturnType<typeof userCalls>>) {
  console.log(`\n# ${callCount} calls, ${Math.round(100 * rate)} % of the searches empty by mistake`);
  const { answers, wrongRanks, suspectCalls, recoveredMs } = await userCalls(rate);
  const differing = answers.filter((scores, call) => {
    const other = healthy.answers[call] ?? null;
    // Suggestions are known ten minutes after the first look, which may have come at another call.
    if (scores === null || other === null || scores.isPartial !== other.isPartial) return false;
    return scores.difficulty !== other.difficulty || scores.traffic !== other.traffic;
  });
  const failed = answers.filter((scores) => scores === null).length;
  console.log(
    `  ${answers.length - failed} answered, ${failed} failed; suspect after ${suspectCalls} of the calls`,
  );
  expectThat(wrongRanks === 0, `${wrongRanks} wrong ranks`);
  expectThat(differing.length === 0, `${differing.length} scores that differ from those of a healthy store`);
  expectThat(suspectCalls > callCount / 2, 'the storefront is suspect most of the time');
  expectThat(recoveredMs <= 5 * minuteMs, `healthy ${recoveredMs / 1000} s after the store`);
}

async function isSuspect({ doubt }: ClockedSystem): Promise<boolean> {
  return (await doubt.list()).length > 0;
}

/** In milliseconds, at most ten minutes. */
async function untilHealthy(system: ClockedSystem): Promise<number> {
  let ms = 0;
  for (; ms < 10 * minuteMs && (await isSuspect(system)); ms += probeMs)
    await system.advance(probeMs, probeMs);
  return ms;
}

async function startTracked(at: string): Promise<ClockedSystem> {
  const system = await startOnManualClock(store, { at, logger });
  const { tracking } = system;
  const app = await tracking.trackApplication(
    { account_id: accountId, storefront: us, app_id: '281796108' },
    within(),
  );
  for (let start = 0; start < withResults.length; start += 20) {
    const request = { account_id: accountId, app_id: app.id, storefront: us };
    await tracking.trackKeywords({ ...request, keywords: withResults.slice(start, start + 20) }, within());
  }
  await system.settle();
  return system;
}

/** The store is well on the first day, shows wrong pages until noon of the third, and is well again. */
async function dailyRunOfTwoDays(rate: number): Promise<void> {
  console.log(`\n# a daily run over two days, ${Math.round(100 * rate)} % of the searches empty by mistake`);
  const system = await startTracked(`${day.first}T22:00:00Z`);
  try {
    await system.advance(119 * minuteMs, 30 * minuteMs);
    await setMode(store, 'empty-search', rate);
    const callsBefore = system.calls('itunes-search');
    let suspectHours = 0;
    for (let hour = 0; hour < 36; hour++) {
      await system.advance(60 * minuteMs, stepMs);
      if (await isSuspect(system)) suspectHours++;
    }
    const faultyCalls = system.calls('itunes-search') - callsBefore;
    await setMode(store, 'ok');
    const recoveredMs = await untilHealthy(system);
    await system.advance(12 * 60 * minuteMs - recoveredMs - 2 * minuteMs, stepMs);
    const rows = await system.snapshotRows();
    const keywordOf = await keywordsById(system);
    const wrong = rows.filter(
      ({ keyword_id: id, app_ids: appIds }) =>
        (appIds as string[]).join() !== (truth.get(keywordOf.get(id) ?? '') ?? []).join(),
    );
    const empty = rows.filter(({ app_ids: appIds }) => (appIds as string[]).length === 0);
    const readOn = (date: string) => rows.filter(({ day: rowDay }) => rowDay === date).length;
    console.log(
      `  snapshots: ${readOn(day.first)}, ${readOn(day.second)}, ${readOn(day.third)} of ${withResults.length}; ` +
        `${faultyCalls} searches in the 36 hours; suspect at the end of ${suspectHours} hours`,
    );
    expectThat(wrong.length === 0, `${wrong.length} snapshots with wrong ranks`);
    expectThat(empty.length === 0, `${empty.length} days of the histories with null for every app`);
    expectThat(readOn(day.third) === withResults.length, 'every keyword is read on the day of the recovery');
    expectThat(suspectHours >= 34, 'the storefront is suspect while it lasts');
    expectThat(recoveredMs <= 5 * minuteMs, `healthy ${recoveredMs / 1000} s after the store`);
  } finally {
    await setMode(store, 'ok');
    await system.stop();
  }
}

async function keywordsById({ stores }: ClockedSystem): Promise<Map<number, string>> {
  const markets = await stores.keywordMarkets.findByKeyword(us, withResults);
  return new Map([...markets.values()].map(({ _id, keyword }) => [_id, keyword]));
}

/** A day on which one keyword in fifty has no results, as on the day before. */
async function goodDay(): Promise<void> {
  console.log('\n# a good day');
  const system = await startTracked(`${day.first}T20:00:00Z`);
  const { tracking } = system;
  try {
    const app = await tracking.trackApplication(
      { account_id: 'another', storefront: us, app_id: '281796108' },
      within(),
    );
    const tracked = { account_id: 'another', app_id: app.id, storefront: us, keywords: nonsense };
    for (let look = 0; look < 2; look++) {
      await tracking.trackKeywords(tracked, within());
      await system.advance(11 * minuteMs, minuteMs);
    }
    await system.advance(3 * 60 * minuteMs + 37 * minuteMs, stepMs);
    const before = system.calls('itunes-search');
    const hintsBefore = system.calls('itunes-hints');
    await system.advance(24 * 60 * minuteMs, stepMs);
    const rows = (await system.snapshotRows()).filter((row) => row.day === day.second);
    const extra = system.calls('itunes-search') - before - rows.length;
    const share = (100 * extra) / rows.length;
    console.log(
      `  ${rows.length} keywords read (${rows.filter(({ app_ids: ids }) => (ids as string[]).length === 0).length} empty) on ${utcDay(system.clock.at)}; ` +
        `${extra} further searches, ${system.calls('itunes-hints') - hintsBefore} further calls for suggestions`,
    );
    expectThat(rows.length >= withResults.length, 'every keyword is read');
    expectThat(share <= 2, `${share.toFixed(1)} % more searches (goal: at most 2 %)`);
  } finally {
    await system.stop();
  }
}
