import { importances, weekMs } from '../src/domain/term-schedule.ts';
import { probeTerms } from '../src/simulating/probe-terms.ts';
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

/** Probes with the real measurer, over a store that a test writes. */
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

test('what is known costs no call for a week, then each page one', async () => {
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

test('a store that is down is left alone after three failures, though old pages stand in', async () => {
  const { probe, clock, store, connection } = await startProbe();
  const readAt = clock.at;
  await probe();
  clock.advance(weekMs);
  store.forgetCalls();
  store.fail('searchApps');
  const probed = await probe();
  expect(probed).toMatchObject({ probedCount: 14, fetchedCount: 0, staleSince: readAt });
  // Eight at once, and those that took the places of the first that failed: how many depends on the database's pace.
  expect(store.count('searchApps')).toBeLessThan(14);
  const due = await connection.collection('terms').countDocuments({ requested_until: { $gt: clock.at } });
  expect(due).toBe(14);
});

test('a store that is down from the start leaves every word out', async () => {
  const { probe, store } = await startProbe();
  store.fail('searchApps');
  store.fail('suggestTerms');
  const { scores, ...counts } = await probe();
  expect(counts).toEqual({ probedCount: 0, pendingCount: 14, fetchedCount: 0, staleSince: null });
  expect(scores.size).toBe(0);
});

test('without the details of Google Play nothing is told of a word, and it is read again', async () => {
  const { probe, store } = await startProbe();
  store.fail('getListings');
  expect(await probe(play)).toMatchObject({ probedCount: 0, fetchedCount: 0 });
  store.recover('getListings');
  expect(await probe(play)).toMatchObject({ probedCount: 14 });
});
