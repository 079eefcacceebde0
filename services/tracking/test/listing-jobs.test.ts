import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { codeOf } from '../../../testing/call-within.ts';
import type { ListingGroup } from '../src/daily-run/listing-jobs.ts';
import { noAudits } from '../src/domain/audit-days.ts';
import { failedListing, foundListing, neverAnswer, storeFailed } from './fake-store-fetch.ts';
import { createListingHarness, type Listings } from './start-listings.ts';
import { us } from './start-tracking.ts';

const { startListings } = createListingHarness();

const de = { store: 'ITUNES', country: 'DE', lang: 'de-DE' } as const;
const play = { ...us, store: 'GPLAY' } as const;
const endOfDay = new Date('2026-03-11T23:30:00Z');
const dayMs = 86_400_000;
const minutes = (count: number) => count * 60_000;

function pass({ clock }: Listings, ms: number): void {
  clock.at = new Date(clock.at.getTime() + ms);
}

/** Tracks apps on March 10 and moves the clock to the end of the next day, so that all of them are due. */
async function startDue(count: number): Promise<Listings & { ids: number[] }> {
  const listings = await startListings();
  const ids = await listings.trackMany(count);
  listings.clock.at = endOfDay;
  return { ...listings, ids };
}

async function claimOne(listings: Listings): Promise<ListingGroup> {
  const [group] = await listings.jobs.claim(1, false);
  if (!group) throw new Error('nothing is due');
  return group;
}

/** Sets what the store shows of some apps; the others stay as they are. */
function show(
  { store }: Listings,
  results: Record<string, (appId: string) => ReturnType<typeof failedListing>>,
) {
  store.answers.getListings = async (request) => ({
    results: request.app_ids.map((id) => results[id]?.(id) ?? foundListing(id, store.reading())),
  });
}

test('a listing is read once a day, marked as daily and with its subtitle', async () => {
  const listings = await startListings();
  const id = await listings.track('1000');
  expect(await listings.runDue()).toEqual([]);
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) {
    const slot = slotOf(id, day);
    listings.clock.at = new Date(slot.getTime() - 1);
    expect(await listings.runDue()).toEqual([]);
    listings.clock.at = slot;
    expect(await listings.runDue()).toHaveLength(1);
    expect(await listings.runDue()).toEqual([]);
    expect(listings.store.batches.at(-1)).toEqual({
      storefront: us,
      app_ids: ['1000'],
      with_subtitle: true,
      for_daily_run: true,
      fresh_since: new Date(`${day}T00:00:00Z`),
    });
  }
  expect(listings.store.batches).toHaveLength(3);
});

test('missed days are not read later; today is', async () => {
  const listings = await startDue(1);
  pass(listings, 5 * dayMs);
  expect(await listings.runDue()).toHaveLength(1);
  expect(await listings.runDue()).toEqual([]);
});

test('a change found by a daily reading makes a version and an event; a reading without a change makes none', async () => {
  const listings = await startDue(2);
  show(listings, { 1000: (id) => foundListing(id, listings.store.reading(), { title: 'New' }) });
  await listings.runDue();
  expect(await listings.changes()).toMatchObject([
    { listing: { id: listings.ids[0], revision: 2 }, changed: ['title'] },
  ]);
  expect(await listings.rows('listing_versions')).toHaveLength(3);
});

test('listings of one storefront are read twenty per call, and none twice', async () => {
  const listings = await startListings();
  await listings.trackMany(25);
  await listings.trackMany(3, de);
  listings.clock.at = endOfDay;
  expect(await listings.countDue()).toBe(28);
  await listings.runDue();
  const { batches } = listings.store;
  expect(batches.map((batch) => batch.app_ids.length).sort()).toEqual([20, 3, 5]);
  const read = batches.flatMap(({ storefront, app_ids: appIds }) =>
    appIds.map((id) => storefront?.country + id),
  );
  expect(new Set(read).size).toBe(28);
  expect(await listings.countDue()).toBe(0);
});

test('a due listing is read together with others that are due later the same day, but not with those of the next day', async () => {
  const listings = await startListings();
  const ids = await listings.trackMany(30);
  const slots = ids.map((id) => slotOf(id, '2026-03-11')).sort((a, b) => a.getTime() - b.getTime());
  listings.clock.at = slots[0] as Date;
  expect(await listings.countDue()).toBe(1);
  expect((await listings.runDue()).map((group) => group.listings.length)).toEqual([20]);
  listings.clock.at = slots[20] as Date;
  expect((await listings.runDue()).map((group) => group.listings.length)).toEqual([10]);
  expect(await listings.runDue()).toEqual([]);
});

