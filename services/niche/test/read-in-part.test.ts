import { countries } from '@shelfwise/facts/stores/country';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { until } from '../../../testing/until.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { storeFailed } from './fake-store-fetch.ts';
import { createHarness, habitTerms, keywordsOf, type NicheService, us } from './start-niche.ts';

const { startNiche } = createHarness();

const hourMs = 60 * 60_000;
const never = () => new Promise<void>(() => {});
const letter = (text: string) => text.replace(/^habit tracker ?/u, '');

/**
 * The store refuses the completions for these letters; an empty text stands for the topic itself. Never three
 * neighbors, which would end the analysis.
 */
function refuse({ store }: NicheService, letters: string): void {
  const refused = new Set(letters === '' ? [''] : letters);
  store.refusal.of = (rpc, text) =>
    rpc === 'suggestTerms' && refused.has(letter(text)) ? storeFailed() : null;
}

/** The last analysis stays fresh for exactly so many hours. */
async function expectFresh({ find, clock }: NicheService, hours: number): Promise<void> {
  clock.advance(hours * hourMs - 1);
  expect((await find()).analysis).not.toBeNull();
  clock.advance(1);
  expect((await find()).analysis).toBeNull();
}

test.each([
  ['scored without suggestions', {}],
  ['that waits for a second look at its empty suggestions', { is_second_look_due: true }],
])('a term %s counts as not read, and the analysis is fresh for an hour', async (_what, more) => {
  const service = await startNiche();
  service.scoring.setScore('habit kind0 term5', { suggestions_read_at: null, ...more });
  const { analysis } = await service.analyze();
  expect(analysis).toMatchObject({ left_out: 1, unanswered: 0 });
  expect(keywordsOf(analysis)).toContain('habit kind0 term4');
  expect(keywordsOf(analysis)).not.toContain('habit kind0 term5');
  await expectFresh(service, 1);
});

test('an analysis fails when all terms are scored without suggestions', async () => {
  const { analyze, scoring, rows } = await startNiche();
  scoring.origin.isSuggesting = false;
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('search terms could not be read'),
  });
  expect(await rows('analyses')).toEqual([]);
});

test('titles and result pages are enough in storefronts where the App Store has no suggestions', async () => {
  const service = await startNiche();
  const { analyze, store, scoring, clock } = service;
  const unknown = [...countries.ITUNES].find((country) => appStoreStorefrontId(country) === null) ?? '';
  const storefront = { ...us, country: unknown };
  store.shown.hasSuggestions = false;
  scoring.origin.isSuggesting = false;
  const { analysis } = await analyze({ storefront });
  expect(analysis).toMatchObject({ left_out: 0, unanswered: 27 });
  expect(analysis?.candidates).toBeGreaterThan(1);
  clock.advance(7 * 24 * hourMs - 1);
  expect((await analyze({ storefront })).origin).toBe('CACHED');
});

test('a term with an incomplete score counts as not read', async () => {
  const { analyze, scoring } = await startNiche();
  scoring.setScore('habit kind0 term5', { search_status: 'pending', difficulty: null, traffic: null });
  scoring.setScore('habit kind0 term6', { difficulty: null });
  scoring.setScore('habit kind0 term9', { traffic: null });
  expect((await analyze()).analysis?.left_out).toBe(3);
});

test('refused terms are left out and counted; after an hour they are tried again, for another row of the history', async () => {
  const service = await startNiche();
  const { analyze, list, scoring, store } = service;
  scoring.refusal.of = (keyword) => (keyword.endsWith('5') ? 'Not now.' : null);
  expect((await analyze()).analysis?.left_out).toBe(1);
  await expectFresh(service, 1);
  scoring.refusal.of = () => null;
  store.forget();
  expect(await analyze()).toMatchObject({ origin: 'FRESH', analysis: { left_out: 0 } });
  expect((await list()).total).toBe(2);
});

test('refused completions are counted, and the analysis is fresh for an hour', async () => {
  const service = await startNiche();
  refuse(service, 'abdeghjkmnpqs');
  expect((await service.analyze()).analysis).toMatchObject({ unanswered: 13, left_out: 0 });
  await expectFresh(service, 1);
});

test('completions that the time does not allow are counted, and the analysis is fresh for a week', async () => {
  const service = await startNiche();
  const { analyze, store, scoring, clock } = service;
  store.hooks.beforeAnswer = (text) =>
    letter(text) >= 'c' && letter(text).length === 1 ? never() : Promise.resolve();
  const call = analyze();
  await until(() => store.count('suggestTerms') === 7);
  clock.advance(60_000);
  expect((await call).analysis).toMatchObject({ unanswered: 24, left_out: 0 });
  expect(scoring.requestedTerms()).toContain('habit kind0 term0');
  await expectFresh(service, 7 * 24);
});

test.each([
  ['more than half of the prefixes', 'abdeghjkmnpqst', '14 of 27'],
  ['the topic itself', '', '1 of 27'],
])('when the store refuses to complete %s, the analysis fails', async (_name, letters, share) => {
  const service = await startNiche();
  refuse(service, letters);
  await expect(service.analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining(`${share} completions of the topic`),
  });
  expect(await service.rows('analyses')).toEqual([]);
});

