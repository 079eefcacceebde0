import { storefront } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const search = (fields: Record<string, string> = {}) =>
  api.call('GET', `/api/v1/apps/search?${new URLSearchParams({ term: 'notes', ...storefront, ...fields })}`);

const complete = {
  app_id: '281796108',
  title: 'Evernote',
  icon: 'https://example.com/icon.png',
  developer_name: 'Evernote Corp.',
  ratings: 0,
};
const reading = { read_at: new Date('2026-06-15T12:00:00Z'), source: 'sample' };
const apps = [
  { ...complete, genre: 'Productivity', score: 4.5, updated_at: null },
  { app_id: '9', updated_at: null },
];

beforeEach(() => {
  api.storeFetch.answer({ searchApps: async () => ({ reading, apps }) });
  api.tracking.answer({ findTrackedApps: async () => ({ app_ids: ['9'] }) });
});

test('the apps come in the store’s order, with whether the account tracks them; what is unknown is null', async () => {
  expect((await search({ country: 'us', lang: 'EN-us', term: ' Notes ' })).body).toEqual({
    data: [
      { ...complete, is_tracked: false },
      { app_id: '9', title: null, icon: null, developer_name: null, ratings: null, is_tracked: true },
    ],
    meta: { total: 2 },
  });
  expect(api.storeFetch.requests.map(({ request }) => request)).toMatchObject([
    { storefront, term: 'notes', limit: 20, for_daily_run: false },
  ]);
  expect(api.tracking.requests.map(({ request }) => request)).toEqual([
    { account_id: api.accountId, storefront, app_ids: ['281796108', '9'] },
  ]);
});

test('a page without apps is an answer, not an error', async () => {
  api.storeFetch.answer({ searchApps: async () => ({ reading, apps: [] }) });
  api.tracking.answer({ findTrackedApps: async () => ({ app_ids: [] }) });
  expect((await search()).body).toEqual({ data: [], meta: { total: 0 } });
});

test('a store that cannot be read is 502, and nothing is asked of tracking', async () => {
  api.storeFetch.fail('searchApps', 'STORE_FETCH_FAILED');
  expect(refusalOf(await search())).toBe('502 STORE_FETCH_FAILED');
  expect(api.tracking.requests).toEqual([]);
});
