import type { GetRankHistoryReply } from '@shelfwise/proto/tracking/v1/tracking';
import { plansWith } from './harness/plans-with.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const path = '/api/v1/keywords/7/ranks/history';

const reply: GetRankHistoryReply = {
  keyword_id: 7,
  keyword: 'habit tracker',
  store: 'GPLAY',
  country: 'US',
  lang: 'en-US',
  apps: [
    {
      app_id: 42,
      app_title: 'Evernote',
      history: [
        { date: '2026-06-13', rank: 4 },
        { date: '2026-06-15', rank: null },
      ],
    },
  ],
  shallow_snapshots: [],
};

test('there is one rank per day; a day without a rank is null, a day without a snapshot has no row', async () => {
  api.tracking.answer({ getRankHistory: async () => reply });
  const { body } = await api.call('GET', path);
  const { shallow_snapshots: _, ...data } = reply;
  expect(body).toEqual({ data, meta: { from: '2026-05-16', to: '2026-06-15', total_apps: 1 } });
  expect(api.tracking.requests[0]?.request).toEqual({
    account_id: api.accountId,
    keyword_id: 7,
    app_id: null,
    from: '2026-05-16',
    to: '2026-06-15',
  });
});

test('meta contains the resolved window, also when it differs from the request', async () => {
  api.tracking.answer({ getRankHistory: async () => reply });
  const { body } = await api.call('GET', `${path}?from=2030-01-01&to=2020-01-01&app_id=42`);
  expect(body.meta).toMatchObject({ from: '2025-05-12', to: '2026-06-15' });
  expect(api.tracking.requests[0]?.request).toMatchObject({
    app_id: 42,
    from: '2025-05-12',
    to: '2026-06-15',
  });
});

test('meta names the days whose snapshot has fewer than 100 results', async () => {
  const shallow = [{ date: '2026-06-13', depth: 30 }];
  api.tracking.answer({ getRankHistory: async () => ({ ...reply, shallow_snapshots: shallow }) });
  expect((await api.call('GET', path)).body.meta.snapshot_depths).toEqual(shallow);
});

test('on a plan with 7 days of history the default start is moved, and an earlier one is PLAN_LIMIT', async () => {
  const { key } = await api.createKey('week');
  api.tracking.answer({ getRankHistory: async () => reply });
  expect((await api.call('GET', path, { key })).body.meta.from).toBe('2026-06-08');
  expect((await api.call('GET', `${path}?from=2026-06-08`, { key })).status).toBe(200);
  expect(refusalOf(await api.call('GET', `${path}?from=2026-06-07`, { key }))).toBe('403 PLAN_LIMIT');
});

test.each([
  ['to=0000-01-01', 'to must be 1970-01-01 or later'],
  ['from=1969-12-31', 'from must be 1970-01-01 or later'],
  ['to=', 'to must be a date as YYYY-MM-DD'],
])('a window with ?%s is refused in one sentence: %s', async (query, sentence) => {
  const { status, body } = await api.call('GET', `${path}?${query}`);
  expect([status, body.error]).toEqual([400, sentence]);
});

test('the earliest day may be the last day of a window', async () => {
  api.tracking.answer({ getRankHistory: async () => reply });
  expect((await api.call('GET', `${path}?to=1970-01-01`)).body.meta.from).toBe('1969-12-02');
});
