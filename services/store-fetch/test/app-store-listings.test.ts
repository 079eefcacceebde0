import { countries } from '@shelfwise/facts/stores/country';
import { AppError } from '@shelfwise/runtime/errors';
import type { ListingResult } from '../src/sources/source.ts';
import { createSource, failureOf, jp, now, sourceOfPage, toPage, us, waiting } from './ask-app-store.ts';
import { lookUpFakeApps } from './fake-store/fake-apps.ts';
import { type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

/** Runs on the fake store, and what needs no more than its apps also on the one that REPLAY_STORE_URL names. */
const replayUrl = process.env.REPLAY_STORE_URL;

let fake: FakeStore;

beforeAll(async () => {
  fake = await startFakeStore();
});

afterAll(() => fake.stop());
beforeEach(() => fake.setFault('ok'));

const alone = { withSubtitle: false, ...waiting() };
const withSubtitle = { withSubtitle: true, ...waiting() };
const waitLimits = { subtitleMs: 100, subtitlesMs: 1_500, scoresMs: 1_500 };

describe(`on ${replayUrl ? 'the store of REPLAY_STORE_URL' : 'the fake store'}`, () => {
  const known = replayUrl
    ? { id: '281796108', bundleId: 'com.recorded.app281796108', others: ['281940292', '282614216'] }
    : {
        id: '700000001',
        bundleId: 'example.invented.app700000001',
        others: ['700000002', '700000003'],
      };
  const source = () => createSource(replayUrl ?? fake.url).source;

  beforeAll(async () => {
    const body = JSON.stringify({ mode: 'ok' });
    await fetch(`${replayUrl ?? fake.url}/__control`, { method: 'POST', body });
  });

  test('a numeric id, the same with leading zeros and the bundle id give one listing', async () => {
    const byId = await source().getListing(us, known.id, alone);
    const byPaddedId = await source().getListing(us, `000${known.id}`, alone);
    const byBundleId = await source().getListing(us, known.bundleId, alone);
    expect(byId).toMatchObject({ source: 'app-store', readAt: now() });
    expect(byId.listing).toMatchObject({ appId: known.id, bundleId: known.bundleId, subtitle: null });
    expect(byId.listing.screenshots.length).toBeGreaterThan(0);
    expect(byId.listing.languages).toContain('en');
    expect(byId.listing.genreKey).toMatch(/^\d{4,5}$/);
    expect(byId.listing.updatedAt?.getTime()).toBeGreaterThan(Date.parse('2008-07-10'));
    // A stand-in may compute dates from the moment of the call.
    const { releasedAt: _r, updatedAt: _u, ...same } = byId.listing;
    expect(byPaddedId.listing).toMatchObject(same);
    expect(byBundleId.listing).toMatchObject(same);
  });

  test.each(['1', 'example.no.such.app', '99999999999999999999', 'a,b', '', 'no app has blanks'])(
    'an app %j that the storefront does not have is APP_NOT_FOUND, alone and among others',
    async (appId) => {
      expect(await failureOf(source().getListing(us, appId, alone))).toMatchObject({ code: 'APP_NOT_FOUND' });
      const results = await source().getListings(us, [known.id, appId], { ...alone, freshSince: null });
      expect(results.map(toWord)).toEqual([known.id, 'APP_NOT_FOUND']);
    },
  );

  test('several apps come in the order asked, however they are named', async () => {
    const asked = [...known.others, known.bundleId, '1', known.id, 'example.no.such.app'];
    const results = await source().getListings(us, asked, { ...alone, freshSince: null });
    expect(results.map(({ appId }) => appId)).toEqual(asked);
    expect(results.map(toWord)).toEqual([
      ...known.others,
      known.id,
      'APP_NOT_FOUND',
      known.id,
      'APP_NOT_FOUND',
    ]);
  });

  test('a listing with its subtitle is the same listing and the text of the page', async () => {
    const { listing } = await source().getListing(us, known.id, alone);
    const read = await source().getListing(us, known.id, withSubtitle);
    const { releasedAt: _r, updatedAt: _u, subtitle: _s, ...same } = listing;
    expect(read.listing).toMatchObject(same);
    expect(typeof read.listing.subtitle).toBe('string');
  });
});

describe('the fields of a listing', () => {
  const listingOf = async (id: string) =>
    (await createSource(fake.url).source.getListing(us, id, alone)).listing;

  test('are those of the look-up, and null where the store does not say', async () => {
    expect(await listingOf('700000002')).toEqual({
      appId: '700000002',
      bundleId: 'example.invented.app700000002',
      title: 'Inkstead Notes',
      subtitle: null,
      description: 'Handwritten notes with a search that reads them.',
      url: 'https://apps.example/us/app/id700000002?uo=4',
      icon: 'https://images.example/700000002/icon-512.png',
      screenshots: [expect.stringContaining('phone-1'), expect.stringContaining('phone-2')],
      developerName: 'Tallow Lane',
      genre: 'Productivity',
      genreKey: '6007',
      version: expect.stringMatching(/^\d\.\d\.0$/),
      score: 4.5,
      ratings: 61_200,
      price: 4.99,
      currency: 'USD',
      installs: null,
      languages: ['en', 'zh', 'de'],
      hasVideo: null,
      releasedAt: new Date('2019-04-01T07:00:00Z'),
      updatedAt: expect.any(Date),
    });
  });

  test('a price that the store does not say is unknown, and none is free', async () => {
    expect(await listingOf('700000001')).toMatchObject({ price: 0, currency: 'USD' });
    const [row] = lookUpFakeApps(['700000001'], [], 'US');
    const page = toPage([{ ...row, price: undefined }]);
    const { listing } = await sourceOfPage(page).source.getListing(us, '700000001', alone);
    expect(listing).toMatchObject({ price: null, currency: 'USD' });
  });

  test('emoji, right-to-left, quotes and entities in a title arrive as the store wrote them', async () => {
    expect((await listingOf('700000008')).title).toBe('Salt &amp; Ember “Recipes”');
    expect((await listingOf('700000016')).title).toBe('دفتر النخلة');
    expect((await listingOf('700000017')).title).toBe('Habiturtle 🐢 Habit Tracker');
  });

  test('a description that speaks of a captcha is no captcha', async () => {
    expect((await listingOf('700000004')).description).toContain('captcha');
  });

  test('what nobody has rated has no score', async () => {
    expect(await listingOf('700000005')).toMatchObject({ score: null, ratings: 0 });
  });

  test('an app for the iPad alone shows its screenshots, and a Mac app is an app', async () => {
    expect((await listingOf('700000006')).screenshots).toEqual([
      expect.stringContaining('pad-1'),
      expect.stringContaining('pad-2'),
    ]);
    expect((await listingOf('700000007')).title).toBe('Deskbriar Notes');
  });

  test('an app that is sold elsewhere only is APP_NOT_FOUND here', async () => {
    const error = await failureOf(createSource(fake.url).source.getListing(us, '700000014', alone));
    expect(error).toMatchObject({
      code: 'APP_NOT_FOUND',
      message: 'The App Store has no app 700000014 in US.',
    });
  });

  test('two ids in one are no app, and cost the store no call', async () => {
    const { source, asked } = createSource(fake.url);
    for (const appId of [
      '700000001,700000002',
      'example.invented.app700000001,example.invented.app700000002',
    ]) {
      expect(await failureOf(source.getListing(us, appId, alone))).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
    expect(asked).toEqual([]);
  });
});

describe('several listings at once', () => {
  test('cost one call per kind of id, each app once', async () => {
    const before = fake.calls().length;
    const numbers = Array.from({ length: 12 }, (_, i) => String(700_000_001 + i));
    const names = ['example.invented.app700000013', 'Example.Invented.App700000013'];
    const results = await createSource(fake.url).source.getListings(
      us,
      [...numbers, '0700000001', ...names],
      {
        ...alone,
        freshSince: null,
      },
    );
    expect(results.map(toWord)).toEqual([...numbers, '700000001', '700000013', '700000013']);
    const queries = fake
      .calls()
      .slice(before)
      .map(({ query }) => query);
    expect(queries).toHaveLength(2);
    expect(queries).toContainEqual(expect.objectContaining({ id: numbers.join(',') }));
    expect(queries).toContainEqual(expect.objectContaining({ bundleId: names[0] }));
  });

  const [first, second, third] = lookUpFakeApps(['700000001', '700000002', '700000003'], [], 'US');
  const read = (page: unknown, appIds = ['700000001', '700000002', '700000003']) =>
    sourceOfPage(page).source.getListings(us, appIds, { ...alone, freshSince: null });

  test('a row that cannot be read fails its own app only, and says what was wrong', async () => {
    const results = await read(toPage([first, { ...second, trackName: 7 }]));
    expect(results.map(toWord)).toEqual(['700000001', 'STORE_FETCH_FAILED', 'APP_NOT_FOUND']);
    expect(results[1]?.outcome).toMatchObject({ message: expect.stringMatching(/row 2, trackName/) });
  });

  test.each([
    ['a row that does not say whose it is', [first, { ...second, trackId: undefined, bundleId: undefined }]],
    ['an app that nobody asked for', [first, { ...third, trackId: 700000004 }]],
    ['a song that nobody asked for', [first, { wrapperType: 'track', trackId: 5 }]],
    [
      'nothing that can be read',
      [
        { ...first, price: '1' },
        { ...second, price: '1' },
        { ...third, price: '1' },
      ],
    ],
  ])('%s fails all of them', async (_, rows) => {
    const results = await read(toPage(rows));
    expect(results.map(toWord)).toEqual(Array(3).fill('STORE_FETCH_FAILED'));
  });

  test('a number that is a song among apps is no app', async () => {
    const results = await read(
      toPage([first, { wrapperType: 'track', trackId: 700000002, artistId: 9 }, third]),
    );
    expect(results.map(toWord)).toEqual(['700000001', 'APP_NOT_FOUND', '700000003']);
  });

  test('two apps under one bundle id are neither of them', async () => {
    const bundleId = 'example.invented.app700000001';
    const [result] = await read(toPage([first, { ...second, bundleId }]), [bundleId]);
    expect(result?.outcome).toMatchObject({ code: 'STORE_FETCH_FAILED' });
  });

  test('a call that fails fails what it was for, and not the other', async () => {
    fake.setFault('error', { rate: 0.5 });
    const results = await createSource(fake.url).source.getListings(
      us,
      ['700000001', 'example.invented.app700000002'],
      { ...alone, freshSince: null },
    );
    expect(results.map(toWord).sort()).toEqual([expect.stringMatching(/^7000/), 'STORE_FETCH_FAILED']);
  });
});

describe('a subtitle', () => {
  const subtitleOf = async (id: string, storefront = us) =>
    (await createSource(fake.url, { waitLimits }).source.getListing(storefront, id, withSubtitle)).listing
      .subtitle;

  test.each([
    ['of the page as it is today', '700000001', 'Lists, kept “simple” & quick'],
    ['of the page as it was, which speaks of a captcha', '700000004', 'No captcha, ever'],
    ['behind a redirect to the page with the name', '700000010', 'Layers, curves, presets'],
    ['asked for by bundle id', 'example.invented.app700000017', 'One day at a time 🐢'],
    ['that the app does not have', '700000003', ''],
  ])('%s is read', async (_, id, subtitle) => expect(await subtitleOf(id)).toBe(subtitle));

  test('is asked for in the storefront and the language of the listing', async () => {
    expect(await subtitleOf('700000014', jp)).toBe('毎日の写真を一冊に');
    const call = fake.calls().findLast(({ path }) => path.includes('/app/'));
    expect(call).toMatchObject({ path: '/jp/app/id700000014', query: { l: 'ja-JP' } });
  });

  test.each(['error', 'captcha', 'changed', 'hang', 'reset', 'garbage', 'redirect'] as const)(
    'is unknown when its page is "%s", and the listing is there all the same',
    async (mode) => {
      fake.setFault(mode, { only: '/us/app' });
      const { source, asked } = createSource(fake.url, { waitLimits });
      const { listing } = await source.getListing(us, '700000001', withSubtitle);
      expect(listing).toMatchObject({ appId: '700000001', subtitle: null });
      const outcome = asked.find(({ endpoint }) => endpoint === 'itunes-page')?.outcome;
      expect(outcome).toBe(expectedOutcome[mode]);
    },
  );

  const expectedOutcome = {
    error: 'error',
    captcha: 'captcha',
    changed: 'malformed',
    hang: 'abandoned',
    reset: 'unreachable',
    garbage: 'malformed',
    redirect: 'error',
  } as const;

  test('a page without the title says so', async () => {
    const { asked, source } = createSource(fake.url);
    fake.setFault('changed', { only: '/us/app' });
    await source.getListing(us, '700000001', withSubtitle);
    expect(asked.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`).sort()).toEqual([
      'itunes-lookup ok',
      'itunes-page malformed',
    ]);
  });

  test('is asked for at the same time as the look-up', async () => {
    const before = fake.calls().length;
    fake.setFault('ok', { delayMs: 150 });
    await createSource(fake.url).source.getListing(us, '700000001', withSubtitle);
    const [one, other] = fake.calls().slice(before);
    expect(Math.abs((one?.at ?? 0) - (other?.at ?? 1e9))).toBeLessThan(150);
  });

  test('an app that is not there is not waited for', async () => {
    fake.setFault('hang', { only: '/us/app' });
    const { source, asked } = createSource(fake.url, { timeoutMs: 60_000 });
    const startedMs = performance.now();
    const error = await failureOf(source.getListing(us, '700000014', withSubtitle));
    expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(asked).toHaveLength(2);
  });

  test('nobody asks for it who does not want it', async () => {
    const { source, asked } = createSource(fake.url);
    await source.getListing(us, '700000001', alone);
    await source.getListings(us, ['700000001'], { ...alone, freshSince: null });
    expect(asked.map(({ endpoint }) => endpoint)).toEqual(['itunes-lookup', 'itunes-lookup']);
  });

  test('of several apps is read of those that are there, four pages at a time at most', async () => {
    fake.setFault('ok', { delayMs: 40 });
    const inFlight = { now: 0, most: 0 };
    const { source } = createSource(fake.url, {
      askStore: async ({ endpoint, signal }, attempt) => {
        const isPage = endpoint === 'itunes-page';
        if (isPage) inFlight.most = Math.max(inFlight.most, ++inFlight.now);
        return attempt({ dispatcher: undefined, signal }).finally(() => isPage && inFlight.now--);
      },
    });
    const ids = ['1', ...Array.from({ length: 13 }, (_, i) => String(700_000_001 + i))];
    const results = await source.getListings(us, ids, { ...withSubtitle, freshSince: null });
    expect(results.slice(0, 4).map(toSubtitle)).toEqual([
      'APP_NOT_FOUND',
      'Lists, kept “simple” & quick',
      'Write by hand',
      '',
    ]);
    expect(results.map(toSubtitle)[10]).toBe('Layers, curves, presets');
    expect(inFlight).toEqual({ now: 0, most: 4 });
  });

  test('of several apps is unknown where its page fails or is late, and there where it is not', async () => {
    fake.setFault('hang', { only: '/us/app/id700000002' });
    const { source } = createSource(fake.url, { waitLimits, timeoutMs: 60_000 });
    const ids = ['700000001', '700000002', '700000011'];
    const results = await source.getListings(us, ids, { ...withSubtitle, freshSince: null });
    expect(results.map(toSubtitle)).toEqual(['Lists, kept “simple” & quick', null, 'Two taps']);
  });
});

test('every country of the store can be asked', async () => {
  const { source } = createSource(fake.url);
  for (const country of countries.ITUNES) {
    const storefront = { store: 'ITUNES', country, lang: 'en' } as const;
    const { listing } = await source.getListing(storefront, '700000001', withSubtitle);
    expect(listing.subtitle).toBe('Lists, kept “simple” & quick');
    const { apps } = await source.chart(
      storefront,
      { category: 'OVERALL', collection: 'free', limit: 2 },
      waiting(),
    );
    expect(apps).toHaveLength(2);
  }
});

/** The app that was found, or the code of why not. */
function toWord({ outcome }: ListingResult): string {
  return outcome instanceof AppError ? outcome.code : outcome.listing.appId;
}

function toSubtitle({ outcome }: ListingResult): string | null {
  return outcome instanceof AppError ? outcome.code : outcome.listing.subtitle;
}
