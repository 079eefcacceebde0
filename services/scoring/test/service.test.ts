import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { callWithin } from '../../../testing/call-within.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { fakeListing, storeFailed } from './fake-store-fetch.ts';
import { createHarness, type Scoring } from './start-scoring.ts';

const { startScoring } = createHarness();

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const cameraQuery = { storefront: us, keyword: 'camera' };

function appOf({ clock }: Scoring): TrackedListing {
  const shown = { title: 'Harbour Camera', subtitle: 'Photo editor' };
  // The genre of the apps on all result pages: what the listing says is this app's business.
  const listing = { ...fakeListing('1001'), genre_key: '6007', ...shown };
  return { id: 7, storefront: us, revision: 1, read_at: clock.at, source: 'sample', listing };
}

function trackApp(scoring: Scoring, title = 'Harbour Camera') {
  const app = appOf(scoring);
  const listing = { ...app, listing: { ...fakeListing('1001'), ...app.listing, title } };
  const event = { account_id: 'ann', at: scoring.clock.at, listing };
  return scoring.bus.deliver('tracking.application-tracked.v1', '7', event);
}

function trackKeyword({ bus, clock }: Scoring, keyword = 'camera') {
  const row = {
    account_id: 'ann',
    keyword_id: 3,
    keyword,
    storefront: us,
    app_id: 7,
    at: clock.at,
    scored_at: null,
  };
  return bus.deliver('tracking.keyword-tracked.v1', '3', row);
}

async function healthOf(scoring: Scoring): Promise<AsoReport | null> {
  const request = { app: appOf(scoring), include_words: true };
  return (await scoring.client.getAsoHealth(request, callWithin())).report;
}

function wordStatuses(report: AsoReport | null): string[] {
  return (report?.fields ?? []).flatMap(({ words }) => words.map(({ status }) => status));
}

const publishedScores = ({ bus }: Scoring) => messagesOf(bus.published, 'scoring.keyword-scored.v1');
const audits = ({ bus }: Scoring) => messagesOf(bus.published, 'scoring.listing-audited.v1');

test('a tracked application has no report before its words are read, and no scores are published', async () => {
  const scoring = await startScoring({ isRemote: true });
  scoring.store.hooks.beforeAnswer = () => new Promise(() => {});
  await trackApp(scoring);
  expect(await healthOf(scoring)).toBeNull();
  expect(audits(scoring)).toEqual([]);
});

test('the application is audited again as its words are measured, and its scores are published', async () => {
  const scoring = await startScoring();
  scoring.store.suggestions.terms = ['camera', 'photo editor'];
  await trackApp(scoring);
  await until(async () => {
    const shown = await healthOf(scoring);
    return shown !== null && !wordStatuses(shown).includes('pending');
  });
  const report = await healthOf(scoring);
  expect(report?.axes.find(({ key }) => key === 'coverage')?.score).toBeGreaterThan(0);
  await until(async () => {
    return audits(scoring).at(-1)?.global === report?.global;
  });
  expect(audits(scoring).every(({ id }) => id === 7)).toBe(true);
});

test('a tracked keyword is measured immediately, and its scores are published', async () => {
  const scoring = await startScoring();
  scoring.store.suggestions.terms = ['camera', 'camera app'];
  await trackKeyword(scoring);
  await until(() => publishedScores(scoring).length > 0);
  const [scored] = publishedScores(scoring);
  expect(scored).toMatchObject({
    storefront: us,
    keyword: 'camera',
    scored_at: scoring.clock.at,
    source: 'sample',
    difficulty: expect.any(Number),
    traffic: expect.any(Number),
  });
  const { breakdown } = await scoring.client.explainScores(cameraQuery, callWithin());
  const { difficulty, traffic, scoring_version: scoringVersion } = scored ?? {};
  expect(breakdown).toMatchObject({ difficulty, traffic, scoring_version: scoringVersion });
});

