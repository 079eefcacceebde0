import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, listAll, type Tracking, us } from './start-tracking.ts';

const { startTracking, startOnce } = createHarness({ hasBus: false });

type Rpc = keyof Tracking['client'];
type Client = Record<string, (request: object) => Promise<unknown>>;

const ann = { account_id: 'ann' };
const app = { ...ann, app_id: 1 };
const keyword = { ...app, keyword_id: 1 };
const window = { from: '2026-03-01', to: '2026-03-31' };
const noDays = ['2026-02-30', '10.3.2026', '', '2026-3-1'];

/** What breaks a rule of one field; unknown apps and keywords are found out later. */
type Bad = readonly [field: string, change: object];
const badAccount = (text = ''): Bad => ['account_id', { account_id: text }];
const badId = (field: string, id = 0): Bad => [field, { [field]: id }];
const badStorefront: readonly Bad[] = [
  ['store', { storefront: null }],
  ['store', { storefront: { ...us, store: 'UNSPECIFIED' } }],
  ['store', { storefront: { ...us, store: 'UNRECOGNIZED' } }],
  ['country', { storefront: { ...us, country: 'XX' } }],
  ['lang', { storefront: { ...us, lang: '{"$gt": ""}' } }],
];
const byDelta = { order: { field: 'DELTA', descending: false } };