test('the listing that has been due for longest comes first', async () => {
  const listings = await startListings();
  await listings.track('1000', { subtitle: null }, de);
  pass(listings, minutes(1));
  await listings.track('1000', { subtitle: null });
  pass(listings, minutes(1));
  expect((await listings.jobs.claim(2, false)).map(({ storefront }) => storefront.country)).toEqual([
    'DE',
    'US',
  ]);
});

test('each store has its own jobs', async () => {
  const listings = await startListings();
  await listings.trackMany(2, play);
  listings.clock.at = endOfDay;
  expect(await listings.jobs.claim(1, false)).toEqual([]);
  const other = listings.jobsOf('GPLAY');
  expect([listings.jobs.name, other.name]).toEqual(['App Store listings', 'Google Play listings']);
  expect(await listings.countDue('GPLAY')).toBe(2);
  expect(await other.claim(5, false)).toMatchObject([{ storefront: play, listings: [{}, {}] }]);
});

test('listings claimed by a copy that crashed are due again after three minutes', async () => {
  const listings = await startDue(3);
  await claimOne(listings);
  expect(await listings.jobs.claim(1, false)).toEqual([]);
  pass(listings, minutes(3));
  expect(await listings.startCopy().jobs.claim(1, false)).toMatchObject([{ listings: [{}, {}, {}] }]);
});

test.each([
  ['as it is stored', {}],
  ['with a change', { title: 'New' }],
])('a user’s reading of a claimed listing %s ends the claim, and its plan stays', async (_name, shown) => {
  const listings = await startDue(1);
  const group = await claimOne(listings);
  await listings.read('1000', shown);
  const [planned] = await listings.rows('listings');
  expect(planned).not.toHaveProperty('claimed_by');
  await listings.jobs.fail(group, true);
  await listings.jobs.requeue([group]);
  expect(await listings.rows('listings')).toEqual([planned]);
});

test('a group that waited too long is not read, because its claim could expire during the reading', async () => {
  const listings = await startDue(1);
  const group = await claimOne(listings);
  pass(listings, minutes(2));
  expect(await listings.jobs.run(group, listings.call())).toBe('skipped');
  expect(listings.store.batches).toEqual([]);
  pass(listings, minutes(1));
  expect(await listings.runDue()).toHaveLength(1);
});

test('when the store fails, the whole group fails and is retried after a minute', async () => {
  const listings = await startDue(2);
  listings.clock.at = new Date('2026-03-12T09:00:00Z');
  const { getListings } = listings.store.answers;
  listings.store.answers.getListings = async () => Promise.reject(storeFailed());
  const before = await listings.rows('listing_versions');
  const group = await claimOne(listings);
  expect(await codeOf(listings.jobs.run(group, listings.call()))).toBe('STORE_FETCH_FAILED');
  await listings.jobs.fail(group, true);
  pass(listings, minutes(1) - 1);
  expect(await listings.jobs.claim(1, false)).toEqual([]);
  pass(listings, 1);
  expect(await listings.jobs.readBacklog()).toMatchObject({ oldestDueAt: listings.clock.at });
  const again = await claimOne(listings);
  expect(listings.jobs.partsOf(again)).toMatchObject([{ failures: 1 }, { failures: 1 }]);
  expect(await listings.rows('listing_versions')).toEqual(before);
  listings.store.answers.getListings = getListings;
  await listings.jobs.run(again, listings.call());
  expect(await listings.rows('listings')).toMatchObject([{ failures: 0 }, { failures: 0 }]);
});

test('a listing that cannot be read is retried alone; the others are saved', async () => {
  const listings = await startDue(3);
  show(listings, {
    1000: (id) => foundListing(id, listings.store.reading(), { title: 'New' }),
    1001: (id) => failedListing(id, 'STORE_FETCH_FAILED'),
  });
  await listings.runDue();
  expect(await listings.changes()).toHaveLength(1);
  show(listings, {});
  pass(listings, minutes(1));
  await listings.runDue();
  expect(listings.store.batches.map((batch) => batch.app_ids.length)).toEqual([3, 1]);
  expect(listings.store.batches[1]?.app_ids).toEqual(['1001']);
});

