import { categories } from '@shelfwise/facts/stores/categories';
import { stores } from '@shelfwise/facts/stores/store';
import { topChartReply } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const read = (fields: Record<string, string> = {}) =>
  api.call('GET', `/api/v1/top-charts?${new URLSearchParams({ store: 'ITUNES', country: 'US', ...fields })}`);

beforeEach(() => api.chart.answer({ getTopChart: async () => topChartReply }));

test('a chart shows its rows by rank, its day and the time of the reading', async () => {
  const { body } = await read();
  expect(body).toEqual({
    data: {
      store: 'ITUNES',
      country: 'US',
      category: 'OVERALL',
      collection: 'free',
      snapshot_date: '2026-06-15',
      total_count: 100,
      rows: topChartReply.rows.map((row) => ({
        ...row,
        apple_id: row.ios_id,
        rank_date: '2026-06-15',
        stale: false,
      })),
    },
    meta: { total: 100, read_at: '2026-06-15T09:30:00.000Z' },
  });
});

test('the mark of a CSV changes nothing in JSON', async () => {
  expect((await read({ bom: 'true' })).body).toEqual((await read()).body);
});

test('the default is the overall chart of free apps with 100 rows', async () => {
  await read({ country: 'us' });
  expect(api.chart.requests).toMatchObject([
    {
      method: 'getTopChart',
      request: { store: 'ITUNES', country: 'US', category: 'OVERALL', collection: 'FREE', limit: 100 },
    },
  ]);
});

test.each([
  ['paid', 'PAID'],
  ['grossing', 'GROSSING'],
])(
  'category, limit and the collection %s reach the service and are in the answer',
  async (collection, message) => {
    const { body } = await read({ category: '6007', collection, limit: '200' });
    expect(body.data).toMatchObject({ category: '6007', collection });
    const request = { category: '6007', collection: message, limit: 200 };
    expect(api.chart.requests).toMatchObject([{ request }]);
  },
);

test('a value that the store does not show is null; an app of Google Play has no numeric id; a price of 0 stays 0', async () => {
  const unknown = { ios_id: null, rating: null, price: null, currency: null };
  const rows = [
    { ...topChartReply.rows[0], ...unknown, app_id: 'com.example', delta: 0, is_new: true },
    { ...topChartReply.rows[0], rank: 2, price: 0 },
  ] as typeof topChartReply.rows;
  api.chart.answer({ getTopChart: async () => ({ ...topChartReply, rows }) });
  const { data } = (await read({ store: 'GPLAY', category: 'PRODUCTIVITY' })).body;
  expect(data.rows[0]).toMatchObject({
    ...unknown,
    apple_id: null,
    app_id: 'com.example',
    delta: 0,
    is_new: true,
  });
  expect(data.rows[1].price).toBe(0);
});

test.each([
  ['', 'ITUNES'],
  ['NOPE', 'ITUNES'],
  ['PRODUCTIVITY', 'ITUNES'],
  ['6007', 'GPLAY'],
])(
  'the category "%s", which %s does not have, is 400 and the message says where to find the list',
  async (category, store) => {
    const { status, body } = await read({ category, store });
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
    const problem = 'must be OVERALL or a category of the store, see GET /api/v1/top-charts/categories';
    expect(body.details.issues.fieldErrors).toEqual({ category: [problem] });
    expect(api.requests()).toEqual([]);
  },
);

test('every category of the stores is accepted', async () => {
  for (const store of stores)
    for (const { key } of categories[store])
      expect([key, (await read({ store, category: key })).status]).toEqual([key, 200]);
});
