import type { SearchAppsReply } from '@shelfwise/proto/store/v1/store';
import type { TrackKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError, type RequestProblems } from '@shelfwise/runtime/errors';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { createGate } from '../../../testing/gate.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import {
  type FakeStoreFetch,
  fakeFoundApp,
  neverAnswer,
  storeFailed,
  unprovenPage,
} from './fake-store-fetch.ts';
import { createHarness, type Tracking, trackApp, trackKeyword, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/** Holds the answer to one term until `open` is called. `release`: later searches for it are answered at once. */
function holdPage(store: FakeStoreFetch, term: string, page?: SearchAppsReply) {
  const { search } = store.answers;
  const { opened, open } = createGate();
  store.answers.search = async (request, call) => {
    if (request.term !== term) return search(request, call);
    await opened;
    return page ?? search(request, call);
  };
  const release = () => {
    store.answers.search = search;
  };
  return { open, release };
}

/** A service with one app, 1001, and a function that sends keywords for it. */
async function startWithApp(options: { hasBus?: boolean } = {}) {
  const tracking = await startTracking(options);
  const appId = await trackApp(tracking, 'ann');
  const base = { account_id: 'ann', app_id: appId, storefront: us };
  const send = async (keywords: string[], more: Partial<TrackKeywordsRequest> = {}) => {
    const request = { ...base, ...more, keywords };
    const { results } = await tracking.client.trackKeywords(request);
    return results.map(({ keyword, outcome }) => ({ keyword, [outcome?.$case ?? 'none']: outcome?.value }));
  };
  return { tracking, ...tracking, appId, base, send };
}

const matching = ({ error }: { error: RegExp }) => ({ error: expect.stringMatching(error) });

const collections = ['keyword_markets', 'snapshots', 'ranked_apps', 'tracked_keywords'];
async function expectNothingWritten({ rows }: Tracking): Promise<void> {
  for (const collection of collections) expect(await rows(collection)).toEqual([]);
}

test('each tracked keyword has its id, its rank and the depth of its page, one that is refused has none of them', async () => {
  const { tracking, base, store } = await startWithApp();
  store.setPage('photo editor', ['9', '8', '1001', '7']);
  store.setPage('camera', ['9', '8']);
  const keywords = ['photo editor', 'camera', 'photo editor'];
  const { results } = await tracking.client.trackKeywords({ ...base, keywords });
  const { keywords: rows } = await tracking.client.listKeywords({
    account_id: 'ann',
    app_id: base.app_id,
    favorites_only: false,
    page: 1,
    per_page: 10,
  });
  const idOf = new Map(rows.map((row) => [row.keyword, row.keyword_id]));
  expect(results.map(({ first_rank: first }) => first)).toEqual([
    { keyword_id: idOf.get('photo editor'), rank: 3, depth: 4, rank_date: '2026-03-10' },
    { keyword_id: idOf.get('camera'), rank: null, depth: 2, rank_date: '2026-03-10' },
    null,
  ]);
});

test('a keyword is tracked with its rank as a sentence', async () => {
  const { send, store, rows } = await startWithApp();
  store.setPage('photo editor', ['9', '8', '1001', '7']);
  store.setPage('camera', ['9', '8']);
  store.setFullPage('deep');
  store.setPage('nothing at all', []);
  expect(await send(['photo editor', 'camera', 'deep', 'nothing at all'])).toEqual([
    { keyword: 'photo editor', success: 'Title of 1001 ranks 3rd of 4 results for “photo editor”.' },
    {
      keyword: 'camera',
      success: 'Title of 1001 is not among the 2 results that the store shows for “camera”.',
    },
    { keyword: 'deep', success: 'Title of 1001 is not in the top 100 for “deep”.' },
    {
      keyword: 'nothing at all',
      success: 'The store shows no results for “nothing at all”, so Title of 1001 does not rank.',
    },
  ]);
  expect(await rows('tracked_keywords')).toHaveLength(4);
  expect(await rows('snapshots')).toHaveLength(4);
});

test('results are in the order sent, and one bad keyword does not affect the others', async () => {
  const { send, rows } = await startWithApp();
  const results = await send([
    '写真 編集',
    'x',
    'محرر الصور',
    'Cafe\u0301',
    'CAFÉ',
    '🎧📷',
    'a\u0000',
    'ca\u200bfé',
  ]);
  expect(results.map(({ keyword, error }) => [keyword, error === undefined])).toEqual([
    ['写真 編集', true],
    ['x', false],
    ['محرر الصور', true],
    ['café', true],
    ['café', false],
    ['🎧📷', true],
    ['a', false],
    ['café', false],
  ]);
  expect((await rows('tracked_keywords')).map(({ keyword }) => keyword).sort()).toEqual(
    ['café', 'محرر الصور', '写真 編集', '🎧📷'].sort(),
  );
});

test('a keyword that is sent twice gets the error for duplicates, whether it is tracked already or not', async () => {
  const { send } = await startWithApp();
  await send(['camera']);
  expect(await send(['camera', 'CAMERA'])).toMatchObject(
    [{ error: /already/ }, { error: /twice/ }].map(matching),
  );
});

test('an already tracked keyword is an error, and the store is not called again', async () => {
  const { send, store } = await startWithApp();
  await send(['photo editor']);
  expect(await send(['Photo  Editor', 'camera'])).toEqual([
    { keyword: 'photo editor', error: expect.stringMatching(/already tracked/) },
    { keyword: 'camera', success: expect.any(String) },
  ]);
  expect(store.searches).toEqual(['photo editor', 'camera']);
});

test('a removed keyword that is tracked again has the same id, is still a favorite and has a new start', async () => {
  const { tracking, client, send, appId, clock, rows } = await startWithApp();
  const keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  const key = { account_id: 'ann', keyword_id: keywordId, app_id: appId };
  await client.setKeywordFavorite({ ...key, is_favorite: true });
  await client.untrackKeyword(key);
  clock.at = new Date('2026-03-11T10:00:00Z');
  expect((await send(['photo', 'camera'])).map(({ success }) => success)).toEqual(
    Array(2).fill(expect.any(String)),
  );
  expect((await rows('tracked_keywords')).filter(({ keyword }) => keyword === 'camera')).toMatchObject([
    { keyword_id: keywordId, active: true, favorite_order: 0, tracked_since: clock.at, removed_at: null },
  ]);
});

test('a removal that is undone on the same day keeps the snapshot of the day: the store is not called again', async () => {
  const { tracking, client, send, store, appId } = await startWithApp();
  const keywordId = await trackKeyword(tracking, 'ann', appId, 'camera');
  await client.untrackKeyword({ account_id: 'ann', keyword_id: keywordId, app_id: appId });
  expect(await send(['camera'])).toMatchObject([{ keyword: 'camera', success: expect.any(String) }]);
  expect(store.searches).toEqual(['camera']);
});

test('accounts and apps share one keyword market, one reading of the store and one snapshot a day', async () => {
  const { tracking, send, store, rows, base } = await startWithApp();
  const bobs = await trackApp(tracking, 'bob', '2002');
  await send(['camera']);
  await send(['camera'], { account_id: 'bob', app_id: bobs });
  const other = await trackApp(tracking, 'ann', '3003');
  await send(['camera'], { ...base, app_id: other });
  expect(store.searches).toEqual(['camera']);
  expect(await rows('keyword_markets')).toHaveLength(1);
  expect(await rows('snapshots')).toHaveLength(1);
  expect(new Set((await rows('tracked_keywords')).map((row) => row.keyword_id)).size).toBe(1);
});

test('concurrent callers of one keyword share one reading', async () => {
  const { tracking, send, store, rows, stop, bus } = await startWithApp({ hasBus: true });
  const bobs = await trackApp(tracking, 'bob', '2002');
  const camera = holdPage(store, 'camera');
  // A call that reads its second keyword has joined the reading of the first one.
  const own = Array.from({ length: 20 }, (_, index) => `own ${index}`);
  const sent = own.map((keyword, index) =>
    send(['camera', keyword], index % 2 === 0 ? {} : { account_id: 'bob', app_id: bobs }),
  );
  await until(() => own.every((keyword) => store.searches.includes(keyword)));
  camera.open();
  const outcomes = (await Promise.all(sent)).flatMap((results) => results.slice(0, 1));
  expect(outcomes.filter(({ success }) => success !== undefined)).toHaveLength(2);
  expect(outcomes.filter(({ error }) => /already/.test(String(error)))).toHaveLength(18);
  expect(store.searches.filter((term) => term === 'camera')).toHaveLength(1);
  expect(await rows('snapshots')).toHaveLength(21);
  expect(await rows('tracked_keywords')).toHaveLength(22);
  await stop();
  expect(messagesOf(bus.published, 'tracking.snapshot-taken.v1')).toHaveLength(21);
  // A slow database works off twenty calls.
});

test('a call after midnight does not share a reading that started before midnight', async () => {
  const { tracking, send, store, rows, clock } = await startWithApp();
  const bobs = await trackApp(tracking, 'bob', '2002');
  clock.at = new Date('2026-03-10T23:59:59Z');
  const before = holdPage(store, 'camera', { reading: store.reading(), apps: [fakeFoundApp('1001')] });
  const sent = send(['camera']);
  await until(() => store.searches.length === 1);
  clock.at = new Date('2026-03-11T00:00:01Z');
  before.release();
  store.setPage('camera', ['2002', '1001']);
  expect(await send(['camera'], { account_id: 'bob', app_id: bobs })).toMatchObject([
    { success: expect.stringMatching(/ranks 1st of 2/) },
  ]);
  before.open();
  expect(await sent).toMatchObject([{ success: expect.stringMatching(/ranks 1st of 1/) }]);
  expect((await rows('snapshots')).map(({ day }) => day).sort()).toEqual(['2026-03-10', '2026-03-11']);
  expect(await rows('keyword_markets')).toMatchObject([{ latest: { day: '2026-03-11' } }]);
});

test('the pages that a call has read before it is cancelled are kept for the next call', async () => {
  const { send, client, base, store, rows } = await startWithApp();
  const { search } = store.answers;
  store.answers.search = (request, call) =>
    request.term === 'slow' ? neverAnswer(request, call) : search(request, call);
  const cancelling = new AbortController();
  const cancelled = client.trackKeywords(
    { ...base, keywords: ['camera', 'slow'] },
    { ...callWithin(), signal: cancelling.signal },
  );
  await until(() => store.searches.length === 2);
  cancelling.abort();
  await expect(cancelled).rejects.toBeInstanceOf(AppError);
  await until(async () => (await rows('keyword_markets')).some(({ latest }) => latest));
  expect(await rows('tracked_keywords')).toEqual([]);
  expect(await send(['camera'])).toMatchObject([{ success: expect.any(String) }]);
  expect(store.searches).toEqual(['camera', 'slow']);
});

test('keyword ids follow the order sent, whichever page arrives first', async () => {
  const { send, store, rows } = await startWithApp();
  const { search } = store.answers;
  const { opened, open } = createGate();
  store.answers.search = async (request, call) => {
    if (request.term === 'first') await opened;
    else open();
    return search(request, call);
  };
  await send(['first', 'second']);
  const markets = (await rows('keyword_markets')).sort((one, other) => Number(one._id) - Number(other._id));
  expect(markets.map(({ keyword }) => keyword)).toEqual(['first', 'second']);
});

test('an id is taken for new keywords only', async () => {
  const { tracking, send, rows } = await startWithApp();
  const bobs = await trackApp(tracking, 'bob', '2002');
  await send(['camera', 'x', 'photo']);
  await send(['video', 'camera', 'audio'], { account_id: 'bob', app_id: bobs });
  const ids = (await rows('keyword_markets')).map(({ keyword, _id }) => [keyword, _id]);
  expect(Object.fromEntries(ids)).toEqual({ camera: 1, photo: 2, video: 3, audio: 4 });
});

test.each([
  ['a store that fails', async () => Promise.reject(storeFailed()), /blocks us/],
  ['an empty page that is not believed yet', async () => Promise.reject(unprovenPage()), /shows no results/],
  [
    'a store service that is down',
    async () =>
      Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The store-fetch service cannot be reached.')),
    /cannot be reached/,
  ],
  [
    'a page without its time',
    async () => ({ reading: null, apps: [fakeFoundApp('1001')] }),
    /does not say when/,
  ],
])('%s is the error of each keyword and leaves nothing behind', async (_name, search, message) => {
  const { tracking, send, store, stop, bus } = await startWithApp({ hasBus: true });
  store.answers.search = search;
  expect(await send(['camera', 'photo editor'])).toEqual([
    { keyword: 'camera', error: expect.stringMatching(message) },
    { keyword: 'photo editor', error: expect.stringMatching(message) },
  ]);
  await expectNothingWritten(tracking);
  await stop();
  expect(messagesOf(bus.published, 'tracking.snapshot-taken.v1')).toEqual([]);
});

test('an empty snapshot of today is read again for the next account, and a page with results replaces it', async () => {
  const { tracking, send, store, rows, stop, bus } = await startWithApp({ hasBus: true });
  const bobs = await trackApp(tracking, 'bob', '2002');
  store.setPage('camera', []);
  const asked: (boolean | undefined | null)[] = [];
  const { search } = store.answers;
  store.answers.search = (request, call) => {
    asked.push(request.had_results);
    return search(request, call);
  };
  await send(['camera']);
  store.setPage('camera', ['2002', '1001']);
  expect(await send(['camera'], { account_id: 'bob', app_id: bobs })).toMatchObject([
    { success: expect.stringMatching(/ranks 1st of 2/) },
  ]);
  expect(asked.map((hadResults) => hadResults ?? null)).toEqual([null, false]);
  expect(await rows('snapshots')).toMatchObject([{ app_ids: ['2002', '1001'], revision: 2 }]);
  expect(await rows('keyword_markets')).toMatchObject([{ latest: { app_ids: ['2002', '1001'] } }]);
  await stop();
  const taken = messagesOf(bus.published, 'tracking.snapshot-taken.v1');
  expect(taken.map(({ revision, app_ids: appIds }) => [revision, appIds])).toEqual([
    [1, []],
    [2, ['2002', '1001']],
  ]);
});

test('when one keyword cannot be read, the others are tracked', async () => {
  const { send, store, rows } = await startWithApp();
  store.failSearches((term) => term === 'camera');
  expect((await send(['photo', 'camera', 'video'])).map(({ error }) => error !== undefined)).toEqual([
    false,
    true,
    false,
  ]);
  expect((await rows('keyword_markets')).map(({ keyword }) => keyword).sort()).toEqual(['photo', 'video']);
});

test('a store that never answers fails only that keyword, and the call ends in time', async () => {
  const { tracking, send, store, clock, rows } = await startWithApp();
  const { search } = store.answers;
  store.answers.search = (request, call) =>
    request.term === 'camera' ? neverAnswer(request, call) : search(request, call);
  const sending = send(['camera', 'photo']);
  await until(() => store.searches.length === 2 && clock.sleeping() > 2);
  // Less than the deadline, which leaves time to save.
  clock.advance(57_000);
  expect(await sending).toEqual([
    { keyword: 'camera', error: expect.stringMatching(/could not be read before the call timed out/) },
    { keyword: 'photo', success: expect.any(String) },
  ]);
  expect(await rows('keyword_markets')).toHaveLength(1);
  store.answers.search = search;
  expect(await trackKeywords(tracking, 'ann', 1, ['camera'])).toBeInstanceOf(Map);
});

test('a call reads at most five pages at once', async () => {
  const { client, send, store } = await startWithApp();
  const open = store.holdSearches();
  const sent = send(Array.from({ length: 20 }, (_, index) => `keyword ${index}`));
  // Each round trip gives a sixth reading time to start.
  for (let trip = 0; trip < 200 && store.searches.length < 5; trip++)
    await client.getTotals({ account_id: 'ann' });
  for (let trip = 0; trip < 10; trip++) await client.getTotals({ account_id: 'ann' });
  expect(store.searches).toHaveLength(5);
  open();
  expect(await sent).toHaveLength(20);
  expect(store.searches).toHaveLength(20);
});

test('twenty keywords are read, saved together and answered, each with its own keyword market', async () => {
  const { connection, send, store, rows } = await startWithApp();
  const keywords = Array.from({ length: 20 }, (_, index) => `keyword ${index}`);
  for (const keyword of keywords) store.setPage(keyword, ['9', `only ${keyword}`, '1001']);
  const written = ['keyword_markets', 'snapshots', 'ranked_apps', 'tracked_keywords'].map((name) =>
    jest.spyOn(connection.collection(name), 'insertMany'),
  );
  const results = await send(keywords);
  expect(results.every(({ success }) => success !== undefined)).toBe(true);
  expect(await rows('keyword_markets')).toHaveLength(20);
  expect(await rows('ranked_apps')).toHaveLength(22);
  for (const insertMany of written) expect(insertMany).toHaveBeenCalledTimes(1);
});

test('with a cap, exactly the first keywords that fit are tracked, and the store is not called for the others', async () => {
  const { send, store, rows } = await startWithApp();
  const results = await send(['one one', 'x', 'two two', 'three'], { max_keywords: 2 });
  expect(results.map(({ error }) => error)).toEqual([
    undefined,
    expect.stringMatching(/characters/),
    undefined,
    expect.stringMatching(/allows 2 tracked keywords/),
  ]);
  expect([...store.searches].sort()).toEqual(['one one', 'two two']);
  expect(await rows('tracked_keywords')).toHaveLength(2);
});

test('a plan without room for any keyword refuses the call, unless all keywords are already tracked', async () => {
  const { send, store } = await startWithApp();
  await send(['one one'], { max_keywords: 1 });
  await expect(send(['two two', 'x'], { max_keywords: 1 })).rejects.toMatchObject({
    code: 'PLAN_LIMIT',
    message: 'Your plan allows 1 tracked keyword. Remove one first.',
  });
  expect(store.searches).toEqual(['one one']);
  const [again] = await send(['one one'], { max_keywords: 1 });
  expect(again?.error).toMatch(/already/);
});

test('the cap holds for keywords whose pages are known, too, and the rows are then counted once', async () => {
  const { tracking, connection, send, rows } = await startWithApp();
  const bobs = await trackApp(tracking, 'bob', '2002');
  for (const word of ['two two', 'three']) tracking.store.setPage(word, ['2002']);
  await trackKeywords(tracking, 'bob', bobs, ['two two', 'three']);
  await send(['one one']);
  await expect(send(['two two', 'x'], { max_keywords: 1 })).rejects.toMatchObject({
    code: 'PLAN_LIMIT',
    message: 'Your plan allows 1 tracked keyword. Remove one first.',
  });
  const commands = recordCommands(connection);
  const results = await send(['two two', 'three'], { max_keywords: 2 });
  expect(results.map(({ error }) => error)).toEqual([
    undefined,
    expect.stringMatching(/allows 2 tracked keywords/),
  ]);
  // Of what is pending to be removed: once, with the count.
  const ofApps = commands.filter((command) => command === 'find tracked_apps');
  // Two of them find the application, before and after the write.
  expect(ofApps).toHaveLength(3);
  expect((await rows('tracked_keywords')).filter((row) => row.account_id === 'ann')).toHaveLength(2);
});

test('a keyword that was removed returns with one read and one write of its row', async () => {
  const { client, connection, base, send, rows, store } = await startWithApp();
  store.setPage('camera', ['1001']);
  const { results } = await client.trackKeywords({ ...base, keywords: ['camera'] });
  const keywordId = results[0]?.first_rank?.keyword_id ?? 0;
  await client.untrackKeyword({ account_id: 'ann', app_id: base.app_id, keyword_id: keywordId });
  const commands = recordCommands(connection);
  expect(await send(['camera'])).toMatchObject([{ success: expect.any(String) }]);
  const ofRows = commands.filter((command) => command.endsWith(' tracked_keywords'));
  expect(ofRows).toEqual(['find tracked_keywords', 'update tracked_keywords']);
  expect(await rows('tracked_keywords')).toMatchObject([{ active: true, removed_at: null }]);
});

test('a keyword that was removed does not return to a full plan', async () => {
  const { client, base, send, rows, store } = await startWithApp();
  for (const word of ['camera', 'photo']) store.setPage(word, ['1001']);
  const { results } = await client.trackKeywords({ ...base, keywords: ['camera'] });
  const keywordId = results[0]?.first_rank?.keyword_id ?? 0;
  await client.untrackKeyword({ account_id: 'ann', app_id: base.app_id, keyword_id: keywordId });
  await send(['photo'], { max_keywords: 1 });
  await expect(send(['camera'], { max_keywords: 1 })).rejects.toMatchObject({ code: 'PLAN_LIMIT' });
  const tracked = await rows('tracked_keywords');
  expect(tracked.map(({ keyword, active }) => [keyword, active]).toSorted()).toEqual([
    ['camera', false],
    ['photo', true],
  ]);
});

test('of ten calls that track a removed keyword again one does, and publishes it', async () => {
  const { client, base, stop, bus } = await startWithApp({ hasBus: true });
  const track = () => client.trackKeywords({ ...base, keywords: ['camera'] });
  const keywordId = (await track()).results[0]?.first_rank?.keyword_id ?? 0;
  await client.untrackKeyword({ account_id: 'ann', app_id: base.app_id, keyword_id: keywordId });
  const replies = await Promise.all(Array.from({ length: 10 }, track));
  const outcomes = replies.map(({ results }) => results[0]?.outcome?.$case);
  expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-tracked.v1')).toHaveLength(2);
});

test('an application that is removed while the store is read gets no keyword', async () => {
  const { client, send, store, rows, appId, stop, bus } = await startWithApp({ hasBus: true });
  const { search } = store.answers;
  store.answers.search = async (request, call) => {
    await client.untrackApplication({ account_id: 'ann', id: appId });
    return search(request, call);
  };
  expect(await codeOf(send(['camera']))).toBe('APP_NOT_FOUND');
  expect(await rows('tracked_keywords')).toEqual([]);
  await stop();
  expect(messagesOf(bus.published, 'tracking.keyword-tracked.v1')).toEqual([]);
});

test('an application of another account and a removed one are not found', async () => {
  const { client, send, appId } = await startWithApp();
  expect(await codeOf(send(['camera'], { account_id: 'bob' }))).toBe('APP_NOT_FOUND');
  expect(await codeOf(send(['camera'], { app_id: 999 }))).toBe('APP_NOT_FOUND');
  await client.untrackApplication({ account_id: 'ann', id: appId });
  expect(await codeOf(send(['camera']))).toBe('APP_NOT_FOUND');
});

test('a storefront other than the application’s is refused, naming each wrong field', async () => {
  const { send, store } = await startWithApp();
  const refused = await send(['camera'], {
    storefront: { store: 'GPLAY', country: 'DE', lang: 'en-us' },
  }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'INVALID_PARAMS' });
  expect(((refused as AppError).details as RequestProblems).issues.fieldErrors).toEqual({
    store: [expect.stringMatching(/ITUNES/)],
    country: [expect.stringMatching(/US/)],
  });
  expect(store.searches).toEqual([]);
});

