import { invalidParams } from '@shelfwise/runtime/errors';
import { plansWith } from './harness/plans-with.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const path = '/api/v1/applications/42/rank-distribution';

const counts = {
  tracked: 9,
  rank_1: 1,
  rank_2_3: 0,
  rank_4_10: 2,
  rank_11_30: 0,
  rank_31_100: 3,
  not_ranked: 1,
  unread: 2,
};
const history = [
  { date: '2026-06-13', ...counts, traffic_share: 0.25 },
  { date: '2026-06-14', ...counts, traffic_share: 0 },
  { date: '2026-06-15', ...counts },
];

beforeEach(() => {
  api.tracking.answer({ getRankDistribution: async () => ({ app_title: 'Evernote', history }) });
});

test('each day has its counts and the share of the traffic; an unknown share is null, a 0 stays 0', async () => {
  const { body } = await api.call('GET', path);
  const [first, second, third] = history;
  expect(body).toEqual({
    data: {
      app_id: 42,
      app_title: 'Evernote',
      history: [first, second, { ...third, traffic_share: null }],
    },
    meta: { from: '2026-05-16', to: '2026-06-15', total: 3 },
  });
  expect(api.tracking.requests.map(({ request }) => request)).toEqual([
    { account_id: api.accountId, app_id: 42, from: '2026-05-16', to: '2026-06-15' },
  ]);
});

test('the window is that of every history, within the days of the plan', async () => {
  await api.call('GET', `${path}?from=2026-06-02&to=2026-06-01`);
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ from: '2026-06-01', to: '2026-06-02' });
  const { key } = await api.createKey('week');
  expect((await api.call('GET', path, { key })).body.meta.from).toBe('2026-06-08');
  expect(refusalOf(await api.call('GET', `${path}?from=2026-06-07`, { key }))).toBe('403 PLAN_LIMIT');
});

test('a window with too many pages is refused, with what to narrow', async () => {
  api.tracking.answer({
    getRankDistribution: async () => {
      throw invalidParams({ from: 'must be later' });
    },
  });
  const answer = await api.call('GET', path);
  expect(refusalOf(answer)).toBe('400 INVALID_PARAMS');
  expect(answer.body.details.issues.fieldErrors).toEqual({ from: ['must be later'] });
});
