import type { Response } from 'express';
import { createGate } from '../../testing/gate.ts';
import { until } from '../../testing/until.ts';
import type { CallAsSession, SessionAnswer } from '../src/dashboard/call-as-session.ts';
import { getAccountUsage } from '../src/routes/get-account-usage.ts';
import { getAsoHealth } from '../src/routes/get-aso-health.ts';
import { getRankHistory } from '../src/routes/get-rank-history.ts';
import { openBrowser } from './harness/browser.ts';
import { answerEverything } from './harness/fake-answers.ts';
import { plansWith } from './harness/plans-with.ts';
import { storefront } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

/** What the page of these tests answers. */
let answerPage: (callAsSession: CallAsSession, response: Response) => Promise<unknown>;

const api = useGateway({
  plans: plansWith({ three: { api_requests_per_month: 3 }, once: { autocomplete_queries_per_month: 1 } }),
  dashboard: {
    publicUrl: undefined,
    createPages: ({ callAsSession }) => ({
      pages: [
        { path: '/sign-in', isPublic: true, answer: (_, response) => void response.send('sign in') },
        {
          path: '/page',
          isPublic: false,
          answer: async (_, response) => void response.json(await answerPage(callAsSession, response)),
        },
      ],
      sendProblem: (response, message) => void response.send(message),
    }),
  },
});

async function signIn(plan = 'unlimited') {
  const { key, id } = await api.createKey(plan);
  const browser = openBrowser(api);
  expect((await browser.signInByKey(key)).status).toBe(200);
  return { browser, key, id };
}

const rankHistory = {
  keyword_id: 7,
  keyword: 'habit tracker',
  store: 'GPLAY' as const,
  country: 'US',
  lang: 'en-US',
  apps: [],
  shallow_snapshots: [],
};
const autocomplete = `/autocomplete?${new URLSearchParams({ prefix: 'habit', ...storefront })}`;
const usageOf = (id: string) => api.connection.collection('usage').findOne({ account_id: id });

beforeEach(() => {
  answerEverything(api.services);
  api.tracking.answer({
    listApplications: async () => ({ applications: [], total: 0 }),
    getRankHistory: async () => rankHistory,
  });
});

