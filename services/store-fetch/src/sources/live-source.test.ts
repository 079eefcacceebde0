import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createScriptedSource, listing } from '../../test/scripted-source.ts';
import { createUrgency, forDailyRun, urgent, urgentFor } from '../budget/urgency.ts';
import { createAnswerCache } from '../cache/answer-cache.ts';
import { createLiveSource } from './live-source.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const fr = { ...us, country: 'FR' } as const;
const urgentOptions = () => ({ signal: new AbortController().signal, urgency: urgent });
const dailyOptions = () => ({ signal: new AbortController().signal, urgency: forDailyRun });

function start(at?: string, maxBytes = 64 * 1024 * 1024) {
  const clock = createFakeClock(at);
  const store = createScriptedSource(clock.now);
  const lookups: string[] = [];
  const source = createLiveSource({
    stores: { ITUNES: store.source, GPLAY: store.source },
    cache: createAnswerCache({ maxBytes, now: clock.now }),
    now: clock.now,
    emptyPages: null,
    onCacheLookup: (kind, isHit) => lookups.push(`${kind} ${isHit ? 'hit' : 'miss'}`),
  });
  const search = (term = 'habits', limit = 20, options = urgentOptions()) =>
    source.search(us, term, { ...options, limit, onDay: null });
  const getListing = (appId = '1001', withSubtitle = false) =>
    source.getListing(us, appId, { ...urgentOptions(), withSubtitle });
  const getListings = (appIds: string[], withSubtitle = false, freshSince: Date | null = null) =>
    source.getListings(us, appIds, { ...urgentOptions(), withSubtitle, freshSince });
  return { ...store, clock, source, search, getListing, getListings, lookups };
}

/** Lets a test delay every reading of the store. */
function delay(answers: ReturnType<typeof createScriptedSource>['answers']) {
  let release = () => {};
  answers.until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return () => release();
}

const hour = 3_600_000;

describe('searches', () => {
  test('a page is read once a day and serves every limit up to 100', async () => {
    const { search, requested, clock, lookups } = start();
    const first = await search('habits', 20);
    expect(first.apps).toHaveLength(20);
    // Nothing judges the pages of this source.
    expect(first.isSuspect).toBe(false);
    await clock.advance(2 * hour);
    const second = await search('habits', 100);
    expect(second.apps).toHaveLength(100);
    expect(second.apps.slice(0, 20)).toEqual(first.apps);
    expect(second.readAt).toEqual(first.readAt);
    expect(requested).toEqual(['search habits 100']);
    expect(lookups).toEqual(['search miss', 'search hit']);
  });

  test('a second look reads a page that is cached once more, and its page serves from then on', async () => {
    const { search, source, requested, clock } = start();
    const first = await search('habits', 100);
    await clock.advance(1);
    const freshSince = clock.now();
    const again = await source.search(us, 'habits', {
      ...dailyOptions(),
      limit: 100,
      onDay: null,
      freshSince,
    });
    expect([first.readAt < freshSince, again.readAt]).toEqual([true, freshSince]);
    expect((await search('habits', 20)).readAt).toEqual(freshSince);
    expect(requested).toEqual(['search habits 100', 'search habits 100']);
  });

  test('more than 100 rows are read when they are requested, and then serve every limit', async () => {
    const { search, requested } = start();
    await search('habits', 20);
    expect((await search('habits', 150)).apps).toHaveLength(150);
    await search('habits', 200);
    await search('habits', 10);
    expect(requested).toEqual(['search habits 100', 'search habits 200']);
  });

  test('a page that shows everything the store has serves every limit', async () => {
    const { search, requested, answers } = start();
    answers.rows = 30;
    await search('habits', 20);
    expect((await search('habits', 200)).apps).toHaveLength(30);
    expect(requested).toHaveLength(1);
  });

  test('a page is never served on a later day, to the millisecond', async () => {
    const { search, requested, clock } = start('2026-11-21T22:00:00Z');
    await search();
    await clock.advance(2 * hour - 1);
    expect((await search()).readAt).toEqual(new Date('2026-11-21T22:00:00Z'));
    await clock.advance(1);
    expect((await search()).readAt).toEqual(new Date('2026-11-22T00:00:00Z'));
    expect(requested).toHaveLength(2);
  });

  test('a page requested before midnight that arrives afterwards is neither cached nor shared with the new day', async () => {
    const { search, requested, clock, answers } = start('2026-11-21T23:59:59Z');
    const release = delay(answers);
    const yesterday = search();
    await clock.advance(2000);
    const today = search();
    release();
    expect((await yesterday).readAt).toEqual(new Date('2026-11-21T23:59:59Z'));
    expect((await today).readAt).toEqual(new Date('2026-11-22T00:00:01Z'));
    expect((await search()).readAt).toEqual(new Date('2026-11-22T00:00:01Z'));
    expect(requested).toHaveLength(2);
  });

  test('another term or storefront is another page', async () => {
    const { search, source, requested } = start();
    await search('habits');
    await search('Habits');
    await source.search(fr, 'habits', { ...urgentOptions(), limit: 20, onDay: null });
    expect(requested).toHaveLength(3);
  });

  test('a failure is not cached', async () => {
    const { search, answers, requested } = start();
    answers.until = Promise.reject(new AppError('STORE_FETCH_FAILED', 'blocked'));
    await expect(search()).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
    answers.until = Promise.resolve();
    expect((await search()).apps).toHaveLength(20);
    expect(requested).toHaveLength(2);
  });

  test('a caller that changes its page does not change the page of another caller', async () => {
    const { search } = start();
    await search();
    (await search()).apps.reverse();
    expect((await search()).apps[0]?.app_id).toBe('1000');
  });

  test('a page of another day is refused, never answered with the cached page', async () => {
    const { source, search, requested } = start();
    await search();
    const past = source.search(us, 'habits', { ...urgentOptions(), limit: 20, onDay: '2026-11-20' });
    await expect(past).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(requested).toEqual(['search habits 100']);
  });
});

