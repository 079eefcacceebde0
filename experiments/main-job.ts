import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Api, createApi } from '../testing/system/api.ts';
import { faults, setMode, storeAddresses } from '../testing/system/stand-in.ts';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { withoutScores } from '../testing/system/without-scores.ts';
import { startBareRun } from './lib/bare-run.ts';
import { createExpectations } from './lib/expectations.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const { store, faults: faultNames } = readOptions(
  'npm run main-job',
  `The main job on live stores, or on a stand-in with recorded answers: tracks an app and 20 keywords, reads ranks and history, and prints
the answers. Repeats it with every fault of the stand-in and verifies that nothing is half-written and no rank is wrong, and that the
system recovers.`,
  {
    store: ['', 'a stand-in for both stores with POST /__control', 'required'],
    faults: [faults.join(','), 'the faults to try'],
  },
);
const chosenFaults = faults.filter((fault) => faultNames.split(',').includes(fault));
if (chosenFaults.length !== faultNames.split(',').length)
  throw new Error(`--faults ${faultNames}: ${faults.join(', ')}`);
/** A circuit breaker stays open for at most a minute; an unreadable answer is remembered for five. */
const openMs = (fault: (typeof faults)[number]) => (fault === 'garbage' ? 300_000 : 60_000);
/** For the call that succeeds afterwards. */
const mostAddedMs = 20_000;
/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpMs = 900_000;
/** The deadlines of both calls. */
const deadlinesMs = { applications: 35_000, keywords: 60_000 };

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const appId = '281796108';
const otherAppId = '281940292';
const keywords =
  'notes,note taking,to do list,organizer,notebook,checklist,productivity,document scanner,reminders,planner,pdf,business cards,web clipper,handwriting,journal,memo,task manager,meeting notes,sync notes,写真 メモ'.split(
    ',',
  );
const { expectThat, expectOnMachine, conclude } = createExpectations();

await setMode(store, 'ok');
const system = await startSystemProcess({
  ...storeAddresses(store),
  SHELFWISE_DATA_DIR: temporaryFolder('main-job'),
  SHELFWISE_DEMO_ACCOUNT: 'true',
  STORE_SOURCE: 'live',
  STORE_TIMEOUT_MS: '2500',
  // An app and 20 keywords at once exceed the default App Store budget of a minute.
  STORE_ITUNES_PER_MINUTE: '600',
  STORE_ITUNES_PAGES_PER_MINUTE: '600',
  STORE_PLAY_PER_MINUTE: '600',
});
try {
  console.log(`started in ${Math.round(system.startedInMs)} ms, ${system.url}`);
  const api = createApi(system.url, system.key ?? '');
  const id = await doMainJob(api);
  await doGooglePlayJob(api);
  for (const fault of chosenFaults) {
    await playFault(api, id, fault);
    await recover(api, id, fault);
  }
} finally {
  await setMode(store, 'ok');
  const code = await system.end('SIGINT');
  expectThat(code === 0, 'Ctrl-C stops the system with exit code 0');
}
process.exitCode = conclude();

async function doMainJob(api: Api): Promise<number> {
  console.log(`\n# track ${appId} and 20 keywords, read ranks and history`);
  const tracked = await api('POST', '/applications', { app_id: appId, ...storefront });
  console.log(`  ${tracked.status} ${JSON.stringify(tracked.body)} (${Math.round(tracked.ms)} ms)`);
  const id = Number(tracked.body.data?.id);
  const added = await api('POST', '/keywords', { keywords, app_id: id, ...storefront });
  for (const { keyword, success, error } of added.body.data.results)
    console.log(`  ${String(keyword).padEnd(18)} ${success ?? `ERROR ${error}`}`);
  // An empty page is not believed at once: its keyword is an error, and the others are tracked.
  const results: { error?: string | null }[] = added.body.data.results;
  const unproven = results.filter(({ error }) => error?.includes('shows no results for this term'));
  const trackedCount = Number(added.body.data.success_count);
  expectThat(
    results.length === keywords.length &&
      trackedCount > 0 &&
      trackedCount + unproven.length === keywords.length,
    `${keywords.length} keywords in ${Math.round(added.ms)} ms, ${unproven.length} of them without results`,
  );

  const list = await api('GET', `/keywords?app_id=${id}`);
  const first = list.body.data.find((row: { current_rank: number | null }) => row.current_rank !== null);
  console.log(`  ${JSON.stringify(first)}`);
  expectThat(
    list.body.data.length === trackedCount,
    `the list has the ${trackedCount} keywords that are tracked`,
  );
  const history = await api('GET', `/keywords/${first.keyword_id}/ranks/history`);
  console.log(`  ${JSON.stringify(history.body)}`);
  expectThat(
    history.body.data.apps[0].history.length === 1 &&
      history.body.data.apps[0].history[0].rank === first.current_rank,
    "the history contains today's rank",
  );
  return id;
}