describe('the API for the pages', () => {
  test.each([
    ['a list', 'GET', '/applications', undefined],
    ['usage', 'GET', '/account/usage', undefined],
    ['an unknown parameter', 'GET', '/applications?sort=x', undefined],
    ['a wrong parameter', 'GET', '/applications?app_id=x', undefined],
    ['a body that is wrong', 'POST', '/applications', { app_id: 1 }],
    ['a call that spends', 'GET', autocomplete, undefined],
    ['an unknown path', 'GET', '/nowhere', undefined],
    ['a wrong method', 'PUT', '/applications', {}],
  ])('answers %s as the API does', async (_, method, path, body) => {
    const { browser, key } = await signIn();
    const request = body === undefined ? {} : { body };
    const asKey = await api.call(method, `/api/v1${path}`, { key, ...request });
    const asSession = await browser.send(method, `/api${path}`, request);
    // The second call of a day finds what the first has spent.
    const withoutCounts = ({ status, body: answer }: typeof asKey) =>
      JSON.stringify([status, answer]).replace(/"(api_requests|autocomplete_queries)":\d+/g, '');
    expect(withoutCounts(asSession)).toBe(withoutCounts(asKey));
  });

  test('answers CSV, too', async () => {
    const { browser } = await signIn();
    const answer = await browser.send('GET', '/api/applications', { headers: { accept: 'text/csv' } });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  test('is for plans without API access, within their depth of history and caps', async () => {
    const { browser, key, id } = await signIn('free');
    expect(refusalOf(await api.call('GET', '/api/v1/account/usage', { key }))).toBe('403 PLAN_REQUIRED');
    const usage = await browser.send('GET', '/api/account/usage');
    expect(usage.body.data).toMatchObject({ plan: 'free', limits: { apps: 1, keywords: 25 } });
    const history = await browser.send('GET', '/api/keywords/7/ranks/history');
    expect(history.body.meta).toMatchObject({ from: '2026-06-08' });
    expect(refusalOf(await browser.send('GET', '/api/keywords/7/ranks/history?from=2026-05-01'))).toBe(
      '403 PLAN_LIMIT',
    );
    expect(await usageOf(id)).toBeNull();
  });

  test('spends the quota and the caps of the account, together with its key', async () => {
    const { browser, key, id } = await signIn('three');
    for (let call = 0; call < 2; call++)
      expect((await browser.send('GET', `/api${autocomplete}`)).status).toBe(200);
    expect((await api.call('GET', `/api/v1${autocomplete}`, { key })).status).toBe(200);
    expect(refusalOf(await browser.send('GET', `/api${autocomplete}`))).toBe('429 QUOTA_EXCEEDED');
    expect(await usageOf(id)).toMatchObject({ api_requests: 3, autocomplete_queries: 3 });

    const capped = await signIn('once');
    expect((await capped.browser.send('GET', `/api${autocomplete}`)).status).toBe(200);
    expect(refusalOf(await capped.browser.send('GET', `/api${autocomplete}`))).toBe('403 PLAN_LIMIT');
    expect(await usageOf(capped.id)).toMatchObject({ api_requests: 1, autocomplete_queries: 1 });
  });

  test('a call that fails is refunded', async () => {
    const { browser, id } = await signIn('three');
    api.storeFetch.fail('runAutocomplete', 'STORE_FETCH_FAILED');
    expect(refusalOf(await browser.send('GET', `/api${autocomplete}`))).toBe('502 STORE_FETCH_FAILED');
    expect(await usageOf(id)).toMatchObject({ api_requests: 0 });
  });

  test('all sessions of an account make 10 calls a second, and leave the windows of its key as they are', async () => {
    const { browser, key } = await signIn();
    const other = openBrowser(api);
    await other.signInByKey(key);
    api.clock.advance(1000);
    const now = { withoutPause: true };
    for (let call = 0; call < 10; call++)
      expect((await (call % 2 ? browser : other).send('GET', '/api/applications', now)).status).toBe(200);
    const refused = await browser.send('GET', '/api/applications', now);
    expect(refusalOf(refused)).toBe('429 RATE_LIMITED');
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10');
    expect(refused.headers.get('retry-after')).toBe('1');
    for (let call = 0; call < 5; call++)
      expect((await api.call('GET', '/api/v1/applications', { key, ...now })).status).toBe(200);
    expect(
      (await api.call('GET', '/api/v1/applications', { key, ...now })).headers.get('x-ratelimit-limit'),
    ).toBe('5');
    const stranger = await signIn();
    expect((await stranger.browser.send('GET', '/api/applications')).status).toBe(200);
  });

  test('they make 300 calls a minute', async () => {
    const { browser } = await signIn();
    api.clock.advance(60_000);
    for (let call = 0; call < 300; call++) {
      expect((await browser.send('GET', '/sessions', { withoutPause: true })).status).toBe(200);
      api.clock.advance(110);
    }
    const refused = await browser.send('GET', '/api/applications', { withoutPause: true });
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '300']);
    expect(refused.headers.get('retry-after')).toBe('27'); // 60 s - 300 * 0.11 s;
  });

  test('20 calls of the sessions may be in flight; those of the key have their own slots', async () => {
    const { browser, key } = await signIn();
    const gate = createGate();
    let waiting = 0;
    api.tracking.answer({
      async listApplications() {
        waiting++;
        await gate.opened;
        return { applications: [], total: 0 };
      },
    });
    const calls = [];
    for (let call = 0; call < 20; call++) {
      calls.push(browser.send('GET', '/api/applications'));
      await until(() => waiting === call + 1);
    }
    expect(refusalOf(await browser.send('GET', '/api/applications'))).toBe('503 SERVICE_UNAVAILABLE');
    const ofKey = api.call('GET', '/api/v1/applications', { key });
    await until(() => waiting === 21);
    gate.open();
    for (const call of [...calls, ofKey]) expect((await call).status).toBe(200);
  });

  test('/api/v1 and /mcp never accept the cookie, nor the dashboard a key', async () => {
    const { browser, key } = await signIn();
    const headers = { cookie: browser.cookie };
    expect(refusalOf(await api.call('GET', '/api/v1/applications', { key: null, headers }))).toBe(
      '401 MISSING_API_KEY',
    );
    const secret = browser.cookie.split('=')[1] ?? '';
    expect(refusalOf(await api.call('GET', '/api/v1/applications', { key: secret }))).toBe(
      '401 INVALID_API_KEY',
    );
    expect(refusalOf(await api.call('GET', '/dashboard/api/applications', { key }))).toBe(
      '401 SESSION_REQUIRED',
    );
  });

  test.each([
    ['a form', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }],
    [
      'a script',
      { 'sec-fetch-site': 'cross-site', 'x-shelfwise-page': '1', origin: 'https://evil.example.com' },
    ],
    ['a link', { 'sec-fetch-site': 'cross-site' }],
    ['an old browser', { origin: 'http://evil.example.com' }],
  ])('%s of another site changes nothing and spends nothing', async (_, headers) => {
    const { browser, id } = await signIn();
    for (const [method, path] of [
      ['POST', '/api/applications'],
      ['DELETE', '/api/applications/1'],
      ['PUT', '/api/applications/1/keywords-field'],
      ['GET', `/api${autocomplete}`],
    ] as const)
      expect(refusalOf(await browser.sendAs(headers, method, path))).toBe('403 FOREIGN_PAGE');
    expect(api.requests()).toEqual([]);
    expect(await usageOf(id)).toBeNull();
  });
});

