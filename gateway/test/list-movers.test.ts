import { type ListMoversReply, Mover_Status as Status } from '@shelfwise/proto/tracking/v1/tracking';
import { plansWith } from './harness/plans-with.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({
    none: { historical_data_days: 0 },
    week: { historical_data_days: 7 },
    years: { historical_data_days: 900 },
  }),
});
const path = '/api/v1/applications/42/movers';

const days = { from_date: '2026-06-08', to_date: '2026-06-15', from_depth: 100, to_depth: 100 };
const reply: ListMoversReply = {
  movers: [
    { ...days, keyword_id: 7, keyword: 'notes', rank_now: 3, status: Status.ENTERED },
    { ...days, keyword_id: 8, keyword: 'planner', rank_before: 9, rank_now: 4, delta: 5, status: Status.UP },
    { ...days, keyword_id: 9, keyword: 'diary', rank_before: 99, status: Status.LEFT, to_depth: 30 },
  ],
  totals: { up: 1, down: 0, same: 58, entered: 1, left: 1 },
  unread: 2,
};

test('a row has both days and both ranks; what is not ranked is null', async () => {
  api.tracking.answer({ listMovers: async () => reply });
  const { body } = await api.call('GET', path);
  const dates = { from_date: '2026-06-08', to_date: '2026-06-15', rank_date: '2026-06-15', stale: false };
  expect(body.data).toEqual([
    {
      ...dates,
      keyword_id: 7,
      keyword: 'notes',
      rank_before: null,
      rank_now: 3,
      delta: null,
      status: 'entered',
    },
    { ...dates, keyword_id: 8, keyword: 'planner', rank_before: 9, rank_now: 4, delta: 5, status: 'up' },
    {
      ...dates,
      keyword_id: 9,
      keyword: 'diary',
      rank_before: 99,
      rank_now: null,
      delta: null,
      status: 'left',
    },
  ]);
});

test('meta has the page, the totals per status, what is not listed, and the snapshots with few results', async () => {
  api.tracking.answer({ listMovers: async () => reply });
  const { body } = await api.call('GET', `${path}?page=2&per_page=3`);
  expect(body.meta).toEqual({
    total: 61,
    page: 2,
    per_page: 3,
    total_pages: 21,
    has_more: true,
    up: 1,
    down: 0,
    same: 58,
    entered: 1,
    left: 1,
    unread: 2,
    snapshot_depths: [{ keyword_id: 9, date: '2026-06-15', depth: 30 }],
  });
  expect(api.tracking.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    app_id: 42,
    days: 7,
    oldest_day: '2025-05-11',
    page: 2,
    per_page: 3,
    top: null,
  });
});

test('snapshot_depths is absent when every snapshot is full', async () => {
  api.tracking.answer({ listMovers: async () => ({ ...reply, movers: reply.movers.slice(0, 2) }) });
  expect((await api.call('GET', path)).body.meta).not.toHaveProperty('snapshot_depths');
});

test('the days are 1, 7 or 30', async () => {
  api.tracking.answer({ listMovers: async () => reply });
  for (const valid of ['1', '7', '30']) {
    expect((await api.call('GET', `${path}?days=${valid}`)).status).toBe(200);
    expect(api.tracking.requests.at(-1)?.request).toMatchObject({ days: Number(valid) });
  }
  for (const invalid of ['2', '0', '', 'week', '7.0', '0x7', '1e0', '%207']) {
    const { status, body } = await api.call('GET', `${path}?days=${invalid}`);
    expect([status, body.error]).toEqual([400, 'days must be 1, 7 or 30']);
  }
});

test('days beyond the history of the plan are PLAN_LIMIT; the earlier snapshot is within it', async () => {
  api.tracking.answer({ listMovers: async () => reply });
  const { key } = await api.createKey('week');
  expect(await api.call('GET', `${path}?days=30`, { key })).toMatchObject({
    status: 403,
    body: { code: 'PLAN_LIMIT', error: 'Your plan includes 7 days of history. Request fewer days.' },
  });
  const without = await api.call('GET', path, { key: (await api.createKey('none')).key });
  expect([without.status, without.body.code, without.body.error]).toEqual([
    403,
    'PLAN_LIMIT',
    'Your plan includes no history, so there is nothing to compare with.',
  ]);
  expect((await api.call('GET', `${path}?days=7`, { key })).status).toBe(200);
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ days: 7, oldest_day: '2026-06-08' });
  await api.call('GET', path, { key: (await api.createKey('years')).key });
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ oldest_day: '2025-05-11' });
});

test('a reply with an unknown status is an internal error, never a wrong row', async () => {
  api.tracking.answer({
    listMovers: async () => ({
      ...reply,
      movers: [{ ...days, keyword_id: 7, keyword: 'notes', status: Status.UNSPECIFIED }],
    }),
  });
  expect((await api.call('GET', path)).status).toBe(500);
});
