import { AppError } from '@shelfwise/runtime/errors';
import { callWithin, passDeadline } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { fakeFoundApp, fakePage, fakePlayApp, storeFailed, unprovenPage } from './fake-store-fetch.ts';
import { createMeasuringHarness, type Measuring, play, today, us, week } from './start-measuring.ts';

const start = createMeasuringHarness();

let measuring: Measuring;
let measurer: Measuring['measurer'];
let store: Measuring['store'];
let clock: Measuring['clock'];
let terms: Measuring['terms'];
let termOf: Measuring['termOf'];
let notified: Measuring['notified'];
let appDetails: Measuring['appDetails'];
beforeEach(async () => {
  measuring = await start();
  ({ measurer, store, clock, terms, termOf, notified, appDetails } = measuring);
});
const dayMs = 86_400_000;
const hourMs = 3_600_000;

const playPage = (...appIds: string[]) => appIds.map((appId) => fakePlayApp(appId));

describe('a measurement', () => {
  test('stores the page, the suggestion, the chart share and both scores, with read times and sources', async () => {
    store.setPage('photo editor', [...fakePage('photo editor', 40)]);
    store.suggestions.terms = ['photo', 'photo editor', 'photo editor pro'];
    store.chart.appIds = ['app.photo editor.2', 'app.photo editor.11', 'another'];
    const measured = await measurer.measure(us, 'photo editor', today, callWithin());
    expect(measured).toMatchObject({ isFirst: true, staleSince: null });

    const term = await termOf('photo editor');
    const { reading, ranking, score } = term;
    const origin = { read_at: new Date('2026-03-10T09:00:00Z'), source: 'sample' };
    expect(reading.page).toMatchObject({
      day: '2026-03-10',
      ...origin,
      size: 40,
      details_read_at: origin.read_at,
    });
    expect(reading.page?.apps).toHaveLength(20);
    expect(reading.page?.apps[0]).toEqual({
      app_id: 'app.photo editor.1',
      title: 'Title of app.photo editor.1',
      developer_name: 'Harbour Software',
      icon: 'https://icons.test/app.photo editor.1.png',
      genre: 'Productivity',
      genre_key: '6007',
      rating: 4.5,
      ratings: 1200,
      installs: null,
      updated_at: new Date('2026-02-20T00:00:00Z'),
    });
    expect(reading.suggestion).toMatchObject({
      ...origin,
      match: { kind: 'suggested', prefix: 'p', index: 1, size: 3 },
    });
    expect(reading.chart).toEqual({ ...origin, charted: 1 });
    expect(ranking).toMatchObject({ day: '2026-03-10', ...origin });
    expect(ranking?.app_ids).toHaveLength(40);
    expect(score).toMatchObject({ scoring_version: scoringVersion, scored_at: origin.read_at });
    expect([score?.difficulty, score?.traffic]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(term.is_tracked).toBe(false);
    expect(term.form).toBe('photo editor');
    expect(measured.term.score).toEqual(score);
  });

  test('reads the store for its caller, and shares no measurement with another one, whose calls may wait longer', async () => {
    const callers = ['ann', 'ben', undefined];
    await Promise.all(
      callers.map((callerId) => measurer.measure(us, 'photo editor', today, { ...callWithin(), callerId })),
    );
    const searchedFor = store.calls
      .filter(({ rpc }) => rpc === 'searchApps')
      .map(({ call }) => call.callerId);
    expect(new Set(searchedFor)).toEqual(new Set(callers));
    const all = new Set(store.calls.map(({ call }) => call.callerId));
    expect(all).toEqual(new Set(callers));
  });

  test('scores a page without results as 0', async () => {
    store.setPage('zzqx', []);
    for (const storefront of [us, play]) {
      const { term } = await measurer.measure(storefront, 'zzqx', today, callWithin());
      expect(term.score).toMatchObject({ difficulty: 0, traffic: 0, search_status: 'unsearched' });
      expect(term.reading.chart).toBeNull();
    }
    expect([store.count('getChart'), store.count('getListings')]).toEqual([0, 0]);
  });

  test('requests the page that tracking reads, and says whether a user waits', async () => {
    await measurer.measure(us, 'notes', today, callWithin());
    expect(store.requests.searchApps).toEqual([
      { storefront: us, term: 'notes', limit: 100, for_daily_run: false, complete_rows: 20 },
    ]);
    const caller = callWithin(40_000);
    store.forgetCalls();
    await measurer.measure(play, 'notes', { ...today, isUserWaiting: false }, caller);
    const { searchApps, suggestTerms, getChart, getListings } = store.requests;
    const last = [searchApps, suggestTerms, getChart, getListings].map((requests) => requests.at(-1));
    expect(last).toMatchObject(Array(4).fill({ storefront: play, for_daily_run: true }));
    const latest = caller.deadline.getTime() - 1000;
    expect(store.calls.filter(({ call }) => call.deadline.getTime() > latest)).toEqual([]);
  });
});

describe('fresh readings are not read again', () => {
  test('a second measurement on the same day costs no store call and no write', async () => {
    const first = await measurer.measure(us, 'notes', today, callWithin());
    const before = await termOf('notes');
    store.forgetCalls();
    clock.advance(3_600_000);
    const second = await measurer.measure(us, 'notes', today, callWithin());
    expect(store.count()).toBe(0);
    expect(second).toMatchObject({ isFirst: false, staleSince: null, term: { score: first.term.score } });
    expect(await termOf('notes')).toEqual(before);
    expect(notified).toHaveLength(1);
  });

  test('the next day reads the page and the chart again, but the suggestion only after a week', async () => {
    await measurer.measure(us, 'notes', today, callWithin());
    clock.moveTo('2026-03-11T00:00:00Z');
    store.forgetCalls();
    await measurer.measure(us, 'notes', today, callWithin());
    expect([store.count('searchApps'), store.count('getChart'), store.count('suggestTerms')]).toEqual([
      1, 1, 0,
    ]);
    clock.moveTo('2026-03-17T09:00:00Z');
    store.forgetCalls();
    await measurer.measure(us, 'notes', today, callWithin());
    expect(store.count('suggestTerms')).toBe(1);
    expect((await termOf('notes')).ranking?.day).toBe('2026-03-17');
  });

  test('an audit accepts a page of the last seven days', async () => {
    await measurer.measure(us, 'notes', week, callWithin());
    store.forgetCalls();
    clock.advance(7 * dayMs - 1);
    await measurer.measure(us, 'notes', week, callWithin());
    expect(store.count()).toBe(0);
    clock.advance(1);
    await measurer.measure(us, 'notes', week, callWithin());
    expect(store.count('searchApps')).toBe(1);
  });

  test('the shortest prefix of a long keyword is found with few probes', async () => {
    const keyword = 'budget planner for families with children';
    store.suggestions.terms = [...Array.from({ length: 10 }, (_, i) => `budget p ${i}`), keyword];
    await measurer.measure(us, keyword, today, callWithin());
    expect((await termOf(keyword)).reading.suggestion?.match).toMatchObject({ prefix: 'budget pl' });
    expect(store.count('suggestTerms')).toBeLessThanOrEqual(7);
  });

  test('concurrent callers of one term share one measurement', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => measurer.measure(us, 'notes', today, callWithin())),
    );
    expect(new Set(all.map(({ term }) => term.score?.scored_at)).size).toBe(1);
    expect(store.count('searchApps')).toBe(1);
    expect(notified).toHaveLength(1);
  });

  test('a background measurement does not delay one that a user waits for', async () => {
    let open = () => {};
    const shut = new Promise<void>((resolve) => {
      open = resolve;
    });
    store.hooks.beforeAnswer = (rpc) =>
      rpc === 'searchApps' && store.count('searchApps') === 1 ? shut : Promise.resolve();
    const inTurn = measurer.measure(us, 'notes', { page: 'today', isUserWaiting: false }, callWithin());
    await until(() => store.count('searchApps') === 1);
    await measurer.measure(us, 'notes', today, callWithin());
    expect(store.requests.searchApps.map((request) => request.for_daily_run)).toEqual([true, false]);
    open();
    await inTurn;
  });

  test('a term that is requested while its first measurement is saved keeps its page', async () => {
    const updateOne = terms.model.updateOne.bind(terms.model);
    const requestIt = async () => {
      const requests = [{ keyword: 'notes', importance: 1, isDaily: false } as const];
      await terms.requestMeasuring(us, requests, new Date(clock.now().getTime() + dayMs), clock.now());
    };
    // The first update finds no term; the request creates it before the second one would.
    jest
      .spyOn(terms.model, 'updateOne')
      .mockImplementationOnce(updateOne)
      .mockImplementationOnce(((...update: Parameters<typeof updateOne>) =>
        requestIt().then(() => updateOne(...update))) as never);
    const { term } = await measurer.measure(us, 'notes', week, callWithin());
    expect(await termOf('notes')).toMatchObject({
      request_count: 1,
      revision: 1,
      score: term.score,
      ranking: { day: '2026-03-10', app_ids: term.ranking?.app_ids },
    });
  });

  test('two concurrent measurements that read different parts lose none of them', async () => {
    store.fail('suggestTerms');
    await measurer.measure(us, 'notes', today, callWithin());
    store.recover('suggestTerms');
    store.suggestions.terms = ['notes'];
    clock.moveTo('2026-03-11T09:00:00Z');
    let open = () => {};
    const shut = new Promise<void>((resolve) => {
      open = resolve;
    });
    store.hooks.beforeAnswer = async (rpc) => {
      if (rpc === 'searchApps') await shut;
    };
    const ofToday = measurer.measure(us, 'notes', today, callWithin());
    await until(() => store.count('searchApps') === 2);
    await measurer.measure(us, 'notes', week, callWithin());
    expect((await termOf('notes')).reading).toMatchObject({
      page: { day: '2026-03-10' },
      suggestion: { match: { prefix: 'n' } },
    });
    open();
    const { term } = await ofToday;
    expect((await termOf('notes')).reading).toEqual(term.reading);
    expect(term.reading).toMatchObject({
      page: { day: '2026-03-11' },
      suggestion: { match: { prefix: 'n' } },
    });
  });
});