test.each([
  ['fails for each of them', (id: string) => failedListing(id, 'STORE_FETCH_FAILED')],
  [
    'shows other apps',
    (id: string) => ({ ...foundListing(`9${id}`, { read_at: endOfDay, source: 'sample' }), app_id: id }),
  ],
  ['does not answer for them', (id: string) => ({ app_id: id, outcome: null })],
  ['answers for other apps', (id: string) => foundListing(`9${id}`, { read_at: endOfDay, source: 'sample' })],
])('a store that %s counts as failed, and nothing is saved', async (_name, answer) => {
  const listings = await startDue(2);
  show(listings, { 1000: answer, 1001: answer });
  const group = await claimOne(listings);
  const before = await listings.rows('listings');
  expect(await codeOf(listings.jobs.run(group, listings.call()))).toBe('STORE_FETCH_FAILED');
  expect(await listings.rows('listings')).toEqual(before);
});

test('a reading of live stores is refused in a database of the sample, and nothing is saved', async () => {
  const listings = await startDue(1);
  await listings.runDue();
  listings.clock.at = new Date(endOfDay.getTime() + dayMs);
  listings.store.origin.source = 'app-store';
  const group = await claimOne(listings);
  expect(await codeOf(listings.jobs.run(group, listings.call()))).toBe('STORE_FETCH_FAILED');
  expect(await listings.rows('listings')).toMatchObject([{ source: 'sample' }]);
});

test('when the database refuses one listing, only that listing fails, and the next day’s reading repairs it', async () => {
  const listings = await startDue(2);
  show(listings, { 1000: (id) => foundListing(id, listings.store.reading(), { title: 'New' }) });
  const broken = jest
    .spyOn(listings.connection.model('ListingVersion'), 'create')
    .mockRejectedValueOnce(new Error('disk'));
  await listings.runDue();
  broken.mockRestore();
  expect(await listings.rows('listing_versions')).toHaveLength(2);
  pass(listings, dayMs);
  await listings.runDue();
  expect(await listings.rows('listing_versions')).toHaveLength(3);
  expect(await listings.changes()).toHaveLength(1);
});

test('a stopped reading ends immediately, and its listings can be requeued', async () => {
  const listings = await startDue(2);
  const group = await claimOne(listings);
  const stopping = new AbortController();
  const reason = new Error('the service is stopping');
  listings.store.answers.getListings = (request, call) => {
    setImmediate(() => stopping.abort(reason));
    return neverAnswer(request, call);
  };
  const reading = listings.jobs.run(group, { requestId: 'run', signal: stopping.signal });
  await expect(reading).rejects.toBe(reason);
  await listings.jobs.requeue([group]);
  expect(await listings.countDue()).toBe(2);
});

const gone = (appId: string) => failedListing(appId, 'APP_NOT_FOUND');

test('an app is unlisted after empty look-ups on two days, keeps its content, and is read again every day', async () => {
  const listings = await startDue(2);
  const [id] = listings.ids;
  const row = async () => (await listings.rows('listings'))[0];
  show(listings, { 1000: gone });
  await listings.runDue();
  expect(await listings.countDue()).toBe(0);
  expect(await listings.changes()).toEqual([]);
  const dueAt = slotOf(id as number, '2026-03-12');
  const missing = { _id: id, title: 'Title of 1000', due_at: dueAt, planned_at: dueAt, failures: 0 };
  expect(await row()).toMatchObject({ ...missing, missing_since: endOfDay, unlisted_since: null });

  pass(listings, dayMs);
  await listings.runDue();
  expect(await row()).toMatchObject({ title: 'Title of 1000', unlisted_since: endOfDay, revision: 2 });
  expect(await listings.changes()).toMatchObject([
    {
      changed: ['unlisted_since'],
      listing: { unlisted_since: endOfDay, revision: 2, listing: { app_id: '1000' } },
    },
  ]);
  pass(listings, dayMs);
  await listings.runDue();
  expect(await row()).toMatchObject({ unlisted_since: endOfDay, revision: 2 });

  pass(listings, dayMs);
  show(listings, {});
  await listings.runDue();
  expect(await row()).toMatchObject({
    missing_since: null,
    missed_at: null,
    unlisted_since: null,
    revision: 3,
  });
  expect((await listings.changes())[1]).toMatchObject({
    changed: ['unlisted_since'],
    listing: { unlisted_since: null, revision: 3 },
  });
});