test.each([
  ['cannot be read', { isFailing: true }],
  ['are throttled', { isFailing: false }],
])('with suggestions that %s the analysis fails and names the store', async (_name, { isFailing }) => {
  const { analyze, store } = await startNiche();
  if (isFailing) store.fail('suggestTerms');
  else store.shown.hasSuggestions = false;
  const storefront = { store: 'GPLAY', country: 'US', lang: 'en' } as const;
  await expect(analyze({ storefront })).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('could not be read from Google Play.'),
  });
});

test.each([
  ['refuses', { isFailing: true }],
  ['returns no suggestions', { isFailing: false }],
])(
  'a store that %s three times in a row gets no more queries for suggestions',
  async (_name, { isFailing }) => {
    const { analyze, store } = await startNiche();
    if (isFailing) store.fail('suggestTerms');
    else store.shown.hasSuggestions = false;
    await expect(analyze()).rejects.toMatchObject({
      message: expect.stringContaining('27 of 27 completions of the topic'),
    });
    // Four queries run at the same time.
    expect(store.count('suggestTerms')).toBeLessThanOrEqual(6);
  },
);

test('without the topic’s result page its ten apps known to scoring are enough; the analysis says so and is fresh for an hour', async () => {
  const service = await startNiche();
  service.store.fail('searchApps');
  const { analysis } = await service.analyze();
  expect(analysis).toMatchObject({
    candidates: 13,
    unanswered: 1,
    left_out: 0,
    is_topic_page_unread: true,
    no_clusters_reason: null,
  });
  expect(keywordsOf(analysis)).toContain('habit kind0 term4');
  await expectFresh(service, 1);
});

test('a result page for which the time runs out is missing, too: the analysis is fresh for an hour', async () => {
  const service = await startNiche();
  const { analyze, store, clock } = service;
  store.hooks.beforeAnswer = (text) =>
    text === 'habit tracker' && store.count('searchApps') === 1 && store.calls.at(-1)?.rpc === 'searchApps'
      ? never()
      : Promise.resolve();
  const call = analyze();
  await until(() => store.count('suggestTerms') === 27);
  clock.advance(60_000);
  expect((await call).analysis).toMatchObject({ is_topic_page_unread: true, unanswered: 1 });
  await expectFresh(service, 1);
});

test('when neither the store nor scoring shows the topic’s apps, no term can be judged and the analysis fails', async () => {
  const { analyze, store, scoring, rows } = await startNiche();
  store.fail('searchApps');
  scoring.refusal.of = (keyword) => (keyword === 'habit tracker' ? 'Not now.' : null);
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('the apps that the App Store shows for it could not be read'),
  });
  expect(await rows('analyses')).toEqual([]);
});

test('an analysis with scores of an older release is fresh for an hour', async () => {
  const service = await startNiche();
  service.scoring.setScore('habit kind0 term5', { scoring_version: scoringVersion - 1 });
  await service.analyze();
  await expectFresh(service, 1);
});

test('when all terms wait for a second look at their suggestions, the failure says so', async () => {
  const { analyze, store, scoring } = await startNiche();
  store.shown.terms = [];
  store.shown.titles = [];
  scoring.setScore('habit tracker', { suggestions_read_at: null, is_second_look_due: true });
  await expect(analyze()).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('a second look in ten minutes'),
  });
});

test('terms beyond the limit of 2,000 are counted', async () => {
  const { analyze, store, scoring } = await startNiche();
  store.shown.terms = habitTerms(2_100);
  const { analysis } = await analyze();
  expect(scoring.known.size).toBe(2_000);
  expect(analysis?.candidates).toBeGreaterThan(2_100);
  expect(analysis?.left_out).toBe((analysis?.candidates ?? 0) - 2_000);
});

test('only the first 20 titles of the result page are used', async () => {
  const { analyze, store, scoring } = await startNiche();
  store.shown.titles = [...Array.from({ length: 20 }, () => 'Habit Tracker'), 'Mood Diary'];
  await analyze();
  expect(scoring.requestedTerms()).toContain('habit kind0 term0');
  expect(scoring.requestedTerms().filter((term) => term.includes('diary'))).toEqual([]);
});

test.each([
  ['leads to other apps than the topic is in no niche', ['other.1', 'other.2'], false],
  ['leads to apps of the topic’s result page is in a niche', ['app.1', 'app.3'], true],
])('a phrase of titles that %s', async (_name, appIds, isOne) => {
  const { analyze, scoring, store } = await startNiche();
  store.shown.titles = [1, 2, 3].map((at) => `Habit Lark ${at}: Routine Planner`);
  const app = { title: 'Streaks', genre_key: '6007' };
  const top = appIds.map((appId) => ({ ...app, app_id: appId, ratings: 10, updated_at: null }));
  scoring.setScore('routine planner', { top });
  const { analysis } = await analyze();
  expect(scoring.known.get('routine planner')?.search_status).toBe('searched');
  expect(keywordsOf(analysis).includes('routine planner')).toBe(isOne);
});
