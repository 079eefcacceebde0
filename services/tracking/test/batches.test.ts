import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { createSnapshotJobs } from '../src/daily-run/snapshot-jobs.ts';
import { createOnKeywordsScored } from '../src/events/on-keywords-scored.ts';
import { createDueKeywordMarketStore } from '../src/stores/due-keyword-market-store.ts';
import { createKeywordMarketStore } from '../src/stores/keyword-market-store.ts';
import { createTrackedKeywordStore } from '../src/stores/tracked-keyword-store.ts';
import { createHarness, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const dueAt = new Date('2026-03-11T11:00:00Z');

/** 40 due keywords, each tracked once, in a service without the daily run. */
async function start() {
  const clock = createManualClock('2026-03-11T12:00:00Z');
  const tracking = await startTracking({ clock });
  const { connection } = tracking;
  const keywordMarkets = createKeywordMarketStore(connection, createCounterStore(connection));
  const trackedKeywords = createTrackedKeywordStore(connection);
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const plan = { tracker_count: 1, planned_at: dueAt, due_at: dueAt, failures: 0 };
  await keywordMarkets.model.collection.insertMany(
    ids.map((id) => ({ _id: id, keyword: `keyword ${id}`, ...us, ...plan })) as never[],
  );
  await trackedKeywords.model.collection.insertMany(
    ids.map((id) => ({ account_id: 'ann', listing_id: 1, keyword_id: id, active: true })) as never[],
  );
  return { ...tracking, clock, keywordMarkets, trackedKeywords, commands: recordCommands(connection) };
}

test('40 jobs of the daily run that start at the same time take two queries before they read', async () => {
  const { keywordMarkets, trackedKeywords, clock, commands } = await start();
  const counts: number[] = [];
  const jobs = createSnapshotJobs({
    store: 'ITUNES',
    dueKeywordMarkets: createDueKeywordMarketStore(keywordMarkets),
    trackedKeywords,
    takeSnapshot: { forDailyRun: async (_market, { trackerCount }) => void counts.push(trackerCount) },
    now: clock.now,
    random: () => 0,
  });
  const claimed = await jobs.claim(40, false);
  commands.length = 0;
  const call = { requestId: 'daily-run-1', signal: new AbortController().signal };
  await Promise.all(claimed.map((job) => jobs.run(job, call)));
  expect([...commands].sort()).toEqual(['aggregate tracked_keywords', 'find keyword_markets']);
  expect(counts).toEqual(claimed.map(() => 1));
});

test('the scores of 40 keywords are stored with one command, and only where they are newer', async () => {
  const { keywordMarkets, clock, commands } = await start();
  const dueKeywordMarkets = createDueKeywordMarketStore(keywordMarkets);
  const onScored = createOnKeywordsScored({ keywordMarkets, dueKeywordMarkets, now: clock.now });
  const scoredAt = new Date('2026-03-11T12:00:00Z');
  const scored = Array.from({ length: 40 }, (_, index) => ({
    storefront: us,
    keyword: `keyword ${index + 1}`,
    difficulty: index,
    traffic: 50,
    scoring_version: 1,
    scored_at: scoredAt,
    is_partial: false,
    source: 'sample',
  }));
  commands.length = 0;
  await onScored(scored);
  expect(commands).toEqual(['update keyword_markets']);
  await onScored(scored.map((message) => ({ ...message, traffic: 1 })));
  const [first, last] = await keywordMarkets.findMany([1, 40]);
  expect([first?.scores, last?.scores]).toMatchObject([
    { difficulty: 0, traffic: 50 },
    { difficulty: 39, traffic: 50 },
  ]);
});
