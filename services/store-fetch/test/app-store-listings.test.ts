import { countries } from '@shelfwise/facts/stores/country';
import { AppError } from '@shelfwise/runtime/errors';
import { until } from '../../../testing/until.ts';
import type { ListingResult } from '../src/source.ts';
import {
  createSource,
  failureOf,
  jp,
  type RecordedCall,
  sourceOfPage,
  toPage,
  us,
  waiting,
} from './create-app-store-source.ts';
import { lookUpFakeApps } from './fake-store/fake-apps.ts';
import { useFakeStore } from './use-fake-store.ts';

const fake = useFakeStore();

const alone = { withSubtitle: false, ...waiting() };
const withSubtitle = { withSubtitle: true, ...waiting() };

test('several apps are returned in the order of the request, by any kind of id', async () => {
  const [first, other] = ['700000001', '700000002'];
  const requested = [other, 'example.invented.app700000001', '1', first, 'example.no.such.app'];
  const results = await createSource(fake.url).source.getListings(us, requested, alone);
  expect(results.map(({ appId }) => appId)).toEqual(requested);
  expect(results.map(toWord)).toEqual([other, first, 'APP_NOT_FOUND', first, 'APP_NOT_FOUND']);
});

describe('the fields of a listing', () => {
  const listingOf = async (id: string) =>
    (await createSource(fake.url).source.getListing(us, id, alone)).listing;

  test('are the fields of the look-up, and null where the store does not say', async () => {
    expect(await listingOf('700000002')).toEqual({
      app_id: '700000002',
      bundle_id: 'example.invented.app700000002',
      title: 'Inkstead Notes',
      subtitle: null,
      description: 'Handwritten notes with a search that reads them.',
      url: 'https://apps.example/us/app/id700000002?uo=4',
      icon: 'https://images.example/700000002/icon-512.png',
      screenshots: [expect.stringContaining('phone-1'), expect.stringContaining('phone-2')],
      developer_name: 'Tallow Lane',
      genre: 'Productivity',
      genre_key: '6007',
      version: expect.stringMatching(/^\d\.\d\.0$/),
      score: 4.5,
      ratings: 61_200,
      price: 4.99,
      currency: 'USD',
      installs: null,
      languages: ['en', 'zh', 'de'],
      has_video: null,
      released_at: new Date('2019-04-01T07:00:00Z'),
      updated_at: expect.any(Date),
      unreadable: [],
    });
  });

  test('a missing price is unknown, and a price of 0 is free', async () => {
    expect(await listingOf('700000001')).toMatchObject({ price: 0, currency: 'USD' });
    const [row] = lookUpFakeApps(['700000001'], [], 'US');
    const page = toPage([{ ...row, price: undefined }]);
    const { listing } = await sourceOfPage(page).source.getListing(us, '700000001', alone);
    expect(listing).toMatchObject({ price: null, currency: 'USD' });
  });

  test('emoji, right-to-left text and quotes in a title are unchanged, and character references are decoded', async () => {
    expect((await listingOf('700000008')).title).toBe('Salt & Ember “Recipes”');
    expect((await listingOf('700000016')).title).toBe('دفتر النخلة');
    expect((await listingOf('700000017')).title).toBe('Habiturtle 🐢 Habit Tracker');
  });

  test('a description that mentions a captcha is not a captcha', async () => {
    expect((await listingOf('700000004')).description).toContain('captcha');
  });

  test('an app without ratings has no score', async () => {
    expect(await listingOf('700000005')).toMatchObject({ score: null, ratings: 0 });
  });

  test('an iPad-only app shows its iPad screenshots, and a Mac app is an app', async () => {
    expect((await listingOf('700000006')).screenshots).toEqual([
      expect.stringContaining('pad-1'),
      expect.stringContaining('pad-2'),
    ]);
    expect((await listingOf('700000007')).title).toBe('Deskbriar Notes');
  });

  test('an app that is sold only elsewhere is APP_NOT_FOUND', async () => {
    const error = await failureOf(createSource(fake.url).source.getListing(us, '700000014', alone));
    expect(error).toMatchObject({
      code: 'APP_NOT_FOUND',
      message: 'The App Store has no app 700000014 in US.',
    });
  });

  test('two ids in one field are APP_NOT_FOUND without a call', async () => {
    const { source, requested } = createSource(fake.url);
    for (const appId of [
      '700000001,700000002',
      'example.invented.app700000001,example.invented.app700000002',
    ]) {
      expect(await failureOf(source.getListing(us, appId, alone))).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
    expect(requested).toEqual([]);
  });
});

describe('a request for several listings', () => {
  test('makes one call per kind of id, with each app once', async () => {
    const before = fake.calls().length;
    const numbers = Array.from({ length: 12 }, (_, i) => String(700_000_001 + i));
    const names = ['example.invented.app700000013', 'Example.Invented.App700000013'];
    const results = await createSource(fake.url).source.getListings(
      us,
      [...numbers, '0700000001', ...names],
      {
        ...alone,
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
    sourceOfPage(page).source.getListings(us, appIds, alone);

  test('fails only the app whose row is of other content, and says what was wrong', async () => {
    const results = await read(toPage([first, { ...second, kind: 'book' }]));
    expect(results.map(toWord)).toEqual(['700000001', 'STORE_FETCH_FAILED', 'APP_NOT_FOUND']);
    expect(results[1]?.outcome).toMatchObject({
      message: expect.stringMatching(/cannot read/),
      cause: { message: expect.stringMatching(/row 2, kind/) },
    });
  });

  test.each([
    ['a row without an id', [first, { ...second, trackId: undefined, bundleId: undefined }]],
    ['an app that was not requested', [first, { ...third, trackId: 700000004 }]],
    ['a song that was not requested', [first, { wrapperType: 'track', trackId: 5 }]],
    [
      'an answer without a readable row',
      [
        { ...first, kind: 'book' },
        { ...second, kind: 'book' },
        { ...third, kind: 'book' },
      ],
    ],
  ])('fails for all apps on %s', async (_, rows) => {
    const results = await read(toPage(rows));
    expect(results.map(toWord)).toEqual(Array(3).fill('STORE_FETCH_FAILED'));
  });

  test('reports a number that is a song as APP_NOT_FOUND, next to apps', async () => {
    const results = await read(
      toPage([first, { wrapperType: 'track', trackId: 700000002, artistId: 9 }, third]),
    );
    expect(results.map(toWord)).toEqual(['700000001', 'APP_NOT_FOUND', '700000003']);
  });

  test('fails an app whose bundle id belongs to two rows', async () => {
    const bundleId = 'example.invented.app700000001';
    const [result] = await read(toPage([first, { ...second, bundleId }]), [bundleId]);
    expect(result?.outcome).toMatchObject({ code: 'STORE_FETCH_FAILED' });
  });

  test('fails only the apps of the call that failed', async () => {
    fake.setFault('error', { rate: 0.5 });
    const results = await createSource(fake.url).source.getListings(
      us,
      ['700000001', 'example.invented.app700000002'],
      alone,
    );
    expect(results.map(toWord).sort()).toEqual([expect.stringMatching(/^7000/), 'STORE_FETCH_FAILED']);
  });
});

describe('a subtitle', () => {
  const subtitleOf = async (id: string, storefront = us) =>
    (await createSource(fake.url).source.getListing(storefront, id, withSubtitle)).listing.subtitle;

  test.each([
    ['on the current page layout', '700000001', 'Lists, kept “simple” & quick'],
    ['on the old page layout, whose text mentions a captcha', '700000004', 'No captcha, ever'],
    ['behind a redirect to the page with the name', '700000010', 'Layers, curves, presets'],
    ['requested by bundle id', 'example.invented.app700000017', 'One day at a time 🐢'],
    ['of an app without one, as empty text,', '700000003', ''],
  ])('%s is read', async (_, id, subtitle) => expect(await subtitleOf(id)).toBe(subtitle));

  test('is requested in the storefront and the language of the listing', async () => {
    expect(await subtitleOf('700000014', jp)).toBe('毎日の写真を一冊に');
    const call = fake.calls().findLast(({ path }) => path.includes('/app/'));
    expect(call).toMatchObject({ path: '/jp/app/id700000014', query: { l: 'ja-JP' } });
  });

  test.each(['error', 'captcha', 'changed', 'hang', 'reset', 'garbage', 'redirect'] as const)(
    'is unknown when its page is "%s", and the listing is returned without it',
    async (mode) => {
      fake.setFault(mode, { only: '/us/app' });
      const waitLimits = { subtitleMs: mode === 'hang' ? 50 : 60_000, subtitlesMs: 0, scoresMs: 0 };
      const { source, requested } = createSource(fake.url, { waitLimits });
      const { listing } = await source.getListing(us, '700000001', withSubtitle);
      expect(listing).toMatchObject({ app_id: '700000001', subtitle: null });
      const outcome = requested.find(({ endpoint }) => endpoint === 'itunes-page')?.outcome;
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

  test('is unknown when its page has no title, which counts as malformed', async () => {
    const { requested, source } = createSource(fake.url);
    fake.setFault('changed', { only: '/us/app' });
    await source.getListing(us, '700000001', withSubtitle);
    expect(requested.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`).sort()).toEqual([
      'itunes-lookup ok',
      'itunes-page malformed',
    ]);
  });

  test('is requested at the same time as the look-up', async () => {
    const before = fake.calls().length;
    // Neither is answered.
    fake.setFault('hang');
    const caller = new AbortController();
    const options = { withSubtitle: true, ...waiting(caller.signal) };
    const failure = failureOf(createSource(fake.url).source.getListing(us, '700000001', options));
    await until(() => fake.calls().length === before + 2);
    const paths = fake
      .calls()
      .slice(before)
      .map(({ path }) => path);
    expect(paths.sort()).toEqual(['/lookup', '/us/app/id700000001']);
    caller.abort();
    await failure;
  });

  test('is not awaited for an app that does not exist', async () => {
    fake.setFault('hang', { only: '/us/app' });
    // Longer than the test may take.
    const waitLimits = { subtitleMs: 600_000, subtitlesMs: 0, scoresMs: 0 };
    const { source, requested } = createSource(fake.url, { timeoutMs: 600_000, waitLimits });
    const error = await failureOf(source.getListing(us, '700000014', withSubtitle));
    expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(requested).toHaveLength(2);
  });

  test('is not read unless it is requested', async () => {
    const { source, requested } = createSource(fake.url);
    await source.getListing(us, '700000001', alone);
    await source.getListings(us, ['700000001'], alone);
    expect(requested.map(({ endpoint }) => endpoint)).toEqual(['itunes-lookup', 'itunes-lookup']);
  });

  test('is read for each existing app of several, at most four pages concurrently', async () => {
    const inFlight = { now: 0, most: 0 };
    const { source } = createSource(fake.url, {
      callWithBudget: async ({ endpoint, signal }, attempt) => {
        const isPage = endpoint === 'itunes-page';
        if (isPage) inFlight.most = Math.max(inFlight.most, ++inFlight.now);
        return attempt({ dispatcher: undefined, signal }).finally(() => isPage && inFlight.now--);
      },
    });
    const ids = ['1', ...Array.from({ length: 13 }, (_, i) => String(700_000_001 + i))];
    const results = await source.getListings(us, ids, withSubtitle);
    expect(results.slice(0, 4).map(toSubtitle)).toEqual([
      'APP_NOT_FOUND',
      'Lists, kept “simple” & quick',
      'Write by hand',
      '',
    ]);
    expect(results.map(toSubtitle)[10]).toBe('Layers, curves, presets');
    expect(inFlight).toEqual({ now: 0, most: 4 });
  });

  test('of several apps is unknown only where its page fails or is late', async () => {
    fake.setFault('hang', { only: '/us/app/id700000002' });
    const { source, requested } = createSource(fake.url);
    const isAnswered = ({ outcome }: RecordedCall) => outcome === 'ok';
    // The fake store needs the others.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'setInterval',
      ],
    });
    try {
      const ids = ['700000001', '700000002', '700000011'];
      const reading = source.getListings(us, ids, withSubtitle);
      // The look-up and two of the three pages.
      while (requested.filter(isAnswered).length < 3) await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(60_000);
      expect((await reading).map(toSubtitle)).toEqual(['Lists, kept “simple” & quick', null, 'Two taps']);
    } finally {
      jest.useRealTimers();
    }
  });
});

test('every country of the store can be requested', async () => {
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

/** The id of a found app, otherwise the error code. */
function toWord({ outcome }: ListingResult): string {
  return outcome instanceof AppError ? outcome.code : outcome.listing.app_id;
}

function toSubtitle({ outcome }: ListingResult): string | null {
  return outcome instanceof AppError ? outcome.code : outcome.listing.subtitle;
}
