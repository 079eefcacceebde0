import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import {
  type AppStoreCall,
  type AppStoreSourceDeps,
  createAppStoreSource,
} from '../src/sources/app-store/app-store-source.ts';
import { StoreFailure, type StoreFailureKind } from '../src/sources/app-store/store-failure.ts';
import type { Storefront } from '../src/sources/source.ts';
import { type FakeRow, lookUpFakeApps, searchFakeApps } from './fake-store/fake-apps.ts';
import { type FakeMode, type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

/**
 * Runs on the fake store; on another one with the same controls when REPLAY_STORE_URL names it. That one knows the
 * first of the faults only and keeps no record of what it was asked, so the tests that need more always run on the fake.
 */
const replayUrl = process.env.REPLAY_STORE_URL;

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const now = () => new Date('2026-03-01T12:00:00Z');
const timeoutMs = 200;

type Fault = [mode: FakeMode, kind: StoreFailureKind, message: RegExp];

const commonFaults: Fault[] = [
  ['blocked', 'blocked', /^The App Store refused the call \(HTTP 403\)\. Wait a minute/],
  ['captcha', 'captcha', /^The App Store asked for a captcha instead of answering \(HTTP 200\)\./],
  ['error', 'error', /^The App Store answered with an error \(HTTP 503\)\. Try again later\./],
  ['garbage', 'garbage', /^The App Store sent a web page instead of JSON\./],
  ['slow', 'silence', /^The App Store gave no complete answer within 200 ms\./],
  ['hang', 'silence', /^The App Store gave no complete answer within 200 ms\./],
];

const furtherFaults: Fault[] = [
  ['too-many', 'blocked', /refused the call \(HTTP 429\)/],
  ['captcha-refusal', 'captcha', /captcha .*\(HTTP 429\)/],
  ['bad-request', 'error', /error \(HTTP 400\)/],
  ['redirect', 'error', /redirected the call to another address \(HTTP 302\), not followed/],
  ['empty', 'garbage', /an empty body instead of JSON/],
  ['truncated', 'garbage', /something malformed or cut short instead of JSON/],
  ['not-utf8', 'garbage', /something malformed or cut short instead of JSON/],
  ['not-gzip', 'garbage', /cannot be decoded/],
  ['other-json', 'garbage', /another shape \(resultCount: .*results: /],
  ['wrong-shape', 'garbage', /another shape \(row \d+, trackId: /],
  ['count-mismatch', 'garbage', /announced \d+ results and sent 0/],
  ['oversized', 'garbage', /sent more than 16 MiB/],
  ['reset', 'unreachable', /could not be reached \(.+\)/],
  ['reset-within', 'unreachable', /could not be reached \(.+\)/],
  ['trickle', 'silence', /no complete answer within 200 ms/],
];

const endpoints = ['search', 'lookup'] as const;

let fake: FakeStore;

beforeAll(async () => {
  fake = await startFakeStore();
});

afterAll(() => fake.stop());

describe(`on ${replayUrl ? 'the store of REPLAY_STORE_URL' : 'the fake store'}`, () => {
  const known = replayUrl
    ? { id: '281796108', bundleId: 'com.recorded.app281796108', term: 'notes' }
    : { id: '700000001', bundleId: 'example.invented.app700000001', term: 'notes' };
  const url = () => replayUrl ?? fake.url;
  const setFault = (mode: FakeMode) => control(url(), { mode });

  beforeEach(() => setFault('ok'));
  afterAll(() => setFault('ok'));

  test('a search gives the apps in the order of the store, no more than were asked for', async () => {
    const { source } = createSource({ baseUrl: url() });
    const five = await source.search(us, known.term, { limit: 5, signal: patient() });
    const three = await source.search(us, known.term, { limit: 3, signal: patient() });
    expect(five).toMatchObject({ source: 'app-store', readAt: now() });
    expect(five.apps).toHaveLength(5);
    expect(three.apps).toEqual(five.apps.slice(0, 3));
    for (const app of five.apps) {
      const { score, ratings, ...texts } = app;
      expect(texts).toEqual({
        appId: expect.stringMatching(/^[1-9]\d+$/),
        title: expect.stringMatching(/./),
        icon: expect.stringMatching(/^https:/),
        developerName: expect.stringMatching(/./),
        genre: expect.stringMatching(/./),
      });
      expect(score === null || (score >= 1 && score <= 5)).toBe(true);
      expect(ratings === null || Number.isSafeInteger(ratings)).toBe(true);
    }
  });

  test('a search that finds nothing is an empty list', async () => {
    const { source, calls } = createSource({ baseUrl: url() });
    const { apps } = await source.search(us, 'zzqxjv wwqkk', { limit: 10, signal: patient() });
    expect(apps).toEqual([]);
    expect(calls).toMatchObject([{ endpoint: 'search', outcome: 'ok' }]);
  });

  test('a numeric id, the same with leading zeros and the bundle id give one listing', async () => {
    const { source } = createSource({ baseUrl: url() });
    const byId = await source.getListing(us, known.id, { signal: patient() });
    const byPaddedId = await source.getListing(us, `000${known.id}`, { signal: patient() });
    const byBundleId = await source.getListing(us, known.bundleId, { signal: patient() });
    expect(byId.listing).toMatchObject({ appId: known.id, bundleId: known.bundleId });
    expect(byId.listing.screenshots.length).toBeGreaterThan(0);
    expect(byId.listing.updatedAt?.getTime()).toBeGreaterThan(Date.parse('2008-07-10'));
    expect(byPaddedId).toEqual(byId);
    // A stand-in may compute dates from the moment of the call.
    const { releasedAt: _r, updatedAt: _u, ...same } = byId.listing;
    expect(byBundleId.listing).toMatchObject(same);
  });

  test.each(['1', 'example.no.such.app', '99999999999999999999', 'a,b', '', 'no app has blanks'])(
    'an app %j that the storefront does not have is APP_NOT_FOUND',
    async (appId) => {
      const { source } = createSource({ baseUrl: url() });
      const error = await failureOf(source.getListing(us, appId, { signal: patient() }));
      expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    },
  );

  test.each(['写真 編集', 'محرر الصور', '🎧 "music" & more', '50% off + ?#/=', 'a\ud800b', "l'été\u0000"])(
    'the term %j is answered like any other',
    async (term) => {
      const { source } = createSource({ baseUrl: url() });
      const { apps } = await source.search(us, term, { limit: 10, signal: patient() });
      expect(Array.isArray(apps)).toBe(true);
    },
  );

  describe.each(endpoints)('%s', (endpoint) => {
    const faults = replayUrl ? commonFaults : [...commonFaults, ...furtherFaults];

    test.each(faults)('a store that answers "%s" is %s, never an empty list', async (mode, kind, message) => {
      await setFault(mode);
      const { source, calls } = createSource({ baseUrl: url() });
      const error = await failureOf(read(source, endpoint, known));
      expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', message: expect.stringMatching(message) });
      expect((error as AppError).cause).toBeInstanceOf(StoreFailure);
      expect((error as AppError).cause).toMatchObject({ kind });
      expect(calls).toEqual([{ endpoint, outcome: kind, ms: expect.any(Number) }]);
    });

    test('a store that is well again is read again', async () => {
      const { source, calls } = createSource({ baseUrl: url() });
      await setFault('blocked');
      await failureOf(read(source, endpoint, known));
      await setFault('ok');
      await read(source, endpoint, known);
      expect(calls.map(({ outcome }) => outcome)).toEqual(['blocked', 'ok']);
    });

    test.each<FakeMode>(['ok', 'error', 'hang'])(
      'one reading is one call, also when it is "%s"',
      async (mode) => {
        await setFault(mode);
        const before = await countCalls(url(), endpoint);
        await read(createSource({ baseUrl: url() }).source, endpoint, known).catch(
          () => 'failed, as told to',
        );
        expect(await countCalls(url(), endpoint)).toBe(before + 1);
      },
    );

    test('silence ends with the time limit', async () => {
      await setFault('hang');
      const startedMs = performance.now();
      await failureOf(read(createSource({ baseUrl: url() }).source, endpoint, known));
      expect(performance.now() - startedMs).toBeLessThan(timeoutMs + 1_000);
    });

    test('a caller that gives up waits no longer', async () => {
      await setFault('hang');
      const caller = new AbortController();
      const { source, calls } = createSource({ baseUrl: url(), timeoutMs: 60_000 });
      const startedMs = performance.now();
      const reading = failureOf(read(source, endpoint, known, caller.signal));
      setTimeout(() => caller.abort(new Error('deadline')), 50);
      const error = await reading;
      expect(performance.now() - startedMs).toBeLessThan(2_000);
      expect(error).toMatchObject({
        code: 'STORE_FETCH_FAILED',
        message: expect.stringMatching(/^The App Store had not answered when the call was given up\./),
        cause: { kind: 'abandoned', cause: caller.signal.reason },
      });
      expect(calls).toMatchObject([{ outcome: 'abandoned' }]);
    });
  });
});

describe('on the fake store', () => {
  beforeEach(() => fake.setFault('ok'));

  test('a caller that has given up before costs the store no call', async () => {
    const before = fake.calls().length;
    const error = await failureOf(
      createSource().source.search(us, 'notes', { limit: 5, signal: AbortSignal.abort() }),
    );
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'abandoned' } });
    expect(fake.calls()).toHaveLength(before);
  });

  test.each([
    '写真 編集',
    'محرر الصور',
    '🎧 "music" & more',
    '50% off + ?#/=&term=x',
    "<l'été>",
    'cafe\u0301',
  ])('the store is asked for exactly the term %j', async (term) => {
    await createSource().source.search(us, term, { limit: 7, signal: patient() });
    expect(fake.calls().at(-1)).toMatchObject({
      path: '/search',
      query: { term, country: 'US', lang: 'en_us', media: 'software', entity: 'software', limit: '7' },
    });
  });

  test('a look-up asks in the storefront and its language, under our own name and without cookies', async () => {
    const jp: Storefront = { store: 'ITUNES', country: 'JP', lang: 'ja-JP' };
    const { listing } = await createSource().source.getListing(jp, '700000014', { signal: patient() });
    expect(listing).toMatchObject({ title: '写真しおり', developerName: 'こもれび工房' });
    const call = fake.calls().at(-1);
    expect(call).toMatchObject({
      path: '/lookup',
      query: { id: '700000014', country: 'JP', lang: 'ja_jp' },
      headers: { 'user-agent': expect.stringContaining('Shelfwise') },
    });
    expect(call?.headers.cookie).toBeUndefined();
  });

  test('an app that is sold elsewhere only is APP_NOT_FOUND here', async () => {
    const error = await failureOf(createSource().source.getListing(us, '700000014', { signal: patient() }));
    expect(error).toMatchObject({
      code: 'APP_NOT_FOUND',
      message: 'The App Store has no app 700000014 in US.',
    });
  });

  test('emoji, right-to-left, quotes and entities in a title arrive as the store wrote them', async () => {
    const titleOf = async (id: string) =>
      (await createSource().source.getListing(us, id, { signal: patient() })).listing.title;
    expect(await titleOf('700000008')).toBe('Salt &amp; Ember “Recipes”');
    expect(await titleOf('700000016')).toBe('دفتر النخلة');
    expect(await titleOf('700000017')).toBe('Habiturtle 🐢 Habit Tracker');
  });

  test('a description that speaks of a captcha is no captcha', async () => {
    const { listing } = await createSource().source.getListing(us, '700000004', { signal: patient() });
    expect(listing.description).toContain('captcha');
  });

  test('what nobody has rated has no score, and an unknown number of ratings is not 0', async () => {
    const { source } = createSource();
    const unrated = await source.getListing(us, '700000005', { signal: patient() });
    const unknown = await source.getListing(us, '700000009', { signal: patient() });
    expect(unrated.listing).toMatchObject({ score: null, ratings: 0 });
    expect(unknown.listing).toMatchObject({ score: null, ratings: null });
  });

  test('an app for the iPad alone shows its screenshots, and a Mac app is an app', async () => {
    const { source } = createSource();
    const pad = await source.getListing(us, '700000006', { signal: patient() });
    expect(pad.listing.screenshots).toEqual([
      expect.stringContaining('pad-1'),
      expect.stringContaining('pad-2'),
    ]);
    const mac = await source.getListing(us, '700000007', { signal: patient() });
    expect(mac.listing.title).toBe('Deskbriar Notes');
  });

  test('two ids in one are no app, and cost the store no call', async () => {
    const before = fake.calls().length;
    for (const appId of [
      '700000001,700000002',
      'example.invented.app700000001,example.invented.app700000002',
    ]) {
      const error = await failureOf(createSource().source.getListing(us, appId, { signal: patient() }));
      expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
    expect(fake.calls()).toHaveLength(before);
  });

  test('a connection that breaks is not tried again', async () => {
    const before = fake.counts()['/search'] ?? 0;
    fake.setFault('reset');
    await failureOf(createSource().source.search(us, 'notes', { limit: 5, signal: patient() }));
    expect(fake.counts()['/search']).toBe(before + 1);
  });

  test('a share of bad answers fails just those calls', async () => {
    const { source, calls } = createSource();
    fake.setFault('error', { rate: 0.25 });
    await Promise.allSettled(
      Array.from({ length: 8 }, () => source.search(us, 'notes', { limit: 5, signal: patient() })),
    );
    fake.setFault('ok', { rate: 1 });
    expect(calls.filter(({ outcome }) => outcome === 'error')).toHaveLength(2);
    expect(calls.filter(({ outcome }) => outcome === 'ok')).toHaveLength(6);
  });

  test('an address with a path and a slash at its end works', async () => {
    const { source } = createSource({ baseUrl: `${fake.url}//` });
    const { apps } = await source.search(us, 'notes', { limit: 5, signal: patient() });
    expect(apps).toHaveLength(5);
  });
});

test('a store that nobody answers for is unreachable', async () => {
  const { source } = createSource({ baseUrl: `http://127.0.0.1:${await closedPort()}` });
  const error = await failureOf(source.search(us, 'notes', { limit: 5, signal: patient() }));
  expect(error).toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(
      /^The App Store could not be reached \(ECONNREFUSED\)\. Check the network and the configured address/,
    ),
    cause: { kind: 'unreachable' },
  });
});