test('the only copy shows at once that an app is unlisted, listed again, and audited', async () => {
  const only = await startListings({ isOnlyCopy: true });
  const [id = 0] = await only.trackMany(2);
  const shown = async () => {
    const [listing] = await only.listings.findMany([id]);
    return [listing?.unlisted_since, listing?.audits?.newest?.global];
  };
  expect(await shown()).toEqual([null, undefined]);
  only.clock.at = endOfDay;
  show(only, { 1000: gone });
  await only.runDue();
  pass(only, dayMs);
  await only.runDue();
  expect(await shown()).toEqual([endOfDay, undefined]);
  const newest = { day: '2026-03-12', at: only.clock.at, global: 61, scoring_version: 4 };
  const audits = { newest, day_before: null };
  expect(await only.listings.saveAudits(id, noAudits, audits)).toBe(true);
  expect(await shown()).toEqual([endOfDay, 61]);
  pass(only, dayMs);
  show(only, {});
  await only.runDue();
  expect(await shown()).toEqual([null, 61]);
});

test('an empty look-up on one day only says nothing, and neither do two with an answer between them', async () => {
  const listings = await startDue(2);
  for (const results of [{ 1000: gone }, {}, { 1000: gone }]) {
    show(listings, results);
    await listings.runDue();
    pass(listings, dayMs);
  }
  expect((await listings.rows('listings'))[0]).toMatchObject({ unlisted_since: null, revision: 1 });
  expect(await listings.changes()).toEqual([]);
});

test('an empty look-up counts only when a known app of the storefront is shown after it', async () => {
  const listings = await startDue(2);
  show(listings, { 1000: gone });
  await listings.runDue();
  const [batch, canary] = listings.store.batches;
  expect(batch?.app_ids.toSorted()).toEqual(['1000', '1001']);
  expect(canary).toMatchObject({
    storefront: us,
    app_ids: ['1001'],
    fresh_since: endOfDay,
    for_daily_run: true,
  });
});

test.each<[string, Parameters<typeof show>[1]]>([
  ['shows no app at all', { 1000: gone, 1001: gone, charted: gone }],
  [
    'cannot be read for known apps',
    { 1000: gone, 1001: gone, charted: (id) => failedListing(id, 'STORE_FETCH_FAILED') },
  ],
])(
  'while the store %s, no look-up counts: the readings have failed and are tried again',
  async (_, results) => {
    const listings = await startDue(2);
    show(listings, results);
    for (let day = 0; day < 3; day += 1) {
      expect(await codeOf(listings.jobs.run(await claimOne(listings), listings.call()))).toBe(
        'STORE_FETCH_FAILED',
      );
      pass(listings, dayMs);
    }
    for (const row of await listings.rows('listings'))
      expect(row).toMatchObject({ missing_since: null, unlisted_since: null, revision: 1 });
  },
);

test('a group of delisted apps is not a failure of the store', async () => {
  const listings = await startDue(1);
  show(listings, { 1000: gone });
  expect(await listings.jobs.run(await claimOne(listings), listings.call())).toBe('done');
});

test('a listing with an unknown subtitle is read immediately, and again the next day if the store does not show it', async () => {
  const listings = await startListings();
  await listings.track('1000', { subtitle: null });
  await listings.track('1001', { subtitle: null });
  show(listings, { 1001: (id) => foundListing(id, listings.store.reading(), { subtitle: null }) });
  expect(await listings.runDue()).toHaveLength(1);
  expect(
    (await listings.changes()).map(({ changed, listing }) => [changed, listing?.listing?.subtitle]),
  ).toEqual([[['subtitle'], 'Subtitle of 1000']]);
  expect(await listings.runDue()).toEqual([]);
  listings.clock.at = endOfDay;
  show(listings, {});
  await listings.runDue();
  expect((await listings.rows('listings')).map(({ subtitle }) => subtitle)).toEqual([
    'Subtitle of 1000',
    'Subtitle of 1001',
  ]);
});

test('a listing is not read while no account tracks it, and is read again when it is tracked again', async () => {
  const listings = await startDue(2);
  const [first] = listings.ids;
  await listings.untrack(first as number);
  await listings.runDue();
  expect(listings.store.batches.map((batch) => batch.app_ids)).toEqual([['1001']]);
  const retired = (await listings.rows('listings'))[0];
  expect(retired).toMatchObject({ _id: first, title: 'Title of 1000' });
  for (const field of ['planned_at', 'due_at', 'failures']) expect(retired).not.toHaveProperty(field);

  await listings.track('1000');
  pass(listings, dayMs);
  await listings.runDue();
  expect(listings.store.batches.at(-1)?.app_ids).toHaveLength(2);
});

