import fc from 'fast-check';
import { fakeListing } from './fake-store-fetch.ts';
import { createListingHarness, type Listings } from './start-listings.ts';
import { us } from './start-tracking.ts';

const { startListings } = createListingHarness();

const nextDay = ({ clock }: Listings) => {
  clock.at = new Date(clock.at.getTime() + 86_400_000);
};

async function versions({ rows }: Listings) {
  const found = await rows('listing_versions');
  return found.sort((a, b) => a.listing_id - b.listing_id || a.revision - b.revision);
}

/** Makes every write of one kind fail until it is restored. */
function breakWrites({ connection }: Listings, model: string, method: 'create' | 'updateOne') {
  return jest.spyOn(connection.model(model), method).mockImplementation((() => {
    throw new Error('the process was killed');
  }) as never);
}

test('the first reading is the first version and publishes no change', async () => {
  const listings = await startListings();
  const { _id } = await listings.read('1001', { score: 4.567 });
  expect(await versions(listings)).toEqual([
    {
      _id: `${_id}:1`,
      listing_id: _id,
      revision: 1,
      changed: [],
      title: 'Title of 1001',
      subtitle: 'Subtitle of 1001',
      description: 'What 1001 does.\nIn two lines.',
      version: '1.2.3',
      score: 4.567,
      ratings: 1200,
      screenshots: 1,
      images: null,
      updated_at: new Date('2026-01-02T00:00:00Z'),
      read_at: listings.clock.at,
      source: 'sample',
    },
  ]);
  expect(await listings.changes()).toEqual([]);
});

test('a change makes one version row and one event with the whole listing', async () => {
  const listings = await startListings();
  const { _id } = await listings.read('1001');
  nextDay(listings);
  await listings.read('1001', { title: 'New', version: '2.0', price: 1.99 });
  const readAt = listings.clock.at;
  expect((await versions(listings)).slice(1)).toMatchObject([
    {
      revision: 2,
      changed: ['title', 'version'],
      title: 'New',
      description: null,
      version: '2.0',
      read_at: readAt,
    },
  ]);
  expect(await listings.changes()).toEqual([
    {
      listing: {
        unlisted_since: null,
        id: _id,
        storefront: us,
        revision: 2,
        read_at: readAt,
        source: 'sample',
        listing: { ...fakeListing('1001'), title: 'New', version: '2.0', price: 1.99 },
      },
      changed: ['title', 'version'],
    },
  ]);
  expect(listings.wakeRelay).toHaveBeenCalledTimes(1);
  expect(await listings.rows('listings')).toMatchObject([
    { revision: 2, changed: ['title', 'version'], changed_at: readAt, price: 1.99 },
  ]);
});

test('a reading without a change makes neither, and is stored as the newest one', async () => {
  const listings = await startListings();
  await listings.read('1001', { score: 4.501 });
  nextDay(listings);
  const shown = { score: 4.499, price: 0, installs: 500 };
  await listings.read('1001', shown);
  expect(await versions(listings)).toHaveLength(1);
  expect(await listings.changes()).toEqual([]);
  expect(await listings.rows('listings')).toMatchObject([
    { revision: 1, read_at: listings.clock.at, ...shown },
  ]);
});

test('other pictures are a change: their number is recorded, and whether the icon is another one', async () => {
  const listings = await startListings();
  await listings.read('1001', { screenshots: ['a', 'b'] });
  nextDay(listings);
  await listings.read('1001', { screenshots: ['b', 'c', 'd'] });
  nextDay(listings);
  await listings.read('1001', { screenshots: ['d', 'c', 'b'], icon: 'https://icons.test/new.png' });
  nextDay(listings);
  await listings.read('1001', {
    screenshots: [],
    icon: null,
    ratings: 9,
    unreadable: ['icon', 'screenshots'],
  });
  const found = await versions(listings);
  expect(found.map(({ changed, images }) => [changed, images])).toEqual([
    [[], null],
    [['screenshots'], { icon_changed: false, screenshots_added: 2, screenshots_removed: 1 }],
    [['icon'], { icon_changed: true, screenshots_added: 0, screenshots_removed: 0 }],
    [['ratings'], { icon_changed: null, screenshots_added: null, screenshots_removed: null }],
  ]);
  expect((await listings.changes()).map(({ changed }) => changed)).toEqual([
    ['screenshots'],
    ['icon'],
    ['ratings'],
  ]);
});

