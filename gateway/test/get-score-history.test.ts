import { plansWith } from './harness/plans-with.ts';
import { trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const path = '/api/v1/applications/42/scores/history';

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.scoring.answer({ getScoreHistory: async () => ({ history: [] }) });
});

const shownGrounds = { basket_version: 3, terms: 40, carried_terms: 2 };
const grounds = { ...shownGrounds, scoring_version: 1, ranked: 12 };

test('visibility and rating count are daily; an unread value is null, a 0 stays 0', async () => {
  const history = [
    { date: '2026-06-12', score: 41.7, reason: null, previous_basket_score: 44, ratings: 73210 },
    { date: '2026-06-13', score: null, reason: 'too_little_read', previous_basket_score: null, ratings: 0 },
    { date: '2026-06-14', score: 0, reason: null, previous_basket_score: null, ratings: null },
  ];
  api.scoring.answer({
    getScoreHistory: async () => ({ history: history.map((day) => ({ ...day, ...grounds })) }),
  });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: { app_id: 42, app_title: 'Evernote', history: history.map((day) => ({ ...day, ...shownGrounds })) },
    meta: { from: '2026-05-16', to: '2026-06-15', total: 3 },
  });
  expect(api.tracking.requests).toMatchObject([
    { method: 'getTrackedListing', request: { account_id: api.accountId, id: 42 } },
  ]);
  expect(api.scoring.requests).toMatchObject([
    { method: 'getScoreHistory', request: { app_id: 42, from: '2026-05-16', to: '2026-06-15' } },
  ]);
});

test('on a plan with 7 days of history the default start is moved, and an earlier one is PLAN_LIMIT', async () => {
  const { key } = await api.createKey('week');
  expect((await api.call('GET', path, { key })).body.meta.from).toBe('2026-06-08');
  expect(refusalOf(await api.call('GET', `${path}?from=2026-06-07`, { key }))).toBe('403 PLAN_LIMIT');
});

test('an application that the account does not track is 404, and its history is not read', async () => {
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  const answer = await api.call('GET', path);
  expect(answer).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});