describe('equal requests at the same time', () => {
  test('share one read', async () => {
    const { search, requested } = start();
    const pages = await Promise.all([search('habits', 20), search('habits', 50), search('habits', 20)]);
    expect(pages.map(({ apps }) => apps.length)).toEqual([20, 50, 20]);
    expect(requested).toHaveLength(1);
  });

  test('a read of 100 rows that is under way does not serve a request for more', async () => {
    const { search, requested, answers } = start();
    const release = delay(answers);
    const pages = [search('habits', 100), search('habits', 200)];
    release();
    expect((await Promise.all(pages)).map(({ apps }) => apps.length)).toEqual([100, 200]);
    expect(requested).toEqual(['search habits 100', 'search habits 200']);
  });

  test('a caller that gives up does not end the read for those that still wait', async () => {
    const { search, options, answers } = start();
    const release = delay(answers);
    const leaving = new AbortController();
    const first = search('habits', 20, { signal: leaving.signal, urgency: urgent });
    const second = search();
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(options[0]?.signal.aborted).toBe(false);
    release();
    expect((await second).apps).toHaveLength(20);
  });

  test('a read whose callers have all given up is aborted and not cached', async () => {
    const { search, options, requested, answers, clock } = start();
    const release = delay(answers);
    const leaving = new AbortController();
    const first = search('habits', 20, { signal: leaving.signal, urgency: urgent });
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(options[0]?.signal.aborted).toBe(true);
    // The store answers all the same, perhaps without the parts that were aborted.
    release();
    await clock.settle();
    await search();
    expect(requested).toHaveLength(2);
  });

  test('a read of the daily run becomes urgent when a waiting caller joins it', async () => {
    const { search, options, answers, requested } = start();
    const release = delay(answers);
    const started = search('habits', 100, dailyOptions());
    const alsoDaily = search('habits', 100, dailyOptions());
    const becameUrgent = jest.fn();
    options[0]?.urgency.onUrgent(becameUrgent);
    expect(options[0]?.urgency.isUrgent()).toBe(false);
    const joined = search('habits', 20);
    expect(options[0]?.urgency.isUrgent()).toBe(true);
    expect(becameUrgent).toHaveBeenCalledTimes(1);
    release();
    await Promise.all([started, alsoDaily, joined]);
    expect(requested).toHaveLength(1);
  });

  test('a read becomes urgent when a caller that already joined it becomes urgent', async () => {
    const { search, options, answers } = start();
    const release = delay(answers);
    const urgency = createUrgency();
    const started = search('habits', 100, { ...dailyOptions(), urgency });
    expect(options[0]?.urgency.isUrgent()).toBe(false);
    urgency.becomeUrgent();
    expect(options[0]?.urgency.isUrgent()).toBe(true);
    release();
    await started;
  });

  test('a read is in the turns of all callers that wait for it', async () => {
    const { search, options, answers, requested } = start();
    const release = delay(answers);
    const leaving = new AbortController();
    const optionsOf = (callerId: string) => ({ ...urgentOptions(), urgency: urgentFor(callerId) });
    const started = search('habits', 100, { ...optionsOf('ann'), signal: leaving.signal });
    const left = expect(started).rejects.toThrow('gone');
    const others = [search('habits', 20, optionsOf('bob')), search('habits', 20, optionsOf('bob'))];
    const waiting = () => options[0]?.urgency.callers.ids();
    expect(waiting()).toEqual(['ann', 'bob']);
    leaving.abort(new Error('gone'));
    await left;
    expect(waiting()).toEqual(['bob']);
    release();
    await Promise.all(others);
    expect(requested).toHaveLength(1);
  });

  test('a read started by a waiting caller is urgent from the start', async () => {
    const { search, options } = start();
    await search();
    expect(options[0]?.urgency.isUrgent()).toBe(true);
  });
});

