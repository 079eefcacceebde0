import { AppError } from '@shelfwise/runtime/errors';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { urgent } from '../src/budget/urgency.ts';
import type { ListingResult } from '../src/source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { StoreFailure, type StoreFailureKind, storeFetchFailed } from '../src/store-health/store-failure.ts';
import type { FakeFault } from './fake-store/fake-faults.ts';
import { allPlayApps } from './fake-store/google-play-apps.ts';
import { useFakeStore } from './use-fake-store.ts';

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

const fake = useFakeStore();

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
});

test('an app whose name is searched for is featured and has the first rank', async () => {
  const requested = createPlay(fake.url).search(us, 'inkstead', { ...options, limit: 5 });
  expect((await requested).apps.map(({ title }) => title)).toEqual(['Inkstead Notes']);
  const notes = createPlay(fake.url).search(us, 'pennywick', { ...options, limit: 5 });
  expect((await notes).apps[0]?.title).toBe('Pennywick Budget Planner');
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

test('listings are in the order of the request, and a missing app does not affect the others', async () => {
  const requested = [...allPlayApps.slice(0, 2).map((app) => app.appId), 'example.no.such.app', '12345'];
  const results = await createPlay(fake.url).getListings(us, requested, withSubtitle);
  expect(results.map((result) => result.appId)).toEqual(requested);
  expect(results.map(summarize)).toEqual([...requested.slice(0, 2), 'APP_NOT_FOUND', 'APP_NOT_FOUND']);
});

function summarize({ outcome }: ListingResult): string {
  return outcome instanceof AppError ? outcome.code : outcome.listing.app_id;
}