test('the words of a new listing are read as urgently as a new keyword, its phrases like those of any listing', async () => {
  const scoring = await startScoring();
  const { store } = scoring;
  await trackApp(scoring);
  const [words, phrases] = [
    ['camera', 'editor', 'harbour', 'photo'],
    ['harbour camera', 'photo editor'],
  ];
  const termsOf = (isForDailyRun: boolean) =>
    store.requests.searchApps
      .filter(({ for_daily_run: forDailyRun }) => forDailyRun === isForDailyRun)
      .map(({ term }) => term)
      .toSorted();
  await until(() => phrases.every((phrase) => termsOf(true).includes(phrase)));
  await until(() => termsOf(false).length >= words.length);
  expect(termsOf(false)).toEqual(words);
});

test.each([
  ['never get a call slot', 1, () => new Promise<void>(() => {})],
  ['are refused as too many', 3, () => Promise.reject(storeFailed())],
])('a tracked keyword does not wait for words of listings whose calls %s', async (_name, calls, open) => {
  const scoring = await startScoring();
  const { store } = scoring;
  store.hooks.beforeAnswer = async (rpc) => {
    if (rpc === 'searchApps' && store.requests.searchApps.at(-1)?.for_daily_run) await open();
  };
  // Its words are urgent; its phrases, which are four, are not.
  await trackApp(scoring, 'Harbour Camera Studio');
  await until(() => store.requests.searchApps.filter((request) => request.for_daily_run).length >= calls);
  await trackKeyword(scoring, 'telescope');
  await until(() => publishedScores(scoring).some(({ keyword }) => keyword === 'telescope'));
  expect(publishedScores(scoring)).toMatchObject([
    { difficulty: expect.any(Number), traffic: expect.any(Number) },
  ]);
});

test('a tracked keyword that a listing comes to show is measured again at once: its page becomes public', async () => {
  const scoring = await startScoring();
  const { store, bus, clock } = scoring;
  const untilMeasured = () =>
    until(
      async () => (await scoring.server.checks['scoring run']?.())?.detail?.startsWith('0 keywords') === true,
    );
  await trackApp(scoring);
  await until(async () => (await healthOf(scoring)) !== null);
  await trackKeyword(scoring, 'telescope');
  await until(() => publishedScores(scoring).length > 0);
  await untilMeasured();
  // Each audit starts a millisecond after the one before, while the clock stands still.
  await clock.advance(1000);
  const app = appOf(scoring);
  const listing = { ...fakeListing('1001'), ...app.listing, title: 'Harbour Telescope' };
  await bus.deliver('tracking.listing-changed.v1', '7', {
    listing: { ...app, revision: 2, listing },
    changed: ['title'],
  });
  await until(() => store.requests.searchApps.some(({ term }) => term === 'harbour telescope'));
  // The clock does not advance any more, so no worker polls for jobs.
  await untilMeasured();
});

test('a duplicate event does not trigger a second measurement', async () => {
  const scoring = await startScoring();
  const event = await trackKeyword(scoring);
  await until(() => publishedScores(scoring).length === 1);
  const count = scoring.store.count('searchApps');
  await scoring.bus.redeliver(event);
  // Once when the event arrives, and once when its measurement finds nothing to do; the two may be one.
  await until(() => publishedScores(scoring).length >= 2);
  const [first, ...others] = publishedScores(scoring);
  for (const other of others) expect(other).toEqual(first);
  expect(scoring.store.count('searchApps')).toBe(count);
});

test('the health page shows what is waiting, and why a store is not read', async () => {
  const scoring = await startScoring();
  const status = async () => {
    const check = scoring.server.checks['scoring run'];
    return (await check?.())?.detail ?? '';
  };
  expect(await status()).toBe('0 keywords wait to be measured, 0 listings to be audited');
  scoring.store.fail('searchApps');
  scoring.store.fail('suggestTerms');
  for (const keyword of ['camera', 'photo', 'video', 'editor']) await trackKeyword(scoring, keyword);
  await until(async () => /App Store keywords to score are not read until/.test(await status()));
});

test('without a bus no events arrive and published ones are stored; a later start with a bus publishes them', async () => {
  const alone = await startScoring({ hasBus: false });
  await alone.client.getAsoHealth({ app: appOf(alone), include_words: false }, callWithin());
  const events = async () => (await alone.server.checks.events?.())?.detail ?? '';
  await until(async () => {
    return /^[1-9]\d* changes? not published yet; no event bus is set/.test(await events());
  });
  await alone.stop();
  const later = await startScoring({ database: alone.database });
  await until(() => audits(later).length > 0);
});

