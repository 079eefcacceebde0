import type { ListRankHistoriesReply } from '@shelfwise/proto/tracking/v1/tracking';
import { plansWith } from './harness/plans-with.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const path = '/api/v1/applications/42/ranks/history';

const own = { app_id: '281796108', title: 'Evernote', is_own: true };
const reply: ListRankHistoriesReply = {
  keywords: [
    {
      keyword_id: 7,
      keyword: 'notes',
      apps: [
        { ...own, history: [{ date: '2026-06-14' }, { date: '2026-06-15', rank: 3 }] },
        { app_id: '9', is_own: false, history: [{ date: '2026-06-14', rank: 1 }, { date: '2026-06-15' }] },
      ],
      least_depth: 30,
    },
    { keyword_id: 8, keyword: 'planner', apps: [{ ...own, history: [] }] },
  ],
  total: 5,
};

beforeEach(() => {
  api.tracking.answer({ listRankHistories: async () => reply });
});

test('each keyword has its apps with their days; what is not ranked is null', async () => {
  const { body } = await api.call('GET', `${path}?per_page=2`);
  expect(body).toEqual({
    data: {
      app_id: 42,
      keywords: [
        {
          keyword_id: 7,
          keyword: 'notes',
          apps: [
            {
              ...own,
              history: [
                { date: '2026-06-14', rank: null },
                { date: '2026-06-15', rank: 3 },
              ],
            },
            {
              app_id: '9',
              title: null,
              is_own: false,
              history: [
                { date: '2026-06-14', rank: 1 },
                { date: '2026-06-15', rank: null },
              ],
            },
          ],
        },
        { keyword_id: 8, keyword: 'planner', apps: [{ ...own, history: [] }] },
      ],
    },
    meta: {
      from: '2026-05-16',
      to: '2026-06-15',
      total: 5,
      page: 1,
      per_page: 2,
      total_pages: 3,
      has_more: true,
      snapshot_depths: [{ keyword_id: 7, depth: 30 }],
    },
  });
});

test('snapshot_depths is absent when every snapshot is full', async () => {
  const full = reply.keywords.map((keyword) => ({ ...keyword, least_depth: 100 }));
  api.tracking.answer({ listRankHistories: async () => ({ ...reply, keywords: full }) });
  expect((await api.call('GET', path)).body.meta).not.toHaveProperty('snapshot_depths');
});

test('without parameters the first 100 keywords of the list are read, without competitors', async () => {
  await api.call('GET', path);
  const asked = { account_id: api.accountId, app_id: 42, from: '2026-05-16', to: '2026-06-15' };
  const first = { keyword_ids: [], page: 1, per_page: 100, competitors: false };
  expect(api.tracking.requests.at(-1)?.request).toEqual({ ...asked, ...first });
  await api.call('GET', `${path}?keyword_ids=9,7,9&competitors=true&page=2&per_page=1`);
  const named = { keyword_ids: [9, 7], page: 2, per_page: 1, competitors: true };
  expect(api.tracking.requests.at(-1)?.request).toEqual({ ...asked, ...named });
});

test('up to 100 ids are accepted, and nothing else between commas', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join();
  expect((await api.call('GET', `${path}?keyword_ids=${ids(100)}`)).status).toBe(200);
  for (const wrong of [ids(101), '', '1,', ',1', '1,,2', '1, 2', '0', '1,x', '-1', '1.5', '1;2']) {
    const { status, body } = await api.call('GET', `${path}?keyword_ids=${encodeURIComponent(wrong)}`);
    expect([wrong, status, body.error]).toEqual([
      wrong,
      400,
      'keyword_ids must be 1 to 100 ids, separated by commas',
    ]);
  }
});

test('the CSV has one row per keyword, app and day', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  expect(body).toBe(
    [
      'keyword_id,keyword,app_id,title,is_own,date,rank',
      '7,notes,281796108,Evernote,true,2026-06-14,',
      '7,notes,281796108,Evernote,true,2026-06-15,3',
      '7,notes,9,,false,2026-06-14,1',
      '7,notes,9,,false,2026-06-15,',
      '',
    ].join('\r\n'),
  );
});

test('the window is within the days of the plan', async () => {
  const { key } = await api.createKey('week');
  expect((await api.call('GET', path, { key })).body.meta.from).toBe('2026-06-08');
  expect(refusalOf(await api.call('GET', `${path}?from=2026-06-07`, { key }))).toBe('403 PLAN_LIMIT');
});