test('a page on plain HTTP may spend: its reads have neither an Origin nor Sec-Fetch-Site', async () => {
  const { browser, id } = await signIn();
  const headers = { 'x-shelfwise-page': '1' };
  expect((await browser.sendAs(headers, 'GET', `/api${autocomplete}`)).status).toBe(200);
  expect(await usageOf(id)).toMatchObject({ api_requests: 1 });
  expect(refusalOf(await browser.sendAs({}, 'GET', `/api${autocomplete}`))).toBe('403 FOREIGN_PAGE');
});

describe('a page', () => {
  test('is answered to a session; another browser is led to the sign-in', async () => {
    answerPage = async () => ({ shown: true });
    const { browser } = await signIn();
    expect((await browser.sendAs({}, 'GET', '/page')).body).toEqual({ shown: true });
    const stranger = await openBrowser(api).sendAs({ 'sec-fetch-site': 'cross-site' }, 'GET', '/page');
    expect([stranger.status, stranger.headers.get('location')]).toEqual([302, '/dashboard/sign-in']);
    expect((await openBrowser(api).sendAs({}, 'GET', '/sign-in')).body).toBe('sign in');
  });

  test('shows what the calls of the API answer, within the plan', async () => {
    const { browser, key } = await signIn('free');
    answerPage = async (callAsSession, response) => {
      const call = callAsSession(response);
      return [await call(getAccountUsage), await call(getRankHistory, { params: { id: '7' } })];
    };
    const { body } = await browser.send('GET', '/page');
    expect(body[0].data).toMatchObject({ plan: 'free', usage: { apps: 1 } });
    expect(body[1].meta).toMatchObject({ from: '2026-06-08' });
    expect(key).toMatch(/^sw_live_/);
  });

  test('shows why a call was refused or has failed, and its other parts', async () => {
    const { browser } = await signIn();
    api.tracking.fail('getRankHistory', 'NOT_FOUND', 'There is no such keyword.');
    answerPage = async (callAsSession, response) => {
      const call = callAsSession(response);
      const answers: SessionAnswer<unknown>[] = [
        await call(getRankHistory, { params: { id: 'x' } }),
        await call(getRankHistory, { params: { id: '7' } }),
        await call(getAccountUsage),
      ];
      return answers.map((answer) => ('failure' in answer ? answer.failure.code : 'data'));
    };
    const { body } = await browser.send('GET', '/page');
    expect(body).toEqual(['INVALID_PARAMS', 'NOT_FOUND', 'data']);
  });

  test('spends no request, and counts once in the windows of the sessions, whatever its calls', async () => {
    const { browser, id } = await signIn('three');
    api.scoring.answer({
      getAsoHealth: async () => ({ report: null, timeline: [], is_pending: true, is_partial: false }),
    });
    answerPage = async (callAsSession, response) => {
      const call = callAsSession(response);
      const sent = { params: { id: '1' } };
      const answers = [await call(getAsoHealth, sent), await call(getAsoHealth, sent)];
      return answers.some((answer) => 'failure' in answer) ? 'failed' : 'shown';
    };
    api.clock.advance(1000);
    const now = { withoutPause: true };
    for (let pages = 0; pages < 10; pages++)
      expect((await browser.send('GET', '/page', now)).body).toBe('shown');
    expect((await browser.send('GET', '/page', now)).status).toBe(429);
    expect((await usageOf(id))?.api_requests ?? 0).toBe(0);
  });
});
