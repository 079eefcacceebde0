import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/rules';

beforeEach(() => {
  api.notify.answer({
    listAlertRules: async () => ({
      rules: [
        {
          id: 1,
          kind: 'RANK_DROP',
          threshold: 5,
          keywords: { which: 'FAVORITES', ids: [] },
          is_enabled: true,
          created_at: new Date('2026-06-15T10:00:00Z'),
          channel_ids: [3, 4],
        },
        {
          id: 2,
          kind: 'OVERTAKEN',
          app_id: 42,
          keywords: { which: 'SOME', ids: [7, 8] },
          is_enabled: false,
          created_at: new Date('2026-06-15T10:00:00Z'),
          channel_ids: [],
        },
      ],
      total: 5,
    }),
  });
});

test('rules are listed in pages', async () => {
  const { body } = await api.call('GET', `${path}?page=2&per_page=2`);
  expect(body).toMatchObject({
    data: [
      { id: 1, app_id: null, kind: 'rank_drop', threshold: 5, keywords: 'favorites', channels: [3, 4] },
      { id: 2, app_id: 42, kind: 'overtaken', threshold: null, keywords: [7, 8], is_enabled: false },
    ],
    meta: { total: 5, page: 2, total_pages: 3, has_more: true },
  });
  expect(api.notify.requests.at(-1)?.request).toEqual({ account_id: api.accountId, page: 2, per_page: 2 });
});

test('as CSV, a row is a rule, and keyword ids are one cell', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const at = '2026-06-15T10:00:00.000Z';
  expect(body).toBe(
    `id,app_id,kind,threshold,is_enabled,created_at,keywords,channels\r\n1,,rank_drop,5,true,${at},favorites,3 4\r\n2,42,overtaken,,false,${at},7 8,""\r\n`,
  );
});
