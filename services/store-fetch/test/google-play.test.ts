import { categories, isCategory } from '@shelfwise/facts/stores/categories';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { urgent } from '../src/budget/urgency.ts';
import type { ListingResult } from '../src/source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { StoreFailure, type StoreFailureKind, storeFetchFailed } from '../src/store-health/store-failure.ts';
import type { FakeFault } from './fake-store/fake-faults.ts';
import { allPlayApps } from './fake-store/google-play-apps.ts';
import { type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

const now = new Date('2026-11-21T23:59:59.999Z');
const reading = { readAt: now, source: 'google-play' };
const us = { store: 'GPLAY', country: 'US', lang: 'en-US' } as const;
const options = { signal: new AbortController().signal, urgency: urgent };
const withSubtitle = { ...options, withSubtitle: true };

/** Makes one attempt per request. */
const callOnce: CallWithBudget = async ({ signal }, attempt) => {
  try {
    return await attempt({ dispatcher: undefined, signal });
  } catch (error) {
    throw error instanceof StoreFailure ? storeFetchFailed('GPLAY', error) : error;
  }
};

const createPlay = (baseUrl: string, timeoutMs = 60_000) =>
  createGooglePlaySource({ callWithBudget: callOnce, baseUrl, timeoutMs, now: () => now });

let fake: FakeStore;
beforeAll(async () => {
  fake = await startFakeStore();
});
afterEach(() => fake.setFault('ok'));
afterAll(() => fake.stop());

/** The known content of each store. */
const shelves = {
  'the fake store': {
    url: () => fake.url,
    term: 'notes',
    prefix: 'no',
    appIds: allPlayApps.slice(0, 2).map(({ appId }) => appId),
  },
  'the replay store': {
    url: () => process.env.REPLAY_STORE_URL ?? '',
    term: 'panda',
    prefix: 'pand',
    appIds: ['com.mojang.minecraftpe', 'com.google.android.apps.translate'],
  },
} as const;
const openShelves = (['the fake store', 'the replay store'] as const).filter(
  (name) => name === 'the fake store' || process.env.REPLAY_STORE_URL,
);

describe.each(openShelves)('%s', (name) => {
  const { url, term, prefix, appIds } = shelves[name];
  const play = () => createPlay(url());
  const search = (words: string, limit = 200) => play().search(us, words, { ...options, limit });

  test('a search returns each app once, and for a lower limit the start of the same page', async () => {
    const { apps, ...rest } = await search(term);
    expect(rest).toEqual(reading);
    expect(apps.length).toBeGreaterThan(3);
    expect(new Set(apps.map((app) => app.app_id)).size).toBe(apps.length);
    expect((await search(term, 3)).apps).toEqual(apps.slice(0, 3));
    for (const app of apps) {
      expect(app).toEqual({
        app_id: expect.stringMatching(/^\w+(\.\w+)+$/),
        title: expect.stringMatching(/\S/),
        icon: expect.stringMatching(/^https:\/\//),
        developer_name: expect.stringMatching(/\S/),
        genre: null,
        genre_key: null,
        score: app.score && expect.any(Number),
        ratings: null,
        updated_at: null,
      });
    }
  });

  test.each([
    'zzqxjv wwqkk',
    '写真 編集',
    'محرر الصور',
    '🎧 "music" & more',
    '50% off + ?#/=',
    'a\ud800b',
    "l'été\u0000",
  ])('a search for %j without results is an empty list', async (words) =>
    expect((await search(words)).apps).toEqual([]),
  );

  test('a listing is read', async () => {
    for (const appId of appIds) {
      const { listing, ...rest } = await play().getListing(us, appId, withSubtitle);
      expect(rest).toEqual(reading);
      expect(listing).toMatchObject({
        app_id: appId,
        bundle_id: appId,
        url: `https://play.google.com/store/apps/details?id=${appId}&hl=en-US&gl=US`,
        genre_key: expect.any(String),
        score: expect.any(Number),
        ratings: expect.any(Number),
        price: expect.any(Number),
        currency: 'USD',
        installs: expect.any(Number),
        languages: [],
        updated_at: expect.any(Date),
      });
      expect(isCategory('GPLAY', listing.genre_key ?? '')).toBe(true);
      expect(listing.screenshots.length).toBeGreaterThan(0);
      expect(listing.subtitle).not.toBe('');
    }
  });

  test('listings are in the order of the request, and a missing app does not affect the others', async () => {
    const requested = [...appIds, 'example.no.such.app', '12345', ...appIds];
    const results = await play().getListings(us, requested, withSubtitle);
    expect(results.map(({ appId }) => appId)).toEqual(requested);
    expect(results.map(summarize)).toEqual([...appIds, 'APP_NOT_FOUND', 'APP_NOT_FOUND', ...appIds]);
  });

  test('suggestions start with the prefix', async () => {
    const { terms, ...rest } = await play().suggest(us, prefix, options);
    expect(rest).toEqual(reading);
    expect(terms?.length).toBeGreaterThan(1);
    expect(terms?.every((completed) => completed.startsWith(prefix))).toBe(true);
    expect(await play().suggest(us, 'zzqxjv', options)).toEqual({ ...reading, terms: [] });
  });

  test.each(['写', '🦄', '"photo" & more', 'l’été', 'a\ud800b', 'back\\slash"', 'new\nline'])(
    'the prefix %j has an answer',
    async (typed) => {
      expect((await play().suggest(us, typed, options)).terms).toEqual(expect.any(Array));
    },
  );

  test('a top chart is read, and a lower limit returns its start', async () => {
    const chart = (limit: number) =>
      play().chart(us, { category: 'GAME', collection: 'free', limit }, options);
    const { apps, ...rest } = await chart(200);
    expect(rest).toEqual(reading);
    expect(apps.length).toBeGreaterThanOrEqual(3);
    expect((await chart(3)).apps).toEqual(apps.slice(0, 3));
    for (const app of apps)
      expect(app).toMatchObject({ price: 0, currency: 'USD', score: expect.any(Number) });
  });
});

describe('a request', () => {
  const lastCall = () => fake.calls().at(-1);

  test.each([
    ['US', 'en-US', 'US', 'en-US'],
    ['BR', 'pt-BR', 'BR', 'pt-BR'],
    ['TW', 'zh-Hant', 'TW', 'zh-TW'],
    ['IL', 'he', 'IL', 'iw'],
  ])('names the storefront %s in %s', async (country, lang, gl, hl) => {
    const storefront = { store: 'GPLAY', country, lang } as const;
    const appId = allPlayApps[0]?.appId ?? '';
    const play = createPlay(fake.url);
    await play.search(storefront, 'notes', { ...options, limit: 5 });
    expect(lastCall()).toMatchObject({ path: '/store/search', query: { q: 'notes', c: 'apps', gl, hl } });
    await play.getListing(storefront, appId, withSubtitle);
    expect(lastCall()).toMatchObject({ path: '/store/apps/details', query: { id: appId, gl, hl } });
    await play.suggest(storefront, 'no', options);
    expect(lastCall()?.query).toMatchObject({ rpcids: 'IJ4APc', gl, hl });
    await play.chart(storefront, { category: 'OVERALL', collection: 'free', limit: 5 }, options);
    expect(lastCall()?.query).toMatchObject({ rpcids: 'vyAe2', gl, hl });
  });

  test('is one call to the store, even if the page has a next page', async () => {
    const before = fake.calls().length;
    const { apps } = await createPlay(fake.url).search(us, 'notes', { ...options, limit: 200 });
    expect(apps.length).toBeLessThan(200);
    expect(fake.calls().length).toBe(before + 1);
  });

  test('carries the name of this service and no cookie', async () => {
    await createPlay(fake.url).suggest(us, 'no', options);
    expect(lastCall()?.headers.cookie).toBeUndefined();
    expect(lastCall()?.headers['user-agent']).toContain('Shelfwise');
  });

  test('goes to the configured address, including its path', async () => {
    await createPlay(`${fake.url}/proxy/`)
      .suggest(us, 'no', options)
      .catch(() => {});
    expect(lastCall()?.path).toBe('/proxy/_/PlayStoreUi/data/batchexecute');
  });

  test('makes no call for a prefix that cannot be sent (unknown) or an invalid package name (not found)', async () => {
    const before = fake.calls().length;
    const play = createPlay(fake.url);
    expect(await play.suggest(us, ' "\\" ', options)).toEqual({ ...reading, terms: null });
    for (const appId of ['1', '', 'a,b', 'com.example/../x', 'com.example&hl=de'])
      await expect(play.getListing(us, appId, withSubtitle)).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(fake.calls().length).toBe(before);
  });

  test.each(['', 'NO_SUCH', '6014', '__proto__', 'overall'])(
    'for the category %j is refused',
    async (category) => {
      const requested = createPlay(fake.url).chart(us, { category, collection: 'free', limit: 5 }, options);
      await expect(requested).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    },
  );
});

test('an app whose name is searched for is featured and has the first rank', async () => {
  const requested = createPlay(fake.url).search(us, 'inkstead', { ...options, limit: 5 });
  expect((await requested).apps.map(({ title }) => title)).toEqual(['Inkstead Notes']);
  const notes = createPlay(fake.url).search(us, 'pennywick', { ...options, limit: 5 });
  expect((await notes).apps[0]?.title).toBe('Pennywick Budget Planner');
});

test('every category has a chart of every collection', async () => {
  const play = createPlay(fake.url);
  for (const { key } of categories.GPLAY) {
    for (const collection of ['free', 'paid', 'grossing'] as const) {
      const { apps } = await play.chart(us, { category: key, collection, limit: 200 }, options);
      if (collection === 'paid') expect(apps.every(({ price }) => price !== null && price > 0)).toBe(true);
      if (key === 'OVERALL') expect(apps.length).toBeGreaterThan(2);
    }
  }
});

test('an answer that is under way at midnight has the day of its request', async () => {
  const times = ['2026-11-21T23:59:59.999Z', '2026-11-22T00:00:01Z'].map((time) => new Date(time));
  const ticking = () => times.shift() ?? new Date('2026-11-22T00:00:02Z');
  const play = createGooglePlaySource({
    callWithBudget: callOnce,
    baseUrl: fake.url,
    timeoutMs: 60_000,
    now: ticking,
  });
  const { readAt } = await play.search(us, 'notes', { ...options, limit: 5 });
  expect(readAt.toISOString()).toBe('2026-11-21T23:59:59.999Z');
});

test('an answer that waited for its slot over midnight has the day of the store call', async () => {
  let time = new Date('2026-11-21T23:59:59Z');
  const callLater: CallWithBudget = (request, attempt) => {
    time = new Date('2026-11-22T00:00:05Z');
    return callOnce(request, attempt);
  };
  const play = createGooglePlaySource({
    callWithBudget: callLater,
    baseUrl: fake.url,
    timeoutMs: 60_000,
    now: () => time,
  });
  const { readAt } = await play.suggest(us, 'no', options);
  expect(readAt.toISOString()).toBe('2026-11-22T00:00:05.000Z');
});

describe('a store that misbehaves', () => {
  const appId = allPlayApps[0]?.appId ?? '';
  const kinds: readonly [FakeFault, StoreFailureKind][] = [
    ['blocked', 'blocked'],
    ['too-many', 'blocked'],
    ['captcha', 'captcha'],
    ['captcha-refusal', 'captcha'],
    ['error', 'error'],
    ['bad-request', 'error'],
    ['redirect', 'error'],
    ['garbage', 'malformed'],
    ['empty', 'malformed'],
    ['truncated', 'malformed'],
    ['not-gzip', 'malformed'],
    ['other-json', 'malformed'],
    ['oversized', 'malformed'],
    ['reset', 'unreachable'],
    ['reset-within', 'unreachable'],
  ];
  const slowness: readonly FakeFault[] = ['slow', 'hang', 'trickle'];

  type Play = ReturnType<typeof createPlay>;
  const questions: Record<string, (play: Play, signal?: AbortSignal) => Promise<unknown>> = {
    search: (play, signal = options.signal) => play.search(us, 'photo', { ...options, signal, limit: 5 }),
    listing: (play, signal = options.signal) => play.getListing(us, appId, { ...withSubtitle, signal }),
    suggestions: (play, signal = options.signal) => play.suggest(us, 'no', { ...options, signal }),
    chart: (play, signal = options.signal) =>
      play.chart(us, { category: 'OVERALL', collection: 'free', limit: 5 }, { ...options, signal }),
  };
  const failure = (kind: StoreFailureKind) => ({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(/^Google Play /),
    cause: expect.objectContaining({ name: 'StoreFailure', kind }),
  });

  describe.each(Object.keys(questions))('in a request for %s', (question) => {
    const read = questions[question] as (play: Play, signal?: AbortSignal) => Promise<unknown>;

    test.each(kinds)('%s is reported as %s, never as an empty answer', async (fault, kind) => {
      fake.setFault(fault);
      await expect(read(createPlay(fake.url))).rejects.toMatchObject(failure(kind));
      fake.setFault('ok');
      expect(await read(createPlay(fake.url))).toMatchObject(reading);
    });

    test.each(slowness)('%s ends at the time limit', async (fault) => {
      fake.setFault(fault);
      await expect(read(createPlay(fake.url, 100))).rejects.toMatchObject(failure('timeout'));
    });

    test('a store without a listening server is unreachable', async () => {
      await expect(read(createPlay('http://127.0.0.1:9'))).rejects.toMatchObject(failure('unreachable'));
    });

    test('a read ends when its caller gives up', async () => {
      fake.setFault('hang');
      const caller = new AbortController();
      const requested = read(createPlay(fake.url), caller.signal);
      caller.abort();
      await expect(requested).rejects.toMatchObject(failure('abandoned'));
      await expect(read(createPlay(fake.url), caller.signal)).rejects.toMatchObject(failure('abandoned'));
    });
  });

  test('each of several listings fails on its own', async () => {
    fake.setFault('error', { rate: 0.5 });
    const requested = Array.from({ length: 8 }, () => appId);
    const results = await createPlay(fake.url).getListings(us, requested, {
      ...withSubtitle,
    });
    const outcomes = results.map(summarize);
    expect(outcomes.filter((outcome) => outcome === appId)).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'STORE_FETCH_FAILED')).toHaveLength(4);
  });
});

function summarize({ outcome }: ListingResult): string {
  return outcome instanceof AppError ? outcome.code : outcome.listing.app_id;
}