test('silence is silence, whatever error fetch makes of it', async () => {
  const fetchOfItsOwn: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const { source } = createSource({ fetch: fetchOfItsOwn });
  const error = await failureOf(source.search(us, 'notes', { limit: 5, signal: patient() }));
  expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'silence' } });
});

test('a page that is under way at midnight bears the day on which it was asked for', async () => {
  const times = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:01Z'].map((time) => new Date(time));
  const ticking = () => times.shift() ?? new Date('2026-03-02T00:00:02Z');
  const { source } = createSource({ ...answering(searchPage), now: ticking });
  const { readAt } = await source.search(us, 'notes', { limit: 5, signal: patient() });
  expect(readAt.toISOString()).toBe('2026-03-01T23:59:59.999Z');
});

describe('of a page', () => {
  const rows = searchFakeApps('notes', 'US', 10);
  const changed = (place: number, change: Record<string, unknown>) =>
    toPage(rows.map((row, i) => (i === place ? { ...row, ...change } : row)));
  const readPage = (page: unknown) =>
    createSource(answering(page)).source.search(us, 'notes', { limit: 10, signal: patient() });

  test.each([
    ['a song', { wrapperType: 'track', kind: 'song' }, /row 3, wrapperType/],
    ['something else than an app', { kind: 'software-bundle' }, /row 3, kind/],
    ['an id that is text', { trackId: '700000003' }, /row 3, trackId/],
    ['an id beyond exact numbers', { trackId: 2 ** 60 }, /row 3, trackId/],
    ['an id of 0', { trackId: 0 }, /row 3, trackId/],
    ['no name', { trackName: '' }, /row 3, trackName/],
    ['no icon', { artworkUrl512: undefined, artworkUrl100: undefined }, /row 3, artworkUrl512/],
    ['an address that runs code', { trackViewUrl: 'javascript:alert(1)' }, /row 3, trackViewUrl/],
    ['a date that does not exist', { releaseDate: '2026-02-30T07:00:00Z' }, /row 3, releaseDate/],
    ['a date in words', { currentVersionReleaseDate: 'yesterday' }, /row 3, currentVersionReleaseDate/],
    ['a score above 5', { averageUserRating: 5.1 }, /row 3, averageUserRating/],
    ['a negative number of ratings', { userRatingCount: -1 }, /row 3, userRatingCount/],
    ['a screenshot that is no address', { screenshotUrls: ['x'] }, /row 3, screenshotUrls\.0/],
  ])('one row with %s fails all of it and is named', async (_, change, place) => {
    const error = await failureOf(readPage(changed(2, change)));
    expect(error).toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringMatching(place),
      cause: { kind: 'garbage' },
    });
  });

  test('the smaller icon serves where the larger is missing', async () => {
    const { apps } = await readPage(changed(0, { artworkUrl512: undefined }));
    expect(apps[0]?.icon).toBe(rows[0]?.artworkUrl100);
  });

  test('an app that is shown twice is one app with the upper rank, and pushes nobody down', async () => {
    const [first, second, third, ...others] = rows;
    const { apps } = await readPage(toPage([first, second, first, third, second, ...others]));
    expect(apps.map(({ appId }) => appId)).toEqual(rows.map(({ trackId }) => String(trackId)));
  });

  test('more rows than were asked for are cut from the end', async () => {
    const { source } = createSource(answering(toPage(rows)));
    const { apps } = await source.search(us, 'notes', { limit: 2, signal: patient() });
    expect(apps.map(({ appId }) => appId)).toEqual(rows.slice(0, 2).map(({ trackId }) => String(trackId)));
  });

  const mutatedPages = fc.oneof(
    mutatedPage(toPage(rows)),
    fc
      .nat({ max: JSON.stringify(toPage(rows)).length - 1 })
      .map((end) => JSON.stringify(toPage(rows)).slice(0, end)),
  );

  test('damaged in any place, it gives the ranking that it held or fails, never another ranking', async () => {
    const original = await readPage(toPage(rows));
    await fc.assert(
      fc.asyncProperty(mutatedPages, async (body) => {
        const outcome = await readPage(body).catch((error: unknown) => error);
        if (outcome instanceof AppError) {
          expect(outcome).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'garbage' } });
          return;
        }
        const { apps } = outcome as Awaited<ReturnType<typeof readPage>>;
        expect(apps.map(asRanked)).toEqual(original.apps.map(asRanked));
        for (const [i, { score, ratings }] of apps.entries()) {
          expect([original.apps[i]?.score, null]).toContain(score);
          expect([original.apps[i]?.ratings, null]).toContain(ratings);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('of a look-up', () => {
  const [row, other] = lookUpFakeApps(['700000001', '700000002'], [], 'US');
  const readPage = (page: unknown, appId = '700000001') =>
    createSource(answering(page)).source.getListing(us, appId, { signal: patient() });

  test.each([
    ['another app', [other]],
    ['several apps', [row, other]],
    ['the app and something else', [row, { wrapperType: 'track', kind: 'song' }]],
    ['something unknown', [{ wrapperType: 'hologram', trackId: 700000001 }]],
  ])('%s is garbage, not the app', async (_, results) => {
    const error = await failureOf(readPage(toPage(results)));
    expect(error).toMatchObject({ code: 'STORE_FETCH_FAILED', cause: { kind: 'garbage' } });
  });

  test('the same app twice is that app', async () => {
    expect((await readPage(toPage([row, row]))).listing.appId).toBe('700000001');
  });

  test('an id that belongs to a song or a developer is no app: APP_NOT_FOUND', async () => {
    for (const wrapperType of ['track', 'artist']) {
      const error = await failureOf(readPage(toPage([{ wrapperType, artistId: 700000001 }])));
      expect(error).toMatchObject({ code: 'APP_NOT_FOUND' });
    }
  });

  test('a bundle id in another letter case is the same app', async () => {
    const { listing } = await readPage(toPage([row]), 'Example.Invented.App700000001');
    expect(listing).toMatchObject({ appId: '700000001', bundleId: 'example.invented.app700000001' });
  });

  test('damaged in any place, it is the app or a failure, never "not found"', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedPage(toPage([row])), async (body) => {
        const outcome = await readPage(body).catch((error: unknown) => error);
        if (outcome instanceof AppError) expect(outcome.code).toBe('STORE_FETCH_FAILED');
        else expect(outcome).toMatchObject({ listing: { appId: '700000001', title: row?.trackName } });
      }),
      { numRuns: 500 },
    );
  });
});

