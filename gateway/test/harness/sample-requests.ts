const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };

export type SampleRequest = { path: string; body?: unknown };

export type RouteSamples = {
  /** A request that is right in every parameter. */
  good: SampleRequest;
  /** Requests that are wrong, and exactly the fields that are to be named. */
  bad: (SampleRequest & { fields: string[] })[];
};

const badMarkets = (path: string, good: object) => [
  { path, body: { ...good, store: 'itunes' }, fields: ['store'] },
  { path, body: { ...good, store: { $gt: '' } }, fields: ['store'] },
  { path, body: { ...good, country: 'XX' }, fields: ['country'] },
  { path, body: { ...good, country: 'USA' }, fields: ['country'] },
  { path, body: { ...good, store: 'GPLAY', country: 'AF' }, fields: ['country'] },
  { path, body: { ...good, country: 1 }, fields: ['country'] },
  { path, body: { ...good, lang: 'english' }, fields: ['lang'] },
  { path, body: { ...good, lang: 'qq-ZZ' }, fields: ['lang'] },
  { path, body: { ...good, lang: '' }, fields: ['lang'] },
  { path, body: { ...good, lang: 'und' }, fields: ['lang'] },
  { path, body: { ...good, lang: 'und-US' }, fields: ['lang'] },
  { path, body: { ...good, lang: ['en'] }, fields: ['lang'] },
  { path, body: { ...good, surprise: 1 }, fields: ['surprise'] },
  {
    path,
    body: JSON.parse(`{"__proto__": {"x": 1}, ${JSON.stringify(good).slice(1)}`),
    fields: ['__proto__'],
  },
  { path, body: { ...good, constructor: 1 }, fields: ['constructor'] },
];

const badIds = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'abc',
  '9007199254740993',
  '99999999999999999999',
  '%20',
  '%00',
];

const badIdPaths = (path: (id: string) => string, field: string) =>
  badIds.map((id) => ({ path: path(id), fields: [field] }));

const badFilters = (path: string) => [
  ...badIds.map((id) => ({ path: `${path}?app_id=${id}`, fields: ['app_id'] })),
  { path: `${path}?app_id=`, fields: ['app_id'] },
  { path: `${path}?app_id=1&app_id=2`, fields: ['app_id'] },
  { path: `${path}?app_id[$gt]=`, fields: ['app_id'] },
  { path: `${path}?${'a&'.repeat(2000)}app_id=x`, fields: ['app_id'] },
];

const application = { app_id: '281796108', ...market };
const keywords = { keywords: ['habit tracker'], app_id: 42, ...market };
const keywordPath = '/api/v1/keywords';