describe('on Google Play', () => {
  test('details of the first ten apps complete the page with rating counts, installs and dates', async () => {
    store.setPage('notes', playPage(...Array.from({ length: 25 }, (_, index) => `app.${index + 1}`)));
    store.setListing('app.1', { score: 4.2, ratings: 77_000, installs: 5_000_000 });
    store.setListing('app.2', { score: null, ratings: null, installs: null, updated_at: null });
    const { term } = await measurer.measure(play, 'notes', today, callWithin());
    expect(store.requests.getListings.map((request) => request.app_ids)).toEqual([
      Array.from({ length: 10 }, (_, index) => `app.${index + 1}`),
    ]);
    const [first, second, , ...others] = (await termOf('notes', play)).reading.page?.apps ?? [];
    expect(first).toMatchObject({
      genre: 'Productivity',
      genre_key: 'PRODUCTIVITY',
      rating: 4.2,
      ratings: 77_000,
      installs: 5_000_000,
      updated_at: new Date('2026-02-20T00:00:00Z'),
    });
    expect(second).toMatchObject({ rating: 4.5, ratings: 0, installs: null, updated_at: null });
    expect(others.at(-1)).toMatchObject({ genre: null, ratings: null, installs: null });
    expect(term.reading.page?.details_read_at).toEqual(new Date('2026-03-10T09:00:00Z'));
    expect(term.score?.difficulty).toEqual(expect.any(Number));
  });

  test('an app that ranks for two keywords is read once in seven days', async () => {
    store.setPage('notes', playPage('a', 'b', 'c'));
    store.setPage('memo', playPage('b', 'c', 'd'));
    await measurer.measure(play, 'notes', today, callWithin());
    await measurer.measure(play, 'memo', today, callWithin());
    const requested = () => store.requests.getListings.map((request) => request.app_ids);
    expect(requested()).toEqual([['a', 'b', 'c'], ['d']]);
    store.forgetCalls();
    clock.moveTo('2026-03-17T08:00:00Z');
    await measurer.measure(play, 'notes', today, callWithin());
    expect(requested()).toEqual([]);
    clock.moveTo('2026-03-17T09:00:00Z');
    await measurer.measure(play, 'notes', today, callWithin());
    expect(requested()).toEqual([['a', 'b', 'c']]);
  });

  test('the age of the details is that of the oldest app', async () => {
    store.setPage('notes', playPage('a'));
    store.setPage('memo', playPage('a', 'b'));
    await measurer.measure(play, 'notes', today, callWithin());
    clock.advance(2 * dayMs);
    const { term } = await measurer.measure(play, 'memo', today, callWithin());
    expect(term.reading.page?.details_read_at).toEqual(new Date('2026-03-10T09:00:00Z'));
  });

  test('an app that the store does not have counts as read', async () => {
    store.setPage('notes', playPage('a', 'removed'));
    store.setListing('removed', 'APP_NOT_FOUND');
    const { term } = await measurer.measure(play, 'notes', today, callWithin());
    expect(term.reading.page?.apps[1]).toMatchObject({ ratings: null, installs: null, updated_at: null });
    expect(term.score?.difficulty).toEqual(expect.any(Number));
    expect(store.count('getListings')).toBe(1);
  });

  test('without the details of one app there is no score, and only that app is read again', async () => {
    store.setPage('notes', playPage('a', 'b'));
    store.setListing('b', 'STORE_FETCH_FAILED');
    const { term } = await measurer.measure(play, 'notes', today, callWithin());
    expect(term.score).toMatchObject({ difficulty: null, traffic: null, search_status: 'pending' });
    expect(term.reading.page?.details_read_at).toBeNull();
    store.setListing('b', {});
    store.forgetCalls();
    const again = await measurer.measure(play, 'notes', today, callWithin());
    expect(store.requests.getListings.map((request) => request.app_ids)).toEqual([['b']]);
    expect(store.count('searchApps')).toBe(0);
    expect(again.term.score?.traffic).toEqual(expect.any(Number));
  });

  test('details older than a week are used while an app cannot be read', async () => {
    store.setPage('notes', playPage('a', 'b'));
    await measurer.measure(play, 'notes', today, callWithin());
    clock.advance(8 * dayMs);
    store.fail('getListings');
    const { term, staleSince } = await measurer.measure(play, 'notes', today, callWithin());
    expect(staleSince).toEqual(new Date('2026-03-10T09:00:00Z'));
    expect(term.score?.difficulty).toEqual(expect.any(Number));
  });

  test('details that are not read again for a month are deleted', async () => {
    store.setPage('notes', playPage('a', 'b'));
    await measurer.measure(play, 'notes', today, callWithin());
    clock.advance(31 * dayMs);
    store.setPage('memo', playPage('c'));
    await measurer.measure(play, 'memo', today, callWithin());
    const left = await appDetails.model.find({}).lean<{ _id: string }[]>();
    expect(left.map(({ _id }) => _id)).toEqual(['GPLAY:US:en-US:c']);
  });
});