test('a group that no account tracks causes no call to the store', async () => {
  const listings = await startDue(1);
  for (const id of listings.ids) await listings.untrack(id);
  expect(await listings.jobs.run(await claimOne(listings), listings.call())).toBe('skipped');
  expect(listings.store.batches).toEqual([]);
});

test('a listing keeps its plan while the call that starts to track it is in progress', async () => {
  const listings = await startListings();
  await listings.read('1000', { subtitle: null });
  expect(await listings.jobs.run(await claimOne(listings), listings.call())).toBe('skipped');
  expect((await listings.rows('listings'))[0]).toHaveProperty('planned_at');
  expect(await listings.jobs.claim(1, false)).toEqual([]);
  await listings.track('1000', { subtitle: null });
  await listings.runDue();
  expect(listings.store.batches).toHaveLength(1);
});

test.each(['tracked', 'a competitor'])(
  'a listing that becomes %s while its readings are being ended is still read',
  async (what) => {
    const listings = await startDue(1);
    const { trackedApps, competitors } = listings;
    await listings.untrack(listings.ids[0] as number);
    const group = await claimOne(listings);
    const returnNone = async (add: (appId: string) => Promise<unknown>) => {
      await add('1000');
      return new Set<number>();
    };
    if (what === 'tracked')
      jest.spyOn(trackedApps, 'findTracked').mockImplementationOnce(() => returnNone(listings.track));
    else
      jest
        .spyOn(competitors, 'findCompeting')
        .mockImplementationOnce(() => returnNone(listings.addCompetitor));
    await listings.jobs.run(group, listings.call());
    pass(listings, dayMs);
    await listings.runDue();
    expect(listings.store.batches).toHaveLength(1);
  },
);

test('competitors are read once a day like tracked applications, in the same calls', async () => {
  const listings = await startListings();
  await listings.track('1000');
  await listings.addCompetitor('2002');
  listings.clock.at = endOfDay;
  show(listings, { 2002: (id) => foundListing(id, listings.store.reading(), { version: '9.9' }) });
  await listings.runDue();
  await listings.runDue();
  expect(listings.store.batches.map((batch) => [...batch.app_ids].sort())).toEqual([['1000', '2002']]);
  expect(await listings.changes()).toMatchObject([{ listing: { revision: 2 }, changed: ['version'] }]);
});

test('a listing that is both tracked and a competitor is read once a day, until it is neither', async () => {
  const listings = await startListings();
  const id = await listings.track('1000');
  const relation = await listings.addCompetitor('1000');
  const readings = async () => {
    await listings.runDue();
    return listings.store.batches.length;
  };
  listings.clock.at = endOfDay;
  expect(await readings()).toBe(1);
  await listings.untrack(id);
  pass(listings, dayMs);
  expect(await readings()).toBe(2);
  await listings.removeCompetitor(relation);
  pass(listings, dayMs);
  expect(await readings()).toBe(2);
});

test('a competitor is not read after its last account removed it, until it is added again', async () => {
  const listings = await startListings();
  const relation = await listings.addCompetitor('2002');
  await listings.removeCompetitor(relation);
  listings.clock.at = endOfDay;
  await listings.runDue();
  expect(listings.store.batches).toEqual([]);
  expect((await listings.rows('listings'))[0]).not.toHaveProperty('due_at');

  expect(await listings.addCompetitor('2002')).toBe(relation);
  pass(listings, dayMs);
  await listings.runDue();
  expect(listings.store.batches).toHaveLength(1);
});

test('a listing that fails while the whole store is down is retried soon, and its failure is not counted', async () => {
  const listings = await startDue(1);
  listings.clock.at = new Date('2026-03-11T12:00:00Z');
  await listings.connection
    .collection('listings')
    .updateMany({}, { $set: { failures: 5, due_at: listings.clock.at } });
  await listings.jobs.fail(await claimOne(listings), false);
  expect(await listings.rows('listings')).toMatchObject([
    { failures: 5, due_at: new Date('2026-03-11T12:01:00Z') },
  ]);
});