/** For every endpoint, by its operationId. */
export const sampleRequests: Readonly<Record<string, RouteSamples>> = {
  getAccountUsage: { good: { path: '/api/v1/account/usage' }, bad: [] },
  listApplications: { good: { path: '/api/v1/applications' }, bad: badFilters('/api/v1/applications') },
  trackApplication: {
    good: { path: '/api/v1/applications', body: application },
    bad: [
      { path: '/api/v1/applications', body: {}, fields: ['app_id', 'store', 'country', 'lang'] },
      { path: '/api/v1/applications', body: { ...application, app_id: 281796108 }, fields: ['app_id'] },
      { path: '/api/v1/applications', body: { ...application, app_id: '' }, fields: ['app_id'] },
      { path: '/api/v1/applications', body: { ...application, app_id: 'a'.repeat(256) }, fields: ['app_id'] },
      { path: '/api/v1/applications', body: { ...application, app_id: 'a b' }, fields: ['app_id'] },
      { path: '/api/v1/applications', body: { ...application, app_id: { $gt: '' } }, fields: ['app_id'] },
      {
        path: '/api/v1/applications',
        body: { app_id: 1, store: 'x', country: 'XX', lang: 'x', extra: 1 },
        fields: ['app_id', 'store', 'country', 'lang', 'extra'],
      },
      {
        path: '/api/v1/applications',
        body: { app_id: '', store: 'GPLAY', country: 'AF', lang: 'en' },
        fields: ['app_id', 'country'],
      },
      ...badMarkets('/api/v1/applications', application),
    ],
  },
  untrackApplication: {
    good: { path: '/api/v1/applications/42' },
    bad: badIdPaths((id) => `/api/v1/applications/${id}`, 'id'),
  },
  listKeywords: {
    good: { path: keywordPath },
    bad: [
      ...badFilters(keywordPath),
      ...['0', '-1', 'x', '1000001', ''].map((page) => ({
        path: `${keywordPath}?page=${page}`,
        fields: ['page'],
      })),
      ...['0', '1001', 'x'].map((rows) => ({
        path: `${keywordPath}?per_page=${rows}`,
        fields: ['per_page'],
      })),
      ...['1', 'yes', 'TRUE', ''].map((flag) => ({
        path: `${keywordPath}?favorites=${flag}`,
        fields: ['favorites'],
      })),
      { path: `${keywordPath}?favorites=true&favorites=true`, fields: ['favorites'] },
      {
        path: `${keywordPath}?app_id=x&page=0&per_page=0&favorites=2`,
        fields: ['app_id', 'favorites', 'page', 'per_page'],
      },
    ],
  },
  trackKeywords: {
    good: { path: keywordPath, body: keywords },
    bad: [
      { path: keywordPath, body: {}, fields: ['keywords', 'app_id', 'store', 'country', 'lang'] },
      ...[
        [],
        Array.from({ length: 21 }, (_, index) => `keyword ${index}`),
        'habit tracker',
        ['a'],
        ['a'.repeat(101)],
        ['😀'],
        ['  a  '],
        [''],
        ['ok', 5],
        [{ $gt: '' }],
        ['a\u0000b'],
        ['broken \ud800'],
        ['broken \ufffd'],
        null,
      ].map((list) => ({
        path: keywordPath,
        body: { ...keywords, keywords: list },
        fields: ['keywords'],
      })),
      ...[0, -1, 1.5, '42', 9007199254740992, 1e300, null, { $gt: '' }, [42]].map((id) => ({
        path: keywordPath,
        body: { ...keywords, app_id: id },
        fields: ['app_id'],
      })),
      ...badMarkets(keywordPath, keywords),
    ],
  },
  untrackKeyword: {
    good: { path: `${keywordPath}/7/apps/42` },
    bad: [
      ...badIdPaths((id) => `${keywordPath}/${id}/apps/42`, 'id'),
      ...badIdPaths((id) => `${keywordPath}/7/apps/${id}`, 'app_id'),
      { path: `${keywordPath}/x/apps/y`, fields: ['id', 'app_id'] },
    ],
  },
  setKeywordFavorite: {
    good: { path: `${keywordPath}/7/apps/42/favorite`, body: { is_favorite: true } },
    bad: [
      ...badIdPaths((id) => `${keywordPath}/${id}/apps/42/favorite`, 'id').map((bad) => ({
        ...bad,
        body: { is_favorite: true },
      })),
      ...[undefined, 'true', 1, null, { $gt: '' }].map((flag) => ({
        path: `${keywordPath}/7/apps/42/favorite`,
        body: { is_favorite: flag },
        fields: ['is_favorite'],
      })),
      {
        path: `${keywordPath}/x/apps/y/favorite`,
        body: { favorite: true },
        fields: ['id', 'app_id', 'is_favorite', 'favorite'],
      },
    ],
  },
  getRankHistory: {
    good: { path: `${keywordPath}/7/ranks/history` },
    bad: [
      ...badIdPaths((id) => `${keywordPath}/${id}/ranks/history`, 'id'),
      ...badFilters(`${keywordPath}/7/ranks/history`),
      ...[
        '0000-01-01',
        '0001-01-01',
        '1969-12-31',
        '2026-02-30',
        '2026-1-1',
        'yesterday',
        '',
        '20260101',
        '2026-01-01T00:00:00Z',
      ].flatMap((date) => [
        { path: `${keywordPath}/7/ranks/history?from=${date}`, fields: ['from'] },
        { path: `${keywordPath}/7/ranks/history?to=${date}`, fields: ['to'] },
      ]),
      { path: `${keywordPath}/x/ranks/history?from=1&to=2`, fields: ['id', 'from', 'to'] },
    ],
  },
};
