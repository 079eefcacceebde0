import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { createLogger } from '@shelfwise/runtime/log/logger';
import type { Endpoint } from '@shelfwise/store-fetch/store-health/endpoints';
import { setMode } from '../testing/system/stand-in.ts';
import { createExpectations } from './lib/expectations.ts';
import { chooseKeywordMarkets, searchStoreDirectly } from './lib/keyword-markets.ts';
import { readOptions } from './lib/options.ts';
import { type ClockedSystem, startOnManualClock } from './lib/start-on-manual-clock.ts';
import { startSamplePlay } from './lib/start-sample-play.ts';

const values = readOptions(
  'npm run empty-pages',
  `What a store costs that answers searches without results by mistake: always, or every third time. 500 calls of users, and a daily run
over two days, each compared with the same on a healthy store. Counts wrong ranks, scores that differ, empty snapshots, the time until
the store counts as healthy again, and the searches that a good day costs in addition. Google Play is a stand-in with the sample's
pages, the App Store one that the caller has. With fewer keywords than 100 the two without results are a larger share of a good day
than the goal for its searches assumes.`,
  {
    store: ['', 'a stand-in for the App Store with POST /__control; without it only Google Play is tried'],
    rates: ['1,0.3', 'the shares of searches that are empty by mistake'],
    calls: [500, 'how many calls of users each rate gets; 0: only the daily runs'],
    keywords: [100, 'the number of keywords with results; as many calls ask for each', [1, 100]],
  },
);
const rates = values.rates.split(',').map(Number);
const { calls: callCount } = values;
const logger = createLogger({ name: 'empty-pages', level: 'fatal', destination: process.stderr });
const { expectThat, conclude } = createExpectations();

const us = { country: 'US', lang: 'en-US' } as const;
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

/** A stand-in for a store, and what it shows while it is well. */
type StoreUnderTest = {
  name: string;
  url: string;
  storefront: Storefront;
  /** The app whose ranks are tracked. */
  appId: string;
  search: Endpoint;
  suggest: Endpoint;
  keywords: string[];
  withResults: string[];
  truth: Truth;
};

const words = chooseKeywordMarkets(2 * values.keywords)
  .filter((keyword) => keyword.store === 'ITUNES')
  .map(({ keyword }) => keyword);

if (values.store !== '') await tryStore(await openAppStore(values.store));
const play = await startSamplePlay(day.first);
try {
  await tryStore(await openGooglePlay(play.url));
} finally {
  await play.stop();
}
process.exitCode = conclude();

function openAppStore(url: string): Promise<StoreUnderTest> {
  const storefront = { store: 'ITUNES', ...us } as const;
  const endpoints = { search: 'itunes-search', suggest: 'itunes-hints' } as const;
  return readTruth({ name: 'the App Store', url, storefront, ...endpoints }, '281796108');
}

function openGooglePlay(url: string): Promise<StoreUnderTest> {
  const storefront = { store: 'GPLAY', ...us } as const;
  const endpoints = { search: 'play-search', suggest: 'play-suggest' } as const;
  return readTruth({ name: 'Google Play', url, storefront, ...endpoints });
}

/** `appId`: default: the first app of the first page. */
async function readTruth(
  store: Pick<StoreUnderTest, 'name' | 'url' | 'storefront' | 'search' | 'suggest'>,
  appId?: string,
): Promise<StoreUnderTest> {
  await setMode(store.url, 'ok');
  const truth = new Map<string, readonly string[]>();
  for (const keyword of [...words, ...nonsense])
    truth.set(keyword, await searchStoreDirectly(store.url, { ...store.storefront, app_id: '', keyword }));
  const withResults = words.filter((word) => (truth.get(word) ?? []).length > 0);
  const firstApp = truth.get(withResults[0] ?? '')?.[0] ?? '';
  const keywords = [...withResults, ...nonsense];
  return { ...store, appId: appId ?? firstApp, keywords, withResults, truth };
}

async function tryStore(store: StoreUnderTest): Promise<void> {
  const { name, url, withResults } = store;
  console.log(`\n# ${name}: ${withResults.length} keywords with results, ${nonsense.length} without`);
  try {
    if (callCount > 0) {
      const healthy = await userCalls(store, null);
      for (const rate of rates) await compareUserCalls(store, rate, healthy);
    }
    for (const rate of rates) await dailyRunOfTwoDays(store, rate);
    await goodDay(store);
  } finally {
    await setMode(url, 'ok');
  }
}

/** Inspects the keywords in turn. `answers`: by number of the call; null: it failed. */
async function userCalls(store: StoreUnderTest, rate: number | null) {
  const { url, keywords, truth } = store;
  const system = await startOnManualClock(url, { at: `${day.first}T09:00:00Z`, logger });
  const outcome = { answers: [] as (Scores | null)[], wrongRanks: 0, suspectCalls: 0, recoveredMs: 0 };
  try {
    // The first calls find a store that is well.
    for (let call = 0; call < callCount; call++) {
      if (call === 10 && rate !== null) await setMode(url, 'empty-search', rate);
      const keyword = keywords[call % keywords.length] ?? '';
      const answer = await inspect(system, store, keyword);
      outcome.answers.push(answer?.scores ?? null);
      if (answer && answer.ranking.join() !== (truth.get(keyword) ?? []).slice(0, 20).join())
        outcome.wrongRanks++;
      if (await isSuspect(system)) outcome.suspectCalls++;
      await system.advance(betweenCallsMs, betweenCallsMs);
    }
    await setMode(url, 'ok');
    outcome.recoveredMs = await untilHealthy(system);
    return outcome;
  } finally {
    await setMode(url, 'ok');
    await system.stop();
  }
}

