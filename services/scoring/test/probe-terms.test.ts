import { importances, weekMs } from '../src/domain/term-schedule.ts';
import { probeTerms } from '../src/drafts/probe-terms.ts';
import { fakeFoundApp } from './fake-store-fetch.ts';
import { play, us, within } from './start-drafts.ts';
import { createInspectionHarness } from './start-inspections.ts';

const startInspections = createInspectionHarness();
const words = [
  'photo',
  'editor',
  'collage',
  'maker',
  'camera',
  'crop',
  'frame',
  'grid',
  'filter',
  'story',
  'video',
  'retouch',
  'selfie',
  'poster',
];
const draftTerms = words.map((keyword) => ({ keyword, importance: importances.indexed }));

/** Probes with the real measurer and a fake store. */
async function startProbe() {
  const { terms, measurer, clock, store, connection } = await startInspections();
  const deps = { terms, measurer, now: clock.now, sleep: clock.sleep };
  return {
    probe: (storefront: typeof us | typeof play = us) => probeTerms(deps, storefront, draftTerms, within()),
    clock,
    store,
    connection,
  };
}

test('known words cost no call for a week, then one call per result page', async () => {
  const { probe, clock, store } = await startProbe();
  expect(await probe()).toMatchObject({ probedCount: 14, fetchedCount: 14, staleSince: null });
  expect(store.count('searchApps')).toBe(14);
  store.forgetCalls();
  expect(await probe()).toMatchObject({ probedCount: 14, fetchedCount: 0 });
  clock.advance(weekMs - 1);
  await probe();
  expect(store.count()).toBe(0);
  clock.advance(1);
  expect(await probe()).toMatchObject({ probedCount: 14, fetchedCount: 0, staleSince: null });
  expect(store.count('searchApps')).toBe(14);
});

test('a failing store is left alone after three failures, even though older pages are used', async () => {
  const { probe, clock, store, connection } = await startProbe();
  const readAt = clock.at;
  await probe();
  clock.advance(weekMs);
  store.forgetCalls();
  store.fail('searchApps');
  const probed = await probe();
  expect(probed).toMatchObject({ probedCount: 14, fetchedCount: 0, staleSince: readAt });
  // Eight run concurrently, plus those that replaced the first failures; the number depends on the speed of the
  // database.
  expect(store.count('searchApps')).toBeLessThan(14);
  const due = await connection.collection('terms').countDocuments({ requested_until: { $gt: clock.at } });
  expect(due).toBe(14);
});

test('words that were not read are requested after those of listings, for which audits wait', async () => {
  const { probe, store, connection } = await startProbe();
  store.fail('searchApps');
  await probe();
  const requested = await connection.collection('terms').distinct('importance');
  expect(requested).toEqual([importances.phrase]);
});

test('a store that fails from the start leaves every word out', async () => {
  const { probe, store } = await startProbe();
  store.fail('searchApps');
  store.fail('suggestTerms');
  const { scores, pending, ...counts } = await probe();
  expect(pending).toHaveLength(14);
  expect(counts).toEqual({
    probedCount: 0,
    partialCount: 0,
    waitingCount: 0,
    isBlank: true,
    fetchedCount: 0,
    staleSince: null,
  });
  expect(scores.size).toBe(0);
});

test('words that wait for the second look at their suggestions are pending, but not unknown', async () => {
  const { probe, store } = await startProbe();
  store.suggestions.mayThrottle = true;
  for (const word of words) store.setPage(word, [fakeFoundApp('1', { title: 'Acorn' })]);
  expect(await probe()).toMatchObject({ probedCount: 0, waitingCount: 14, isBlank: false });
});

test('without Google Play details a word has no score and is read again', async () => {
  const { probe, store } = await startProbe();
  store.fail('getListings');
  expect(await probe(play)).toMatchObject({ probedCount: 0, fetchedCount: 0 });
  store.recover('getListings');
  expect(await probe(play)).toMatchObject({ probedCount: 14 });
});