const searchPage = toPage(searchFakeApps('notes', 'US', 10));

/** A source and a record of the calls that it reported. */
function createSource(deps: Partial<AppStoreSourceDeps> = {}) {
  const calls: AppStoreCall[] = [];
  const onCall = (call: AppStoreCall) => calls.push(call);
  return { source: createAppStoreSource({ baseUrl: fake.url, timeoutMs, now, onCall, ...deps }), calls };
}

/** A store without a network that answers everything with one page. */
function answering(page: unknown): Partial<AppStoreSourceDeps> {
  const body = typeof page === 'string' ? page : JSON.stringify(page);
  return { fetch: async () => new Response(body) };
}

function read(
  source: ReturnType<typeof createAppStoreSource>,
  endpoint: 'search' | 'lookup',
  known: { id: string; term: string },
  signal = patient(),
) {
  return endpoint === 'search'
    ? source.search(us, known.term, { limit: 10, signal })
    : source.getListing(us, known.id, { signal });
}

function patient(): AbortSignal {
  return new AbortController().signal;
}

async function failureOf(reading: Promise<unknown>): Promise<AppError> {
  const outcome = await reading.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error(`expected an AppError, got ${JSON.stringify(outcome)}`);
}

async function control(url: string, body: { mode: FakeMode }): Promise<void> {
  const response = await fetch(`${url}/__control`, { method: 'POST', body: JSON.stringify(body) });
  expect(await response.json()).toMatchObject({ control: body });
}

