import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { ScoreTermsReply, ScoreTermsRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { dayMs } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { callWithin } from '../../../testing/call-within.ts';
import { keiOf } from '../src/domain/keyword/kei.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { scoreTerms } from '../src/handlers/score-terms.ts';
import { fakeFoundApp, fakePlayApp, storeFailed } from './fake-store-fetch.ts';
import { createMeasuringHarness, type Measuring, play, us, week } from './start-measuring.ts';

const start = createMeasuringHarness();

let measuring: Measuring;
beforeEach(async () => {
  measuring = await start();
});
const log = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

type ScoreOptions = {
  storefront?: Storefront;
  known_only?: boolean;
  ms?: number;
  signal?: AbortSignal;
};

/** The outcomes after encoding and decoding. */
async function score(keywords: string[], options: ScoreOptions = {}) {
  const { terms, measurer, clock } = measuring;
  const {
    storefront = us,
    known_only: knownOnly = false,
    ms,
    signal = new AbortController().signal,
  } = options;
  const request = ScoreTermsRequest.encode({ storefront, keywords, known_only: knownOnly }).finish();
  const parts = { terms, measurer, now: clock.now };
  const reply = await scoreTerms(parts, ScoreTermsRequest.decode(request), {
    ...callWithin(ms),
    signal,
    log,
  });
  return ScoreTermsReply.decode(ScoreTermsReply.encode(reply).finish()).outcomes;
}

type Outcomes = Awaited<ReturnType<typeof score>>;

/** How each keyword ended: `scored`, the code of its failure, or null without an outcome. */
function endings(outcomes: Outcomes) {
  return outcomes.map(({ keyword, outcome }) => [
    keyword,
    outcome?.$case === 'failure' ? outcome.value.code : (outcome?.$case ?? null),
  ]);
}

function scoredAt(outcomes: Outcomes, index = 0) {
  const outcome = outcomes[index]?.outcome;
  if (outcome?.$case !== 'scored') throw new Error('it is not scored');
  return outcome.value;
}

/** Awaits `end` before a search for the term is answered, so that a test can fail or block it. */
function breakSearch(term: string, end: () => Promise<void>) {
  const { hooks, requests } = measuring.store;
  hooks.beforeAnswer = async (rpc) => {
    if (rpc === 'searchApps' && requests.searchApps.at(-1)?.term === term) await end();
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `term ${index}`);

describe('measured terms', () => {
  test('are returned in the requested order, each with its scores and the first ten apps of its page', async () => {
    const { store, clock } = measuring;
    store.suggestions.terms = ['photo editor', 'acme'];
    const apps = Array.from({ length: 12 }, (_, index) => fakeFoundApp(`app.${index}`));
    store.setPage('photo editor', apps);
    const acmeApps = [fakeFoundApp('acme', { title: 'Acme Photo', developer_name: 'Acme' }), ...apps];
    store.setPage('acme', acmeApps.slice(0, 5));
    const outcomes = await score(['photo editor', 'acme']);
    expect(outcomes.map(({ keyword }) => keyword)).toEqual(['photo editor', 'acme']);
    const stored = (await measuring.termOf('photo editor')).score;
    const [{ top, ...editor }, acme] = [scoredAt(outcomes, 0), scoredAt(outcomes, 1)];
    expect(editor).toEqual({
      difficulty: stored?.difficulty,
      traffic: stored?.traffic,
      kei: keiOf({
        difficulty: stored?.difficulty ?? 0,
        traffic: stored?.traffic ?? 0,
        results: 12,
        isNavigational: false,
        isSearched: true,
      }).score,
      search_status: 'searched',
      is_navigational: false,
      read_at: clock.at,
      scored_at: stored?.scored_at,
      source: 'sample',
      scoring_version: scoringVersion,
      suggestions_read_at: clock.at,
      is_partial: false,
      is_second_look_due: false,
    });
    expect(top.map((app) => app.app_id)).toEqual(apps.slice(0, 10).map((app) => app.app_id));
    expect(top[0]).toEqual({
      app_id: 'app.0',
      title: 'Title of app.0',
      ratings: 1200,
      genre_key: '6007',
      updated_at: new Date('2026-02-20T00:00:00Z'),
    });
    expect(acme.is_navigational).toBe(true);
  });

  test('have no suggestions_read_at when suggestions could not be read', async () => {
    measuring.store.suggestions.isBelieved = false;
    measuring.store.setPage('photo editor', [fakeFoundApp('app.1', { title: 'Photo Editor' })]);
    const outcomes = await score(['photo editor']);
    expect(scoredAt(outcomes, 0)).toMatchObject({
      suggestions_read_at: null,
      traffic: expect.any(Number),
      is_partial: true,
      is_second_look_due: false,
    });
  });

  test('have no KEI while their difficulty is unknown', async () => {
    measuring.store.suggestions.terms = ['chess'];
    measuring.store.setPage('chess', [fakePlayApp('one')]);
    measuring.store.setListing('one', 'APP_NOT_FOUND');
    const [chess] = await score(['chess'], { storefront: play });
    expect(chess?.outcome?.value).toMatchObject({ traffic: expect.any(Number), difficulty: null, kei: null });
  });

  test('are read with the priority of a waiting user, and not again within a week', async () => {
    const { store, clock } = measuring;
    store.suggestions.terms = ['photo editor'];
    await score(['photo editor']);
    expect(store.requests.searchApps).toMatchObject([{ for_daily_run: false }]);
    store.forgetCalls();
    clock.advance(7 * dayMs - 1);
    await score(['photo editor']);
    expect(store.count()).toBe(0);
    clock.advance(1);
    await score(['photo editor']);
    expect(store.count('searchApps')).toBe(1);
  });

  test('on Google Play have the genres of the apps’ own pages', async () => {
    const apps = ['one', 'two'].map((appId) => fakePlayApp(appId));
    measuring.store.setPage('chess', apps);
    measuring.store.setListing('two', 'APP_NOT_FOUND');
    const { top } = scoredAt(await score(['chess'], { storefront: play }));
    expect(top.map((app) => app.genre_key)).toEqual(['PRODUCTIVITY', null]);
  });

  test('are returned when others fail, each failure with its own reason', async () => {
    const { store } = measuring;
    store.suggestions.terms = ['chess', 'go', 'shogi'];
    breakSearch('go', () => Promise.reject(storeFailed()));
    expect(endings(await score(['chess', 'go', 'shogi']))).toEqual([
      ['chess', 'scored'],
      ['go', 'STORE_FETCH_FAILED'],
      ['shogi', 'scored'],
    ]);
    breakSearch('go', () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'Try again.')));
    const outcomes = await score(['go']);
    expect(outcomes[0]?.outcome?.value).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'Try again.' });
  });

  test('that miss the caller’s deadline are failures, and the others are returned', async () => {
    const { store } = measuring;
    breakSearch('go', () => new Promise(() => {}));
    const { measure } = measuring.measurer;
    const measured: string[] = [];
    jest.spyOn(measuring.measurer, 'measure').mockImplementation(async (storefront, keyword, ...rest) => {
      const outcome = await measure(storefront, keyword, ...rest);
      measured.push(keyword);
      return outcome;
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    try {
      const answer = score(['chess', 'go', 'shogi'], { ms: 35_000 });
      while (measured.length < 2) await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(34_500);
      expect(endings(await answer)).toEqual([
        ['chess', 'scored'],
        ['go', 'STORE_FETCH_FAILED'],
        ['shogi', 'scored'],
      ]);
      store.hooks.beforeAnswer = () => new Promise(() => {});
      store.forgetCalls();
      const late = score(numbered(20), { ms: 35_000 });
      while (store.count('searchApps') < 8) await new Promise((resolve) => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(34_500);
      expect(new Set(endings(await late).map(([, ending]) => ending))).toEqual(
        new Set(['STORE_FETCH_FAILED']),
      );
    } finally {
      jest.useRealTimers();
    }
    // The terms after the first eight were not started.
    expect(store.count('searchApps')).toBe(8);
  });

  test('are given up when the caller disconnects', async () => {
    const { store } = measuring;
    const caller = new AbortController();
    store.hooks.beforeAnswer = async () => caller.abort(new Error('the caller has gone'));
    await expect(score(numbered(20), { signal: caller.signal })).rejects.toThrow('has gone');
    expect(store.count('searchApps')).toBeLessThanOrEqual(8);
  });

  test('keep an older page, with its age, when the store cannot be read', async () => {
    const { store, clock } = measuring;
    store.suggestions.terms = ['chess'];
    await score(['chess']);
    const readAt = clock.at;
    clock.advance(10 * dayMs);
    store.fail('searchApps');
    expect(scoredAt(await score(['chess']))).toMatchObject({
      read_at: readAt,
      search_status: 'searched',
    });
  });

  test('fail as a whole when anything other than the store fails', async () => {
    jest.spyOn(measuring.terms, 'find').mockRejectedValueOnce(new Error('the database is gone'));
    await expect(score(['chess', 'go'])).rejects.toThrow('the database is gone');
  });
});

describe('terms that are only looked up', () => {
  test('have an outcome if they were measured within a week, and no store is read', async () => {
    const { store, clock, measurer } = measuring;
    store.suggestions.terms = ['chess', 'go'];
    await measurer.measure(us, 'go', week, callWithin());
    clock.advance(7 * dayMs - 1);
    await measurer.measure(us, 'chess', week, callWithin());
    store.forgetCalls();
    const look = () => score(['shogi', 'go', 'chess'], { known_only: true });
    expect(endings(await look())).toEqual([
      ['shogi', null],
      ['go', 'scored'],
      ['chess', 'scored'],
    ]);
    clock.advance(1);
    expect(endings(await look())).toEqual([
      ['shogi', null],
      ['go', null],
      ['chess', 'scored'],
    ]);
    expect(store.count()).toBe(0);
  });

  test('have the same outcome as when they are measured', async () => {
    measuring.store.suggestions.terms = ['chess'];
    const measured = await score(['chess']);
    expect(await score(['chess'], { known_only: true })).toEqual(measured);
  });

  test('have no outcome when a part is missing or their scores are of an earlier version', async () => {
    const { store, measurer, terms } = measuring;
    store.suggestions.isBelieved = false;
    await measurer.measure(us, 'unsuggested', week, callWithin());
    store.suggestions.isBelieved = true;
    store.fail('getListings');
    await measurer.measure(play, 'undetailed', week, callWithin());
    await measurer.measure(us, 'outdated', week, callWithin());
    await terms.model.updateOne({ keyword: 'outdated' }, { $set: { 'score.scoring_version': 0 } });
    const until = new Date(measuring.clock.at.getTime() + dayMs);
    const requests = [{ keyword: 'requested', importance: 1 as const, isDaily: false }];
    await terms.requestMeasuring(us, requests, until, measuring.clock.at);
    const keywords = ['unsuggested', 'outdated', 'requested'];
    const outcomes = await score(keywords, { known_only: true });
    expect(endings(outcomes)).toEqual(keywords.map((keyword) => [keyword, null]));
    const onPlay = await score(['undetailed'], { known_only: true, storefront: play });
    expect(endings(onPlay)).toEqual([['undetailed', null]]);
  });

  test('need no suggestions in a storefront that never gives any, but stored ones expire as elsewhere', async () => {
    const { store, clock } = measuring;
    const storefront = { ...us, country: 'KH' };
    store.suggestions.isBelieved = false;
    await score(['unsuggested'], { storefront });
    store.suggestions.isBelieved = true;
    await score(['suggested'], { storefront });
    store.forgetCalls();
    const look = () => score(['unsuggested', 'suggested'], { storefront, known_only: true });
    const outcomes = await look();
    expect(outcomes.map((_, index) => scoredAt(outcomes, index).suggestions_read_at)).toEqual([
      null,
      clock.at,
    ]);
    await measuring.terms.model.updateMany(
      { 'reading.suggestion': { $ne: null } },
      { $set: { 'reading.suggestion.read_at': new Date(clock.at.getTime() - 7 * dayMs) } },
    );
    expect(endings(await look())).toEqual([
      ['unsuggested', 'scored'],
      ['suggested', null],
    ]);
    clock.advance(7 * dayMs);
    expect(endings(await look())).toEqual([
      ['unsuggested', null],
      ['suggested', null],
    ]);
    expect(store.count()).toBe(0);
  });

  test('cost one query for four hundred of them', async () => {
    const find = jest.spyOn(measuring.terms.model, 'find');
    const outcomes = await score(numbered(400), { known_only: true });
    expect([outcomes.length, find.mock.calls.length]).toEqual([400, 1]);
  });
});

test.each([
  ['no keyword', [], false],
  ['21 keywords to measure', numbered(21), false],
  ['401 keywords to look up', numbered(401), true],
  ['a keyword twice', ['chess', 'chess'], false],
  ['a keyword that is not in normal form', ['Chess'], true],
  ['a keyword of one character', ['x'], false],
  ['a keyword of 101 characters', ['x'.repeat(101)], true],
  ['an endless keyword', ['x'.repeat(100_000)], true],
  ['an invisible keyword', ['\u200d\u200d'], false],
])('%s is refused', async (_, keywords, knownOnly) => {
  await expect(score(keywords, { known_only: knownOnly })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  });
  expect(measuring.store.count()).toBe(0);
});

test('an unknown storefront is refused', async () => {
  const parts = { ...measuring, now: measuring.clock.now };
  const call = { ...callWithin(), signal: new AbortController().signal, log };
  const request = { storefront: { ...us, country: 'XX' }, keywords: ['chess'], known_only: true };
  await expect(scoreTerms(parts, request, call)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