/** A request that is correct in itself, and changes of it that are not. */
const requests: readonly (readonly [rpc: Rpc, request: object, bad: readonly Bad[]])[] = [
  [
    'findTrackedApps',
    { ...ann, storefront: us, app_ids: ['1001'] },
    [
      badAccount(),
      ...badStorefront,
      ['app_ids', { app_ids: [''] }],
      ['app_ids', { app_ids: ['a'.repeat(256)] }],
      ['app_ids', { app_ids: Array.from({ length: 21 }, (_, index) => `${index}`) }],
    ],
  ],
  ['getKeyword', { ...ann, keyword_id: 1 }, [badAccount(), badId('keyword_id')]],
  [
    'getRankHistory',
    { ...ann, keyword_id: 1, ...window },
    [
      ...noDays.flatMap((day): Bad[] => [
        ['from', { from: day }],
        ['to', { to: day }],
      ]),
      ['from', { from: '2026-04-01' }],
      ['from', { from: '2025-02-24' }],
      badId('keyword_id'),
      badId('app_id'),
    ],
  ],
  [
    'getRankDistribution',
    { ...app, ...window },
    [
      badAccount(),
      badId('app_id'),
      ['from', { from: '' }],
      ['from', { from: '2026-04-01' }],
      ['from', { from: '2025-02-24' }],
      ['to', { to: '2026-02-30' }],
    ],
  ],
  ['getTotals', ann, [badAccount()]],
  ['getTrackedListing', { ...ann, id: 1 }, [badAccount(), badId('id')]],
  ['listApplications', ann, [badAccount('a'.repeat(65)), badId('app_id')]],
  ['listCompetitors', ann, [badAccount('a'.repeat(65)), badId('app_id')]],
  [
    'listKeywordTracking',
    { ...ann, storefront: us, keyword: 'camera' },
    [
      badAccount(),
      ...badStorefront,
      ['keyword', { keyword: ' ' }],
      ['keyword', { keyword: 'k'.repeat(2001) }],
    ],
  ],
  [
    'listKeywords',
    { ...listAll, oldest_day: '2026-01-01' },
    [
      badAccount(),
      badId('app_id'),
      badId('page'),
      badId('page', 1_000_001),
      badId('per_page'),
      badId('per_page', 1001),
      ['order', { order: { field: 'UNSPECIFIED', descending: false } }],
      ['search', { search: '' }],
      ['search', { search: 'x'.repeat(401) }],
      badId('min_traffic', -1),
      badId('min_traffic', 101),
      badId('max_difficulty', 101),
      ['oldest_day', { ...byDelta, oldest_day: 'today' }],
      ['oldest_day', { ...byDelta, oldest_day: null }],
    ],
  ],
  [
    'listRankHistories',
    { ...app, ...window, keyword_ids: [], page: 1, per_page: 100, competitors: false },
    [
      badAccount(),
      badId('app_id'),
      ['keyword_ids', { keyword_ids: [0] }],
      ['keyword_ids', { keyword_ids: Array.from({ length: 101 }, (_, index) => index + 1) }],
      badId('page'),
      badId('per_page', 101),
      ['from', { from: '2025-02-24' }],
      ['to', { to: '' }],
    ],
  ],
  [
    'listRankMatrix',
    { ...listAll, app_id: 1, oldest_day: '2026-01-01', days: 7, competitor_ids: [] },
    [
      badAccount(),
      badId('app_id'),
      badId('page'),
      badId('per_page', 1001),
      badId('days'),
      badId('days', 401),
      ['oldest_day', { oldest_day: 'today' }],
      ['competitor_ids', { competitor_ids: [0] }],
      ['competitor_ids', { competitor_ids: [1, 2, 3, 4, 5, 6] }],
      ['search', { search: '' }],
    ],
  ],
  [
    'listChanges',
    { ...app, ...window, competitors: false, page: 1, per_page: 50, oldest_day: '2025-02-05', effects: true },
    [
      ['oldest_day', { oldest_day: 'today' }],
      badAccount(),
      badId('app_id'),
      badId('page'),
      badId('per_page', 51),
      ['from', { from: '2025-02-24' }],
      ['to', { to: '' }],
    ],
  ],
  [
    'addNote',
    { ...app, date: '2026-01-31', text: 'Ads' },
    [
      badAccount(),
      badId('app_id'),
      ['date', { date: '2026-02-30' }],
      ['text', { text: '' }],
      ['text', { text: 'x'.repeat(1001) }],
    ],
  ],
  [
    'listNotes',
    { ...app, page: 1, per_page: 50 },
    [badAccount(), badId('app_id'), badId('page'), badId('per_page', 1001)],
  ],
  ['removeNote', { ...app, id: 1 }, [badAccount(), badId('app_id'), badId('id')]],
  [
    'listMovers',
    { ...app, days: 7, oldest_day: '2025-02-05', page: 1, per_page: 50 },
    [
      badId('days'),
      badId('days', 401),
      ['oldest_day', { oldest_day: '' }],
      ['oldest_day', { oldest_day: '2026-02-30' }],
      badId('page'),
      badId('per_page', 201),
    ],
  ],
  ['setKeywordFavorite', { ...keyword, is_favorite: true }, [badId('keyword_id', -1), badId('app_id', -1)]],
  [
    'trackApplication',
    { ...ann, storefront: us, app_id: '1001' },
    [
      badAccount(),
      ...badStorefront,
      ['app_id', { app_id: '' }],
      ['app_id', { app_id: 'a'.repeat(256) }],
      badId('max_apps', -1),
    ],
  ],
  [
    'trackCompetitor',
    { ...app, storefront: us, competitor_app_id: '2002' },
    [
      badAccount(),
      ...badStorefront,
      badId('app_id'),
      ['competitor_app_id', { competitor_app_id: '' }],
      ['competitor_app_id', { competitor_app_id: 'a'.repeat(256) }],
      badId('max_competitors', -1),
    ],
  ],
  [
    'trackKeywords',
    { ...app, storefront: us, keywords: ['camera'] },
    [
      ['keywords', { keywords: [] }],
      ['keywords', { keywords: Array.from({ length: 21 }, (_, index) => `keyword ${index}`) }],
      ['keywords', { keywords: ['k'.repeat(1001)] }],
      badId('app_id'),
      ...badStorefront,
      badId('max_keywords', -1),
    ],
  ],
  ['untrackApplication', { ...ann, id: 1 }, [badId('id'), badId('id', -1)]],
  ['untrackCompetitor', { ...ann, id: 1 }, [badAccount(), badId('id')]],
  ['untrackKeyword', keyword, [badAccount(), badId('keyword_id'), badId('app_id')]],
];

const started = startOnce(startTracking);
const call = (rpc: Rpc, request: object) => (started().client as unknown as Client)[rpc]?.(request);

test.each(
  requests.flatMap(([rpc, request, bad]) =>
    bad.map(([field, change]) => [rpc, field, change, request] as const),
  ),
)(
  '%s with a bad %s is refused, naming the field, and reads nothing: %j',
  async (rpc, field, change, request) => {
    const { store } = started();
    const before = [[...store.lookups], [...store.searches]];
    await expect(call(rpc, { ...request, ...change })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(field),
      details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
    });
    expect([store.lookups, store.searches]).toEqual(before);
  },
);

test.each(requests)('%s without a bad field is not refused for its fields', async (rpc, request) => {
  expect(await codeOf(call(rpc, request) as Promise<unknown>)).not.toBe('INVALID_PARAMS');
});