async function countCalls(url: string, endpoint: string): Promise<number> {
  const { counts } = (await (await fetch(`${url}/__control`)).json()) as { counts: Record<string, number> };
  return counts[`/${endpoint}`] ?? 0;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function toPage(results: unknown[]) {
  return { resultCount: results.length, results };
}

function asRanked({
  appId,
  title,
  developerName,
  genre,
}: Record<'appId' | 'title' | 'developerName', string> & { genre: string | null }) {
  return { appId, title, developerName, genre };
}

/** The page with one place of it dropped, or of another type; as the text of the answer. */
function mutatedPage(page: { resultCount: number; results: unknown[] }): fc.Arbitrary<string> {
  const places = [
    ['resultCount'],
    ['results'],
    ...page.results.flatMap((row, i) => [
      ['results', String(i)],
      ...Object.keys(row as FakeRow).map((field) => ['results', String(i), field]),
    ]),
  ];
  const values = fc.constantFrom<unknown>(undefined, null, true, {}, [], [null], '', '7', 'x', -1, 0.5);
  return fc
    .tuple(fc.constantFrom(...places), values)
    .map(([place, value]) => replaceAt(structuredClone(page), place, value))
    .filter((mutated) => mutated !== null);
}

/** The page as text with another value in one place; null when that would be no change of type. */
function replaceAt(page: object, place: string[], value: unknown): string | null {
  const last = place.at(-1) ?? '';
  let holder = page as Record<string, unknown>;
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  if (typeOf(holder[last]) === typeOf(value)) return null;
  if (Array.isArray(holder) && value === undefined) holder.splice(Number(last), 1);
  else holder[last] = value;
  return JSON.stringify(page);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