describe('when the store cannot be read', () => {
  test('a page that cannot be read is an error, but the suggestion is stored', async () => {
    store.fail('searchApps');
    store.suggestions.terms = ['notes'];
    const failed = measurer.measure(us, 'notes', week, callWithin());
    await expect(failed).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
    const { reading, score } = await termOf('notes');
    expect(reading).toMatchObject({ page: null, suggestion: { match: { kind: 'suggested' } } });
    expect(score).toMatchObject({ difficulty: null, search_status: 'ungraded' });
    expect(notified).toHaveLength(1);
    store.recover('searchApps');
    store.forgetCalls();
    const { term, isFirst } = await measurer.measure(us, 'notes', week, callWithin());
    expect([store.count('suggestTerms'), isFirst]).toEqual([0, false]);
    expect(term.score?.difficulty).toEqual(expect.any(Number));
  });

  test('an empty page that is not believed yet is an error, and the term is unproven until a page is read', async () => {
    store.fail('searchApps', unprovenPage());
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toMatchObject({
      isUnproven: true,
    });
    expect(await termOf('notes')).toMatchObject({ has_unproven_page: true, score: { difficulty: null } });
    expect((await terms.findAuditTerms(us, ['notes'])).get('notes')).toMatchObject({
      is_unproven: true,
      search_status: 'pending',
    });
    store.recover('searchApps');
    await measurer.measure(us, 'notes', today, callWithin());
    expect(await termOf('notes')).toMatchObject({ has_unproven_page: false });
    expect(notified).toHaveLength(2);
  });

  test('audits learn once that a page is unproven, also when nothing was read', async () => {
    await terms.requestMeasuring(
      us,
      [{ keyword: 'notes', importance: 1, isDaily: false }],
      clock.at,
      clock.at,
    );
    store.fail('suggestTerms');
    store.fail('searchApps', unprovenPage());
    for (let look = 0; look < 2; look++)
      await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toThrow();
    expect(notified).toHaveLength(1);
    expect((await terms.findAuditTerms(us, ['notes'])).get('notes')).toMatchObject({ is_unproven: true });
    expect((await terms.findSummaries(us, ['notes'])).get('notes')?.score).toMatchObject({
      is_unproven: true,
    });
  });

  test('the page of an earlier day stays when that of today is not believed', async () => {
    await measurer.measure(us, 'notes', today, callWithin());
    const before = await termOf('notes');
    clock.advance(dayMs);
    store.fail('searchApps', unprovenPage());
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toMatchObject({
      isUnproven: true,
    });
    const after = await termOf('notes');
    expect([after.reading.page, after.ranking, after.score]).toEqual([
      before.reading.page,
      before.ranking,
      before.score,
    ]);
    expect(store.requests.searchApps.map((request) => request.had_results)).toEqual([undefined, true]);
  });

  test('an empty page of today is read again for a user an hour later, and a page with results replaces it', async () => {
    store.setPage('notes', []);
    await measurer.measure(us, 'notes', today, callWithin());
    clock.advance(hourMs - 1);
    await measurer.measure(us, 'notes', today, callWithin());
    expect(store.count('searchApps')).toBe(1);
    store.setPage('notes', [fakeFoundApp('a')]);
    clock.advance(1);
    await measurer.measure(us, 'notes', { ...today, isUserWaiting: false }, callWithin());
    expect(store.count('searchApps')).toBe(1);
    const { term } = await measurer.measure(us, 'notes', today, callWithin());
    expect(term.reading.page?.size).toBe(1);
    expect((await termOf('notes')).ranking).toMatchObject({ app_ids: ['a'] });
    expect(store.requests.searchApps.at(-1)).toMatchObject({ had_results: false });
  });

  test('nothing is stored when nothing was read', async () => {
    store.fail('searchApps');
    store.fail('suggestTerms');
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toThrow('The store blocks us');
    expect(await terms.find(us, 'notes')).toBeNull();
    expect(notified).toEqual([]);
  });

  test('an older page is used with its age when a page of the week is needed, but never when today’s is', async () => {
    await measurer.measure(us, 'notes', today, callWithin());
    const before = await termOf('notes');
    clock.advance(9 * dayMs);
    store.fail('searchApps');
    store.fail('suggestTerms');
    const { term, staleSince } = await measurer.measure(us, 'notes', week, callWithin());
    expect(staleSince).toEqual(new Date('2026-03-10T09:00:00Z'));
    expect(term.score).toEqual(before.score);
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
    });
    expect((await termOf('notes')).ranking?.day).toBe('2026-03-10');
  });

  test.each([
    ['cannot be read', () => store.fail('suggestTerms')],
    ['are not believed', () => Object.assign(store.suggestions, { isBelieved: false })],
  ])('suggestions that %s are unknown, not 0, and are read again later', async (_, breakIt) => {
    breakIt();
    const { term } = await measurer.measure(us, 'notes', today, callWithin());
    expect(term.reading.suggestion).toBeNull();
    expect(term.score?.traffic_parts?.suggest).toBeNull();
    expect(term.score?.traffic).toEqual(expect.any(Number));
    store.recover('suggestTerms');
    store.suggestions.isBelieved = true;
    store.suggestions.terms = ['notes'];
    store.forgetCalls();
    const again = await measurer.measure(us, 'notes', today, callWithin());
    expect(again.term.reading.suggestion?.match.kind).toBe('suggested');
    expect(store.count('searchApps')).toBe(0);
  });

  test('a chart that cannot be read is unknown, not 0', async () => {
    store.fail('getChart');
    const { term } = await measurer.measure(us, 'notes', today, callWithin());
    expect(term.reading.chart).toBeNull();
    expect(term.score?.traffic_parts?.C).toBeNull();
  });

  test('a page of yesterday is not accepted as one of today', async () => {
    clock.moveTo('2026-03-11T00:00:01Z');
    store.origin.readAt = () => new Date('2026-03-10T23:59:00Z');
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toThrow(
      /page is from 2026-03-10/,
    );
  });

  test('readings of the sample and of a live store are never mixed', async () => {
    await measurer.measure(us, 'notes', today, callWithin());
    store.origin.source = 'app-store';
    await expect(measurer.measure(us, 'memo', today, callWithin())).rejects.toThrow(/sample/);
    expect(await terms.find(us, 'memo')).toBeNull();
  });

  test('a caller is answered before its deadline, whatever the store does', async () => {
    store.hooks.beforeAnswer = () => new Promise(() => {});
    const call = callWithin(700);
    const answer = measurer.measure(us, 'notes', today, call).catch((error: unknown) => error);
    const first = await Promise.race([answer, passDeadline(call)]);
    expect(first).toMatchObject({ code: 'STORE_FETCH_FAILED' });
  });

  test('an internal error does not count as a failure of the store', async () => {
    store.fail('suggestTerms', new AppError('INTERNAL_ERROR', 'broken'));
    await expect(measurer.measure(us, 'notes', today, callWithin())).rejects.toThrow('broken');
    store.fail('suggestTerms', storeFailed());
    await measurer.measure(us, 'notes', today, callWithin());
  });
});