test('a crash between saving a snapshot and updating the keyword market is repaired by the next attempt, with one event', async () => {
  const { send, store, connection, rows, stop, bus } = await startWithApp({ hasBus: true });
  store.setPage('camera', ['9', '1001']);
  const setLatest = jest
    .spyOn(connection.model('KeywordMarket').collection, 'bulkWrite')
    .mockImplementationOnce(() => {
      throw new Error('the process dies here');
    });
  expect(await codeOf(send(['camera']))).toBe('INTERNAL_ERROR');
  setLatest.mockRestore();
  expect(await rows('snapshots')).toHaveLength(1);
  expect((await rows('keyword_markets'))[0]).not.toHaveProperty('latest');
  expect(await rows('tracked_keywords')).toEqual([]);

  store.setPage('camera', ['1001']);
  expect(await send(['camera'])).toMatchObject([{ success: expect.stringMatching(/ranks 2nd of 2/) }]);
  expect(await rows('snapshots')).toHaveLength(1);
  expect(await rows('keyword_markets')).toMatchObject([{ latest: { app_ids: ['9', '1001'] } }]);
  await stop();
  expect(messagesOf(bus.published, 'tracking.snapshot-taken.v1')).toHaveLength(1);
});

test('copies of the service that read a keyword at the same time save and publish one snapshot', async () => {
  const { tracking, appId } = await startWithApp({ hasBus: true });
  const copy = await startTracking({ database: tracking.database, hasBus: true });
  const bobs = await trackApp(copy, 'bob', '2002');
  for (let round = 0; round < 10; round++) {
    const keyword = `keyword ${round}`;
    tracking.store.setPage(keyword, ['1001', '2002']);
    copy.store.setPage(keyword, ['2002', '1001']);
    await Promise.all([
      trackKeywords(tracking, 'ann', appId, [keyword]),
      trackKeywords(copy, 'bob', bobs, [keyword]),
    ]);
  }
  const stored = new Map((await tracking.rows('snapshots')).map((row) => [row.keyword_id, row.app_ids]));
  const markets = await tracking.rows('keyword_markets');
  expect([stored.size, markets.length]).toEqual([10, 10]);
  for (const { _id, latest } of markets) expect(latest.app_ids).toEqual(stored.get(Number(_id)));
  await tracking.stop();
  await copy.stop();
  const taken = [tracking, copy].flatMap(({ bus }) =>
    bus.published.filter(({ topic }) => topic === 'tracking.snapshot-taken.v1'),
  );
  expect(new Set(taken.map(({ id }) => id)).size).toBe(10);
  expect(new Set(taken.map(({ key }) => key)).size).toBe(10);
});

test('pages and listings are read for the caller; two callers share no reading, because one may wait longer', async () => {
  const { store, client, base } = await startWithApp();
  const { search, getListing } = store.answers;
  const readers: string[] = [];
  store.answers.search = (request, call) => {
    readers.push(`${request.term} for ${call.callerId}`);
    return search(request, call);
  };
  store.answers.getListing = (request, call) => {
    readers.push(`${request.app_id} for ${call.callerId}`);
    return getListing(request, call);
  };
  const calling = (callerId: string) => ({ ...callWithin(), callerId });
  const held = holdPage(store, 'habit');
  const tracking = ['ann', 'ben'].map((callerId) =>
    client.trackKeywords({ ...base, keywords: ['habit'] }, calling(callerId)),
  );
  await until(() => store.searches.length === 2);
  held.open();
  await Promise.all(tracking);
  await client.trackApplication({ account_id: 'ann', storefront: us, app_id: '1002' }, calling('ann'));
  expect(readers.sort()).toEqual(['1002 for ann', 'habit for ann', 'habit for ben']);
});