describe('listings', () => {
  test('are cached under every id for six hours after they were read', async () => {
    const { getListing, requested, clock, answers } = start();
    answers.listing = () => listing({ app_id: '1001', bundle_id: 'com.example.habits' });
    const first = await getListing('com.example.habits');
    await clock.advance(6 * hour - 1);
    expect(await getListing('1001')).toEqual(first);
    expect(await getListing('com.example.habits')).toEqual(first);
    expect(requested).toHaveLength(1);
    await clock.advance(1);
    await getListing('1001');
    expect(requested).toHaveLength(2);
  });

  test('a listing with its subtitle serves requests without one, but not the reverse', async () => {
    const { getListing, requested } = start();
    await getListing('1001', false);
    expect((await getListing('1001', true)).listing.subtitle).toBe('Every day');
    await getListing('1001', false);
    await getListing('1001', true);
    expect(requested).toEqual(['listing 1001 false', 'listing 1001 true']);
  });

  test('a subtitle that could not be read is read again after five minutes, not on every request', async () => {
    const { getListing, getListings, requested, clock, answers } = start();
    answers.listing = (appId) => listing({ app_id: appId, subtitle: null });
    await getListing('1001', true);
    await getListings(['1001', '1002'], true);
    await clock.advance(5 * 60_000 - 1);
    expect((await getListing('1001', true)).listing.subtitle).toBeNull();
    expect(requested).toEqual(['listing 1001 true', 'listings 1002 true']);
    await clock.advance(1);
    answers.listing = (appId) => listing({ app_id: appId });
    expect((await getListing('1001', true)).listing.subtitle).toBe('Every day');
    await clock.advance(5 * 60_000);
    await getListing('1001', true);
    expect(requested).toHaveLength(3);
  });

  test('a listing read without its subtitle does not count as having none', async () => {
    const { getListing, requested } = start();
    await getListing('1001', false);
    expect((await getListing('1001', true)).listing.subtitle).toBe('Every day');
    expect(requested).toHaveLength(2);
  });

  test('a newer listing without subtitle takes over the cached subtitle, for six hours after that was read', async () => {
    const { getListing, getListings, requested, clock } = start();
    await getListing('1001', true);
    await clock.advance(5 * hour);
    const freshSince = clock.now();
    await getListings(['1001'], false, freshSince);
    await clock.advance(hour - 1);
    const { listing: found, readAt } = await getListing('1001', true);
    expect([found.subtitle, readAt]).toEqual(['Every day', freshSince]);
    expect(requested).toEqual(['listing 1001 true', 'listings 1001 false']);
    await getListings(['1001'], true, freshSince);
    expect(requested).toHaveLength(3);
  });

  test('a subtitle that was taken over still expires after six hours', async () => {
    const { getListing, getListings, requested, clock } = start();
    await getListing('1001', true);
    await clock.advance(5 * hour);
    await getListings(['1001'], false, clock.now());
    await clock.advance(hour);
    await getListing('1001', false);
    expect(requested).toHaveLength(2);
    await getListing('1001', true);
    expect(requested).toHaveLength(3);
  });

  test('a listing that arrives after its callers have given up is not cached: its subtitle may be missing', async () => {
    const { source, getListing, requested, answers, clock } = start();
    const release = delay(answers);
    const leaving = new AbortController();
    const options = { signal: leaving.signal, urgency: urgent, withSubtitle: true };
    const left = [
      source.getListing(us, '1001', options),
      source.getListings(us, ['1002'], { ...options, freshSince: null }),
    ];
    leaving.abort(new Error('gone'));
    for (const each of left) await expect(each).rejects.toThrow('gone');
    release();
    await clock.settle();
    await getListing('1001', true);
    await getListing('1002', true);
    expect(requested).toHaveLength(4);
  });

  test('the same apps in another order share one read', async () => {
    const { getListings, requested } = start();
    const [one, other] = await Promise.all([getListings(['2', '1']), getListings(['1', '2'])]);
    expect(requested).toEqual(['listings 1,2 false']);
    expect(one?.map(({ appId }) => appId)).toEqual(['2', '1']);
    expect(other?.map(({ appId }) => appId)).toEqual(['1', '2']);
  });

  test('an app that the store does not have is not looked up again for five minutes', async () => {
    const { getListing, getListings, requested, clock, answers } = start();
    answers.listing = () => new AppError('APP_NOT_FOUND', 'no app 7 in US');
    const missing = { code: 'APP_NOT_FOUND', message: 'no app 7 in US' };
    await expect(getListing('7')).rejects.toMatchObject(missing);
    await clock.advance(5 * 60_000 - 1);
    await expect(getListing('7')).rejects.toMatchObject(missing);
    expect((await getListings(['7']))[0]?.outcome).toMatchObject(missing);
    expect(requested).toHaveLength(1);
    await clock.advance(1);
    answers.listing = () => listing({ app_id: '7' });
    expect((await getListing('7')).listing.app_id).toBe('7');
  });

  test('for a list only the uncached apps are read, and each result has its position', async () => {
    const { getListing, getListings, requested, lookups, answers } = start();
    answers.listing = (appId) =>
      appId === '3' ? new AppError('APP_NOT_FOUND', 'no app 3') : listing({ app_id: appId });
    await getListing('2');
    const results = await getListings(['1', '2', '3']);
    expect(results.map(({ appId }) => appId)).toEqual(['1', '2', '3']);
    expect(
      results.map(({ outcome }) => ('listing' in outcome ? outcome.listing.app_id : outcome.code)),
    ).toEqual(['1', '2', 'APP_NOT_FOUND']);
    await getListings(['3', '1']);
    await getListing('1');
    expect(requested).toEqual(['listing 2 false', 'listings 1,3 false']);
    expect(lookups.slice(1, 4)).toEqual(['listing miss', 'listing hit', 'listing miss']);
  });

  test('nothing cached before freshSince is returned, and the new answer is cached', async () => {
    const { getListings, requested, clock } = start();
    await getListings(['1', '2']);
    await clock.advance(1000);
    const freshSince = clock.now();
    await clock.advance(1000);
    const [result] = await getListings(['1'], false, freshSince);
    expect(result?.outcome).toMatchObject({ readAt: clock.now() });
    await getListings(['1'], false, freshSince);
    expect(requested).toEqual(['listings 1,2 false', 'listings 1 false']);
  });

  test('the failure of one app is not cached and does not affect the others', async () => {
    const { getListings, requested, answers } = start();
    answers.listing = (appId) =>
      appId === '1' ? new AppError('STORE_FETCH_FAILED', 'blocked') : listing({ app_id: appId });
    expect((await getListings(['1', '2']))[0]?.outcome).toMatchObject({ code: 'STORE_FETCH_FAILED' });
    answers.listing = (appId) => listing({ app_id: appId });
    expect((await getListings(['1', '2']))[0]?.outcome).toMatchObject({ listing: { app_id: '1' } });
    expect(requested).toEqual(['listings 1,2 false', 'listings 1 false']);
  });

  test('a lost database fails the whole call', async () => {
    const { getListings, answers } = start();
    answers.listing = () => new AppError('SERVICE_UNAVAILABLE', 'no database');
    await expect(getListings(['1', '2'])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('suggestions and charts', () => {
  test('suggestions are cached for a day, unknown suggestions never', async () => {
    const { source, requested, clock, answers } = start();
    const suggest = (prefix: string) => source.suggest(us, prefix, urgentOptions());
    answers.terms = (prefix) => (prefix === 'habit' ? ['habit tracker'] : []);
    await suggest('habit');
    await clock.advance(24 * hour - 1);
    expect((await suggest('habit')).terms).toEqual(['habit tracker']);
    expect(requested).toEqual(['suggest habit']);
    await clock.advance(1);
    answers.terms = () => null;
    expect((await suggest('habit')).terms).toBeNull();
    await suggest('habit');
    expect(requested).toHaveLength(3);
  });

  test('an empty list is cached for ten minutes', async () => {
    const { source, requested, clock, answers } = start();
    answers.terms = (prefix) => (prefix === 'xyz' ? [] : ['habit tracker']);
    const suggest = () => source.suggest(us, 'xyz', { ...urgentOptions(), isThorough: true });
    await suggest();
    await clock.advance(10 * 60_000 - 1);
    expect((await suggest()).terms).toEqual([]);
    expect(requested).toHaveLength(6);
    await clock.advance(1);
    await suggest();
    expect(requested).toHaveLength(12);
  });

  test('a thorough read is not served from a single look at an empty list, but serves one', async () => {
    const { source, requested, answers } = start();
    answers.terms = (prefix) => (prefix === 'xyz' ? [] : ['habit tracker']);
    const suggest = (isThorough: boolean) => source.suggest(us, 'xyz', { ...urgentOptions(), isThorough });
    await suggest(false);
    expect(requested).toHaveLength(2);
    await suggest(true);
    expect(requested).toHaveLength(8);
    expect((await suggest(false)).terms).toEqual([]);
    expect(requested).toHaveLength(8);
  });

  test('a chart is read once a day and serves every limit', async () => {
    const { source, requested, clock } = start('2026-11-21T23:00:00Z');
    const chart = (limit: number) =>
      source.chart(us, { category: 'OVERALL', collection: 'free', limit }, urgentOptions());
    expect((await chart(50)).apps).toHaveLength(50);
    expect((await chart(200)).apps).toHaveLength(200);
    await source.chart(us, { category: 'OVERALL', collection: 'paid', limit: 50 }, urgentOptions());
    expect(requested).toEqual(['chart OVERALL free 200', 'chart OVERALL paid 200']);
    await clock.advance(hour);
    await chart(50);
    expect(requested).toHaveLength(3);
  });

  test('a chart of another day is refused, never answered with the cached chart', async () => {
    const { source, requested } = start();
    const chart = { category: 'OVERALL', collection: 'free', limit: 50 } as const;
    await source.chart(us, chart, urgentOptions());
    const past = source.chart(us, chart, { ...urgentOptions(), onDay: '2026-11-19' });
    await expect(past).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(requested).toEqual(['chart OVERALL free 200']);
  });

  test('a chart whose scores could not be read is cached for five minutes', async () => {
    const { source, requested, answers, clock } = start();
    const chart = () =>
      source.chart(us, { category: 'OVERALL', collection: 'free', limit: 50 }, urgentOptions());
    answers.score = null;
    await chart();
    answers.score = 4;
    await clock.advance(5 * 60_000 - 1);
    expect((await chart()).apps[0]?.score).toBeNull();
    expect(requested).toHaveLength(1);
    await clock.advance(1);
    expect((await chart()).apps[0]?.score).toBe(4);
    await clock.advance(hour);
    await chart();
    expect(requested).toHaveLength(2);
  });

  test('a chart without scores is never served on a later day either', async () => {
    const { source, requested, answers, clock } = start('2026-11-21T23:58:00Z');
    const chart = () =>
      source.chart(us, { category: 'OVERALL', collection: 'free', limit: 50 }, urgentOptions());
    answers.score = null;
    await chart();
    await clock.advance(2 * 60_000);
    await chart();
    expect(requested).toHaveLength(2);
  });

  test('an empty chart is cached for the rest of the day', async () => {
    const { source, requested, answers, clock } = start('2026-11-21T12:00:00Z');
    answers.rows = 0;
    const chart = () =>
      source.chart(us, { category: 'OVERALL', collection: 'free', limit: 50 }, urgentOptions());
    await chart();
    await clock.advance(11 * hour);
    expect((await chart()).apps).toEqual([]);
    expect(requested).toHaveLength(1);
  });
});

test('the size is limited: the most recently used answers are retained', async () => {
  const { search, requested } = start(undefined, 20_000);
  for (let i = 0; i < 30; i++) await search(`term ${i}`);
  await search('term 29');
  expect(requested).toHaveLength(30);
  await search('term 0');
  expect(requested).toHaveLength(31);
});