async function inspect({ scoring }: ClockedSystem, { storefront }: StoreUnderTest, keyword: string) {
  try {
    const request = { account_id: accountId, storefront, keyword };
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

async function compareUserCalls(
  store: StoreUnderTest,
  rate: number,
  healthy: Awaited<ReturnType<typeof userCalls>>,
) {
  console.log(
    `\n## ${store.name}: ${callCount} calls, ${Math.round(100 * rate)} % of the searches empty by mistake`,
  );
  const { answers, wrongRanks, suspectCalls, recoveredMs } = await userCalls(store, rate);
  const differing = answers.filter((scores, call) => {
    const other = healthy.answers[call] ?? null;
    // Suggestions are known ten minutes after the first look, which may have come at another call.
    if (scores === null || other === null || scores.isPartial !== other.isPartial) return false;
    return scores.difficulty !== other.difficulty || scores.traffic !== other.traffic;
  });
  const answered = answers.filter((scores) => scores !== null);
  const graded = answered.filter(({ difficulty }) => difficulty !== null).length;
  console.log(
    `  ${answered.length} answered (${graded} with a difficulty), ${answers.length - answered.length} failed; suspect after ${suspectCalls} of the calls`,
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

async function startTracked(
  { url, storefront, appId, withResults }: StoreUnderTest,
  at: string,
): Promise<ClockedSystem> {
  const system = await startOnManualClock(url, { at, logger });
  const { tracking } = system;
  const app = await tracking.trackApplication({ account_id: accountId, storefront, app_id: appId }, within());
  for (let start = 0; start < withResults.length; start += 20) {
    const request = { account_id: accountId, app_id: app.id, storefront };
    await tracking.trackKeywords({ ...request, keywords: withResults.slice(start, start + 20) }, within());
  }
  await system.settle();
  return system;
}

/** The store is well on the first day, shows wrong pages until noon of the third, and is well again. */
async function dailyRunOfTwoDays(store: StoreUnderTest, rate: number): Promise<void> {
  const { name, url, search, withResults, truth } = store;
  console.log(
    `\n## ${name}: a daily run over two days, ${Math.round(100 * rate)} % of the searches empty by mistake`,
  );
  const system = await startTracked(store, `${day.first}T22:00:00Z`);
  try {
    await system.advance(119 * minuteMs, 30 * minuteMs);
    await setMode(url, 'empty-search', rate);
    const callsBefore = system.calls(search);
    let suspectHours = 0;
    for (let hour = 0; hour < 36; hour++) {
      await system.advance(60 * minuteMs, stepMs);
      if (await isSuspect(system)) suspectHours++;
    }
    const faultyCalls = system.calls(search) - callsBefore;
    await setMode(url, 'ok');
    const recoveredMs = await untilHealthy(system);
    await system.advance(12 * 60 * minuteMs - recoveredMs - 2 * minuteMs, stepMs);
    const rows = await system.snapshotRows();
    const keywordOf = await keywordsById(system, store);
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
    // If only a share of the pages is wrong, it looks healthy now and then, until the next contradiction.
    expectThat(suspectHours >= (rate === 1 ? 36 : 30), 'the storefront is suspect while it lasts');
    expectThat(recoveredMs <= 5 * minuteMs, `healthy ${recoveredMs / 1000} s after the store`);
  } finally {
    await setMode(url, 'ok');
    await system.stop();
  }
}

async function keywordsById(
  { stores }: ClockedSystem,
  { storefront, withResults }: StoreUnderTest,
): Promise<Map<number, string>> {
  const markets = await stores.keywordMarkets.findByKeyword(storefront, withResults);
  return new Map([...markets.values()].map(({ _id, keyword }) => [_id, keyword]));
}

/** A day on which one keyword in fifty has no results, as on the day before. */
async function goodDay(store: StoreUnderTest): Promise<void> {
  const { name, storefront, appId, search, suggest, withResults } = store;
  console.log(`\n## ${name}: a good day`);
  const system = await startTracked(store, `${day.first}T20:00:00Z`);
  const { tracking } = system;
  try {
    const app = await tracking.trackApplication(
      { account_id: 'another', storefront, app_id: appId },
      within(),
    );
    const tracked = { account_id: 'another', app_id: app.id, storefront, keywords: nonsense };
    for (let look = 0; look < 2; look++) {
      await tracking.trackKeywords(tracked, within());
      await system.advance(11 * minuteMs, minuteMs);
    }
    await system.advance(3 * 60 * minuteMs + 37 * minuteMs, stepMs);
    const before = system.calls(search);
    const suggestionsBefore = system.calls(suggest);
    await system.advance(24 * 60 * minuteMs, stepMs);
    const rows = (await system.snapshotRows()).filter((row) => row.day === day.second);
    const extra = system.calls(search) - before - rows.length;
    const share = (100 * extra) / rows.length;
    console.log(
      `  ${rows.length} keywords read (${rows.filter(({ app_ids: ids }) => (ids as string[]).length === 0).length} empty) on ${utcDay(system.clock.at)}; ` +
        `${extra} further searches, ${system.calls(suggest) - suggestionsBefore} further calls for suggestions`,
    );
    expectThat(rows.length >= withResults.length, 'every keyword is read');
    expectThat(share <= 2, `${share.toFixed(1)} % more searches (goal: at most 2 %)`);
  } finally {
    await system.stop();
  }
}