describe('of a store that throttles some calls', () => {
  const minuteMs = 60_000;

  beforeEach(() => {
    store.suggestions.mayThrottle = true;
  });
  const measure = async (keyword = 'notes') =>
    (await measurer.measure(us, keyword, today, callWithin())).term;

  test('an empty list counts as a lower bound at the first look, and is believed at a thorough second one ten minutes later', async () => {
    const first = await measure();
    expect(first.reading).toMatchObject({ suggestion: null, empty_looks: [{ prefix: 'notes' }] });
    expect(first.score).toMatchObject({ is_partial: true, traffic_parts: { suggest: 0 } });
    clock.advance(10 * minuteMs - 1);
    await measure();
    expect(store.requests.suggestTerms).toMatchObject([{ is_thorough: false }]);
    clock.advance(1);
    const second = await measure();
    expect(store.requests.suggestTerms).toMatchObject([{ is_thorough: false }, { is_thorough: true }]);
    expect(second.reading).toMatchObject({ suggestion: { match: { kind: 'absent' } }, empty_looks: [] });
    expect(second.score).toMatchObject({ is_partial: false, traffic: first.score?.traffic });
  });

  test('a second look that finds the suggestions replaces the first and raises the traffic', async () => {
    store.suggestions.terms = ['notes'];
    store.suggestions.throttled.add('notes');
    const first = await measure();
    store.suggestions.throttled.clear();
    clock.advance(10 * minuteMs);
    const { reading, score } = await measure();
    expect(score?.traffic).toBeGreaterThan(first.score?.traffic ?? 100);
    expect(reading).toMatchObject({
      suggestion: { match: { kind: 'suggested', prefix: 'n' } },
      empty_looks: [],
    });
  });

  test('a shorter prefix whose list is empty does not make the found prefix longer', async () => {
    store.suggestions.terms = ['notes'];
    store.suggestions.throttled.add('not');
    expect((await measure()).reading).toMatchObject({ suggestion: null, empty_looks: [{ prefix: 'not' }] });
    store.suggestions.throttled.clear();
    clock.advance(10 * minuteMs);
    expect((await measure()).reading.suggestion?.match).toMatchObject({ kind: 'suggested', prefix: 'n' });
  });

  test('a second look that store-fetch answers from its cache is not a second look', async () => {
    const readAt = clock.now();
    store.origin.readAt = (rpc) => (rpc === 'suggestTerms' ? readAt : clock.now());
    await measure();
    clock.advance(10 * minuteMs);
    expect((await measure()).reading.suggestion).toBeNull();
  });

  test('a complete score stays while the store shows empty lists or none', async () => {
    store.suggestions.terms = ['notes'];
    const { traffic } = (await measure()).score ?? {};
    clock.advance(8 * dayMs);
    store.suggestions.throttled.add('notes');
    for (const isBelieved of [true, false]) {
      store.suggestions.isBelieved = isBelieved;
      const { score } = await measure();
      expect(score).toMatchObject({ traffic, traffic_parts: { suggest: expect.any(Number) } });
    }
  });

  test('a page without results has no traffic until a look at the suggestions, and then 0', async () => {
    store.setPage('zzqx', []);
    store.suggestions.isBelieved = false;
    expect((await measure('zzqx')).score).toMatchObject({
      difficulty: 0,
      traffic: null,
      search_status: 'pending',
    });
    store.suggestions.isBelieved = true;
    clock.advance(10 * minuteMs);
    expect((await measure('zzqx')).score).toMatchObject({
      traffic: 0,
      is_partial: true,
      search_status: 'pending',
    });
    clock.advance(10 * minuteMs);
    expect((await measure('zzqx')).score).toMatchObject({ traffic: 0, search_status: 'unsearched' });
  });

  test('the event of a score says whether it is partial', async () => {
    const { onTracked, runDue, events } = measuring;
    const event = { id: 'event-1', requestId: 'request-2' };
    const row = { account_id: 'ann', keyword_id: 7, app_id: 3, scored_at: null };
    await onTracked({ ...row, storefront: us, keyword: 'notes', at: clock.now() }, event);
    await runDue();
    clock.advance(11 * minuteMs);
    await runDue();
    expect((await events()).map(({ is_partial: isPartial }) => isPartial)).toEqual([true, false]);
  });
});

test('apps after the twentieth are ranked but not stored in full', async () => {
  store.setPage(
    'notes',
    Array.from({ length: 100 }, (_, index) => fakeFoundApp(`${index + 1}`)),
  );
  await measurer.measure(us, 'notes', today, callWithin());
  const { reading, ranking } = await termOf('notes');
  expect([reading.page?.apps.length, reading.page?.size, ranking?.app_ids.length]).toEqual([20, 100, 100]);
});