test('a reading is published once a day, either as a change or as a reading without one', async () => {
  const listings = await startListings();
  const { _id } = await listings.read('1001', { ratings: 1200 });
  await listings.read('1001', { ratings: 1200 });
  expect(await listings.readings()).toEqual([]);
  nextDay(listings);
  const readAt = listings.clock.at;
  await listings.read('1001', { ratings: 1200 });
  await listings.read('1001', { ratings: 1200 });
  nextDay(listings);
  await listings.read('1001', { ratings: 1300 });
  await listings.read('1001', { ratings: 1300 });
  expect(await listings.readings()).toEqual([{ id: _id, read_at: readAt, source: 'sample', ratings: 1200 }]);
  expect(await listings.changes()).toMatchObject([{ listing: { id: _id }, changed: ['ratings'] }]);
});

test('a change that is reverted is another change', async () => {
  const listings = await startListings();
  for (const title of ['A', 'B', 'A']) {
    await listings.read('1001', { title });
    nextDay(listings);
  }
  expect((await versions(listings)).map(({ title }) => title)).toEqual(['A', 'B', 'A']);
  expect((await listings.changes()).map(({ listing }) => listing?.listing?.title)).toEqual(['B', 'A']);
});

test('a reading without a subtitle keeps the known subtitle and is not a change', async () => {
  const listings = await startListings();
  await listings.read('1001');
  const subtitleReadAt = listings.clock.at;
  nextDay(listings);
  await listings.read('1001', { subtitle: null });
  expect(await versions(listings)).toHaveLength(1);
  expect(await listings.rows('listings')).toMatchObject([
    { subtitle: 'Subtitle of 1001', subtitle_read_at: subtitleReadAt, read_at: listings.clock.at },
  ]);
  await listings.read('1001', { subtitle: null, title: 'New' });
  expect((await listings.changes())[0]?.listing?.listing).toMatchObject({ subtitle: 'Subtitle of 1001' });
});

test('a subtitle that becomes known is published once; a removed subtitle is a change', async () => {
  const listings = await startListings();
  await listings.read('1001', { subtitle: null });
  expect(await listings.rows('listings')).toMatchObject([{ subtitle: null, subtitle_read_at: null }]);
  for (const subtitle of ['Work in peace', 'Work in peace', '', null]) {
    nextDay(listings);
    await listings.read('1001', { subtitle });
  }
  expect((await versions(listings)).map(({ subtitle }) => subtitle)).toEqual([null, 'Work in peace', '']);
  expect((await listings.changes()).map(({ changed }) => changed)).toEqual([['subtitle'], ['subtitle']]);
});

test('a reading older than the newest one changes nothing', async () => {
  const listings = await startListings();
  await listings.read('1001', { title: 'Old' });
  nextDay(listings);
  await listings.read('1001', { title: 'New' });
  listings.clock.at = new Date('2026-03-10T12:00:00Z');
  expect(await listings.read('1001', { title: 'Old' })).toMatchObject({ title: 'New' });
  expect(await versions(listings)).toHaveLength(2);
});

test('when several copies read the same change at the same time, one publishes it', async () => {
  const listings = await startListings();
  await listings.read('1001');
  nextDay(listings);
  const copies = [listings, listings.startCopy(), listings.startCopy()];
  await Promise.all(copies.flatMap(({ read }) => [1, 2, 3].map(() => read('1001', { title: 'New' }))));
  expect((await versions(listings)).map(({ revision }) => revision)).toEqual([1, 2]);
  expect(await listings.changes()).toHaveLength(1);
});

test('when copies read different content at the same time, the history has no gaps', async () => {
  const listings = await startListings();
  await listings.read('1001');
  nextDay(listings);
  const copies = [listings, listings.startCopy(), listings.startCopy()];
  await Promise.all(
    copies.flatMap(({ read }, at) => [at, at + 3].map((ratings) => read('1001', { ratings }))),
  );
  const found = await versions(listings);
  const [listing] = await listings.rows('listings');
  expect(found.map(({ revision }) => revision)).toEqual(found.map((_, index) => index + 1));
  expect(found.at(-1)).toMatchObject({ revision: listing?.revision, ratings: listing?.ratings });
  expect((await listings.changes()).map(({ listing }) => listing?.revision)).toEqual(
    found.slice(1).map(({ revision }) => revision),
  );
});

test('when copies read a new app at the same time, they make one listing with one version', async () => {
  const listings = await startListings();
  const copies = [listings, listings.startCopy(), listings.startCopy()];
  const read = await Promise.all(copies.flatMap(({ read }) => [read('1001'), read('1001')]));
  expect(new Set(read.map(({ _id }) => _id)).size).toBe(1);
  expect(await listings.rows('listings')).toHaveLength(1);
  expect(await versions(listings)).toHaveLength(1);
});