test('every RPC of the contract answers', async () => {
  const scoring = await startScoring();
  const { client } = scoring;
  const accountId = 'ann';
  const page = { account_id: accountId, page: 1, per_page: 50 };
  const draft = { title: 'Harbour Camera' };
  const check = await client.checkMetadata({ store: 'ITUNES', draft }, callWithin());
  expect(check).toMatchObject({ valid: true, fields: [{ field: 'title', length: 14 }] });
  const run = await client.simulateListing(
    {
      account_id: accountId,
      app: appOf(scoring),
      storefront: us,
      draft,
      context: null,
      include_words: false,
    },
    callWithin(),
  );
  expect((await client.listSimulations(page, callWithin())).runs).toMatchObject([{ id: run.run_id }]);
  const whole = await client.getSimulation({ account_id: accountId, id: run.run_id }, callWithin());
  expect(whole.listing).toMatchObject({ title: 'Harbour Camera', subtitle: 'Photo editor' });
  const inspected = await client.inspectKeyword({ account_id: accountId, ...cameraQuery }, callWithin());
  expect(inspected).toMatchObject({ keyword: 'camera', is_saved: true });
  const day = scoring.clock.at.toISOString().slice(0, 10);
  const explained = await client.getKeywordScores({ ...cameraQuery, from: day, to: day }, callWithin());
  expect(explained.history).toMatchObject([{ date: day, traffic: inspected.traffic_score }]);
  expect((await client.listInspections(page, callWithin())).inspections).toMatchObject([
    { keyword_name: 'camera' },
  ]);
  const field = { account_id: accountId, app_id: 7 };
  const given = { account_id: accountId, app: appOf(scoring), kw_field: 'crop,filter' };
  const kept = await client.setKeywordsField(given, callWithin());
  expect(kept).toEqual({ kw_field: 'crop,filter', updated_at: scoring.clock.at });
  expect(await client.getKeywordsField(field, callWithin())).toEqual(kept);
  expect(await client.deleteKeywordsField(field, callWithin())).toEqual({ already_removed: false });
  const window = { from: '2026-03-01', to: '2026-03-10' };
  const { history } = await client.getScoreHistory({ app_id: 7, ...window }, callWithin());
  expect(history).toMatchObject([{ date: '2026-03-10', ratings: 1200 }]);
  const { listings } = await client.listVisibilityDays({ app_ids: [7], ...window }, callWithin());
  expect(listings).toMatchObject([{ app_id: 7 }]);
  const many = { storefront: us, keywords: ['camera', 'photo editor'], known_only: false };
  const { outcomes } = await client.scoreTerms(many, callWithin());
  expect(outcomes.map(({ keyword, outcome }) => [keyword, outcome?.$case])).toEqual([
    ['camera', 'scored'],
    ['photo editor', 'scored'],
  ]);
  const compared = { listings: [{ id: 7, competitor_app_ids: ['1002'] }] };
  expect((await client.compareVisibility(compared, callWithin())).listings).toMatchObject([
    { id: 7, competitors: [{ app_id: '1002' }] },
  ]);
});

test('words that a draft could not read in time are read right after it', async () => {
  const scoring = await startScoring();
  const { store, client } = scoring;
  store.fail('searchApps');
  store.fail('suggestTerms');
  const draft = { title: 'Camera' };
  const request = {
    account_id: 'ann',
    app: null,
    storefront: us,
    draft,
    context: null,
    include_words: false,
  };
  await expect(client.simulateListing(request, callWithin())).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
  });
  // The clock does not advance, so no worker polls for jobs.
  await until(() => store.requests.searchApps.some((request) => request.for_daily_run));
});

test('a reading of another kind of store than the database holds is refused', async () => {
  const scoring = await startScoring();
  await trackApp(scoring);
  const live = { ...appOf(scoring), id: 8, source: 'app-store' };
  await expect(
    scoring.client.getAsoHealth({ app: live, include_words: false }, callWithin()),
  ).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED', message: expect.stringMatching(/sample catalog/) });
});