async function doGooglePlayJob(api: Api): Promise<void> {
  console.log('\n# the same on Google Play');
  const storefront = { store: 'GPLAY', country: 'US', lang: 'en' };
  const tracked = await api('POST', '/applications', { app_id: 'com.mojang.minecraftpe', ...storefront });
  console.log(`  ${tracked.status} ${JSON.stringify(tracked.body)} (${Math.round(tracked.ms)} ms)`);
  const id = Number(tracked.body.data?.id);
  const added = await api('POST', '/keywords', { keywords: ['panda'], app_id: id, ...storefront });
  console.log(`  ${JSON.stringify(added.body.data?.results)}`);
  const list = await api('GET', `/keywords?app_id=${id}`);
  const [first] = list.body.data;
  expectThat(
    added.body.data?.success_count === 1 && first.ranking.length === 5,
    'a keyword is tracked, with the top 5 of its result page',
  );
}

async function playFault(api: Api, id: number, fault: (typeof faults)[number]): Promise<void> {
  console.log(`\n# the store answers: ${fault}`);
  await setMode(store, fault);
  const before = await api('GET', '/account/usage');
  const listBefore = await api('GET', `/keywords?app_id=${id}`);
  const bareRun = await startBareRun();
  const app = await api('POST', '/applications', { app_id: otherAppId, ...storefront });
  console.log(
    `  POST applications ${app.status} ${app.body.code} in ${Math.round(app.ms)} ms: ${app.body.error}`,
  );
  expectThat(app.status === 502 && app.body.code === 'STORE_FETCH_FAILED', 'an app: 502 STORE_FETCH_FAILED');
  const words = [`${fault} editor`, `${fault} tracker`, 'notes'];
  const added = await api('POST', '/keywords', { keywords: words, app_id: id, ...storefront });
  const bare = await bareRun.stop();
  for (const { keyword, success, error } of added.body.data.results)
    console.log(`  ${String(keyword).padEnd(18)} ${success ?? error}`);
  expectThat(
    added.status === 200 && added.body.data.error_count === 3,
    'keywords: one error per keyword, the call succeeds',
  );
  const isInTime = app.ms < deadlinesMs.applications && added.ms < deadlinesMs.keywords;
  expectOnMachine(
    { isMet: isInTime, limitMs: deadlinesMs.applications, bare, figure: 'max' },
    'within the deadlines',
  );
  const after = await api('GET', '/account/usage');
  expectThat(
    JSON.stringify(after.body.data.usage) === JSON.stringify(before.body.data.usage),
    'nothing is half-written',
  );
  const list = await api('GET', `/keywords?app_id=${id}`);
  expectThat(
    isDeepStrictEqual(withoutScores(list.body.data), withoutScores(listBefore.body.data)),
    `the ${list.body.data.length} keywords and their ranks are unchanged`,
  );
}

async function recover(api: Api, id: number, fault: (typeof faults)[number]): Promise<void> {
  console.log('\n# the store answers again');
  await setMode(store, 'ok');
  const bareRun = await startBareRun();
  const backAtMs = performance.now();
  const words = { keywords: [`${fault} editor`], app_id: id, ...storefront };
  for (;;) {
    const added = await api('POST', '/keywords', words);
    const elapsedMs = performance.now() - backAtMs;
    const [{ success, error }] = added.body.data.results;
    if (!success && elapsedMs < giveUpMs) {
      // Expected: the circuit breaker is still open, or the failure is remembered.
      await sleep(1000);
      continue;
    }
    console.log(`  ${success ?? error}`);
    expectThat(success !== undefined, 'a keyword that failed before is tracked');
    expectOnMachine(
      { isMet: elapsedMs < openMs(fault) + mostAddedMs, limitMs: mostAddedMs, bare: await bareRun.stop() },
      `after ${Math.round(elapsedMs / 1000)} s`,
    );
    return;
  }
}