test('a crash between a change and its version row loses neither row nor event, and publishes nothing twice', async () => {
  const listings = await startListings();
  await listings.read('1001', { title: 'A' });
  nextDay(listings);
  const broken = breakWrites(listings, 'ListingVersion', 'create');
  await expect(listings.read('1001', { title: 'B', description: 'B' })).rejects.toThrow('killed');
  broken.mockRestore();
  expect(await versions(listings)).toHaveLength(1);
  nextDay(listings);
  await listings.read('1001', { title: 'C', description: 'B' });
  expect(await versions(listings)).toMatchObject([
    { revision: 1, title: 'A' },
    { revision: 2, title: 'B', description: 'B', changed: ['title', 'description'] },
    { revision: 3, title: 'C', description: null, changed: ['title'] },
  ]);
  expect((await listings.changes()).map(({ listing }) => listing?.revision)).toEqual([2, 3]);
});

test('a crash before a change is written leaves no trace of it', async () => {
  const listings = await startListings();
  await listings.read('1001', { title: 'A' });
  const broken = breakWrites(listings, 'Listing', 'updateOne');
  await expect(listings.read('1001', { title: 'B' })).rejects.toThrow('killed');
  broken.mockRestore();
  expect(await versions(listings)).toHaveLength(1);
  expect(await listings.changes()).toEqual([]);
  await listings.read('1001', { title: 'B' });
  expect(await versions(listings)).toHaveLength(2);
  expect(await listings.changes()).toHaveLength(1);
});

test('the version rows restore every text and number at every revision', async () => {
  const listings = await startListings();
  const word = fc.constantFrom('', 'a', 'b', 'A', '\u00e9', 'e\u0301', '日本');
  const shown = fc.record({
    title: word,
    description: word,
    subtitle: fc.option(word),
    version: fc.option(word),
    score: fc.option(fc.constantFrom(4.5, 4.501, 4.51, 0)),
    ratings: fc.option(fc.nat(2)),
    isCrash: fc.boolean(),
  });
  let app = 2000;
  await fc.assert(
    fc.asyncProperty(fc.array(shown, { minLength: 1, maxLength: 8 }), async (readings) => {
      const appId = String(app++);
      const expected = await replay(listings, appId, readings);
      const [{ _id } = { _id: 0 }] = (await listings.rows('listings')).filter((row) => row.app_id === appId);
      const rows = (await versions(listings)).filter((row) => row.listing_id === _id);
      expect(rebuild(rows)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

type Shown = { title: string; subtitle: string | null; description: string; version: string | null };
type Reading = Shown & { score: number | null; ratings: number | null; isCrash: boolean };

/**
 * Records the readings, some with a crash before the version row, and returns what the store showed after each
 * change.
 * Two consecutive crashes are not simulated: the second would come before anything of its reading is saved.
 */
async function replay(listings: Listings, appId: string, readings: Reading[]): Promise<unknown[]> {
  const states: (Omit<Reading, 'isCrash'> | undefined)[] = [];
  let wasCrash = false;
  for (const { isCrash, ...reading } of readings) {
    nextDay(listings);
    wasCrash = isCrash && !wasCrash;
    const broken = wasCrash ? breakWrites(listings, 'ListingVersion', 'create') : null;
    await listings.read(appId, reading).catch(() => {});
    broken?.mockRestore();
    const last = states.at(-1);
    const state = { ...reading, subtitle: reading.subtitle ?? last?.subtitle ?? null };
    if (!last || JSON.stringify(roundScore(last)) !== JSON.stringify(roundScore(state))) states.push(state);
  }
  const last = readings.at(-1);
  // The next reading completes what a crash left undone.
  if (last) await listings.read(appId, { ...last, isCrash: undefined });
  return states.map((state) => state && roundScore(state));
}

/** The texts and numbers of each revision; a null description repeats the one of the previous row. */
function rebuild(rows: readonly Record<string, unknown>[]): unknown[] {
  let known: unknown;
  return rows.map(({ title, description, subtitle, version, score, ratings }) => {
    known = description ?? known;
    return roundScore({
      title,
      description: known,
      subtitle,
      version,
      score: score as number | null,
      ratings,
    });
  });
}

function roundScore<State extends { score: number | null }>(state: State) {
  return { ...state, score: state.score === null ? null : state.score.toFixed(2) };
}
