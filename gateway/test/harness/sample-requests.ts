const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };

export type SampleRequest = { path: string; body?: unknown };

export type RouteSamples = {
  /** A valid request. */
  good: SampleRequest;
  /** Invalid requests, each with exactly the fields that the answer must name. */
  bad: (SampleRequest & { fields: string[] })[];
};

const badStorefronts = (path: string, good: object) => [
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
  '9007199254740992',
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

const badPages = (path: string, maxPerPage: number) => [
  ...['0', '-1', 'x', '1.5', '1000001', ''].map((page) => ({
    path: `${path}?page=${page}`,
    fields: ['page'],
  })),
  ...['0', '-1', 'x', '', `${maxPerPage + 1}`].map((rows) => ({
    path: `${path}?per_page=${rows}`,
    fields: ['per_page'],
  })),
  { path: `${path}?page=1&page=2`, fields: ['page'] },
  { path: `${path}?per_page[$gt]=1`, fields: ['per_page'] },
  { path: `${path}?page=0&per_page=x`, fields: ['page', 'per_page'] },
];

const badFlags = (path: string, field: string) => [
  ...['1', 'yes', 'TRUE', ''].map((flag) => ({ path: `${path}?${field}=${flag}`, fields: [field] })),
  { path: `${path}?${field}=true&${field}=true`, fields: [field] },
];

const badDates = (path: string) =>
  [
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
    { path: `${path}?from=${date}`, fields: ['from'] },
    { path: `${path}?to=${date}`, fields: ['to'] },
  ]);

/** Invalid values of an internal id in a body. */
const badIdValues = [0, -1, 1.5, '42', 9007199254740992, 1e300, null, { $gt: '' }, [42]];

const badDrafts = (path: string, good: object) =>
  ['title', 'subtitle', 'description', 'kw_field'].flatMap((field) =>
    [5, null, true, ['x'], { $gt: '' }, 'x'.repeat(20_001)].map((text) => ({
      path,
      body: { ...good, [field]: text },
      fields: [field],
    })),
  );

const badContexts = [
  { rating: 5.1 },
  { rating: -0.1 },
  { rating: '4' },
  { rating_count: -1 },
  { rating_count: 1.5 },
  { rating_count: 1e10 + 1 },
  { rating_count: null },
  { screenshots: 101 },
  { screenshots: -1 },
  { screenshots: null },
  { days_since_update: 3651 },
  { days_since_update: 0.5 },
  { days_since_update: null },
  { age_months: 601 },
  { age_months: -1 },
  { has_video: 'true' },
  { has_video: null },
  { language_count: 0 },
  { language_count: 501 },
  { language_count: null },
  { installs: 5 },
  JSON.parse('{"__proto__": 1}'),
  [],
  'rating',
  5,
  null,
];

const queryOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Texts of two invisible characters. */
const unseen = ['\u200b\u200d', '\u2060\u2060', '\ufeff\u200b\u200b'];

/** One valid path of a search with a text and a storefront, and one path per way in which the two can be wrong. */
const badSearches = (path: string, field: string, good: Record<string, string>, texts: readonly string[]) => {
  const searching = (fields: Record<string, string>) => `${path}?${queryOf(fields)}`;
  const right = searching(good);
  return [
    { path, fields: [field, 'store', 'country', 'lang'] },
    ...texts.map((text) => ({ path: searching({ ...good, [field]: text }), fields: [field] })),
    // Bytes that are not UTF-8.
    { path: `${path}?${queryOf(storefront)}&${field}=habit%ff`, fields: [field] },
    { path: `${right}&${field}=planner`, fields: [field] },
    { path: `${right}&${field}[$gt]=`, fields: [field] },
    { path: `${path}?${queryOf(storefront)}&${field}[]=habit`, fields: [field] },
    { path: searching({ ...good, store: 'itunes' }), fields: ['store'] },
    { path: searching({ ...good, country: 'XX' }), fields: ['country'] },
    { path: searching({ ...good, store: 'GPLAY', country: 'AF' }), fields: ['country'] },
    { path: searching({ ...good, lang: 'english' }), fields: ['lang'] },
    { path: `${right}&lang=de`, fields: ['lang'] },
    {
      path: searching({ [field]: '', store: 'x', country: 'XX', lang: 'und' }),
      fields: [field, 'store', 'country', 'lang'],
    },
  ];
};

const application = { app_id: '281796108', ...storefront };
const keywords = { keywords: ['habit tracker'], app_id: 42, ...storefront };
const applicationPath = '/api/v1/applications/42';
const keywordPath = '/api/v1/keywords';
const checkPath = '/api/v1/metadata/check';
const simulatePath = '/api/v1/metadata/simulate';
const scratch = { ...storefront, title: 'Habitember' };
const inspection = { keyword: 'habit tracker', ...storefront };
const inspectPath = `${keywordPath}/inspect`;
const competitorPath = '/api/v1/competitors';
const competitor = { app_id: 42, competitor_app_id: '9048598736', ...storefront };
const autocompletePath = '/api/v1/autocomplete';
const nichePath = '/api/v1/niches';
const chartPath = '/api/v1/top-charts';
const charting = (fields: Record<string, string>) =>
  `${chartPath}?${queryOf({ store: 'ITUNES', country: 'US', ...fields })}`;

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
      ...badStorefronts('/api/v1/applications', application),
    ],
  },
  untrackApplication: {
    good: { path: '/api/v1/applications/42' },
    bad: badIdPaths((id) => `/api/v1/applications/${id}`, 'id'),
  },
  getScoreHistory: {
    good: { path: `${applicationPath}/scores/history` },
    bad: [
      ...badIdPaths((id) => `/api/v1/applications/${id}/scores/history`, 'id'),
      ...badDates(`${applicationPath}/scores/history`),
      { path: '/api/v1/applications/x/scores/history?from=1&to=2', fields: ['id', 'from', 'to'] },
    ],
  },
  getAsoHealth: {
    good: { path: `${applicationPath}/aso-health` },
    bad: [
      ...badIdPaths((id) => `/api/v1/applications/${id}/aso-health`, 'id'),
      ...badFlags(`${applicationPath}/aso-health`, 'include_words'),
    ],
  },
  checkMetadata: {
    good: { path: checkPath, body: { store: 'ITUNES', title: 'Habitember' } },
    bad: [
      { path: checkPath, body: { title: 'Habitember' }, fields: ['store'] },
      ...['itunes', 'UNSPECIFIED', 1, null, ['ITUNES'], { $gt: '' }].map((store) => ({
        path: checkPath,
        body: { store, title: 'Habitember' },
        fields: ['store'],
      })),
      ...badDrafts(checkPath, { store: 'GPLAY' }),
      {
        path: checkPath,
        body: { store: 'x', title: 1, country: 'US', constructor: 1 },
        fields: ['store', 'title', 'country', 'constructor'],
      },
    ],
  },
  simulateMetadata: {
    good: { path: simulatePath, body: scratch },
    bad: [
      { path: simulatePath, body: { title: 'Habitember' }, fields: ['store', 'country', 'lang'] },
      { path: simulatePath, body: { title: 'Habitember', store: 'ITUNES' }, fields: ['country', 'lang'] },
      ...badStorefronts(simulatePath, scratch),
      ...badStorefronts(simulatePath, { ...scratch, app_id: 42 }),
      ...badIdValues.map((id) => ({
        path: simulatePath,
        body: { app_id: id, title: 'Habitember' },
        fields: ['app_id'],
      })),
      ...badDrafts(simulatePath, { app_id: 42 }),
      ...['title', 'subtitle', 'description', 'kw_field'].flatMap((field) =>
        ['a\0b', 'a\ud83db', '\udc00', 'lost \ufffd'].map((text) => ({
          path: simulatePath,
          body: { app_id: 42, [field]: text },
          fields: [field],
        })),
      ),
      ...badContexts.map((context) => ({
        path: simulatePath,
        body: { app_id: 42, context },
        fields: ['context'],
      })),
      {
        path: simulatePath,
        body: { store: 'x', country: 'XX', title: 1, context: { rating: 6 }, extra: 1 },
        fields: ['store', 'country', 'lang', 'title', 'context', 'extra'],
      },
    ],
  },
  listSimulations: {
    good: { path: `${simulatePath}/history` },
    bad: [
      ...badPages(`${simulatePath}/history`, 200),
      { path: `${simulatePath}/history?search=${'x'.repeat(201)}`, fields: ['search'] },
      { path: `${simulatePath}/history?search=a&search=b`, fields: ['search'] },
      { path: `${simulatePath}/history?search[$regex]=.`, fields: ['search'] },
    ],
  },
  getSimulation: {
    good: { path: `${simulatePath}/history/12` },
    bad: badIdPaths((id) => `${simulatePath}/history/${id}`, 'id'),
  },
  listKeywords: {
    good: { path: keywordPath },
    bad: [
      ...badFilters(keywordPath),
      ...badPages(keywordPath, 1000),
      ...badFlags(keywordPath, 'favorites'),
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
      ...badIdValues.map((id) => ({
        path: keywordPath,
        body: { ...keywords, app_id: id },
        fields: ['app_id'],
      })),
      ...badStorefronts(keywordPath, keywords),
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
      ...badDates(`${keywordPath}/7/ranks/history`),
      { path: `${keywordPath}/x/ranks/history?from=1&to=2`, fields: ['id', 'from', 'to'] },
    ],
  },
  inspectKeyword: {
    good: { path: `${inspectPath}?${queryOf(inspection)}` },
    bad: badSearches(inspectPath, 'keyword', inspection, [
      ...['a', 'a'.repeat(101), ' a ', '', 'a\u0000b', '\u{1f600}', ...unseen],
    ]),
  },
  listInspections: {
    good: { path: `${inspectPath}/history` },
    bad: badPages(`${inspectPath}/history`, 200),
  },
  trackCompetitor: {
    good: { path: competitorPath, body: competitor },
    bad: [
      {
        path: competitorPath,
        body: {},
        fields: ['app_id', 'competitor_app_id', 'store', 'country', 'lang'],
      },
      ...badIdValues.map((id) => ({
        path: competitorPath,
        body: { ...competitor, app_id: id },
        fields: ['app_id'],
      })),
      ...[9048598736, '', 'a'.repeat(256), 'a b', { $gt: '' }, null].map((id) => ({
        path: competitorPath,
        body: { ...competitor, competitor_app_id: id },
        fields: ['competitor_app_id'],
      })),
      ...badStorefronts(competitorPath, competitor),
    ],
  },
  untrackCompetitor: {
    good: { path: `${competitorPath}/5` },
    bad: badIdPaths((id) => `${competitorPath}/${id}`, 'id'),
  },
  listCompetitors: { good: { path: competitorPath }, bad: badFilters(competitorPath) },
  runAutocomplete: {
    good: { path: `${autocompletePath}?${queryOf({ prefix: 'habit', ...storefront })}` },
    bad: badSearches(autocompletePath, 'prefix', { prefix: 'habit', ...storefront }, [
      ...['', ' ', 'a'.repeat(61), 'a\u0000b', ...unseen, '\u200b'],
    ]),
  },
  listAutocompletes: {
    good: { path: `${autocompletePath}/history` },
    bad: badPages(`${autocompletePath}/history`, 200),
  },
  analyzeNiche: {
    good: { path: `${nichePath}?${queryOf({ topic: 'habit tracker', ...storefront })}` },
    bad: badSearches(nichePath, 'topic', { topic: 'habit tracker', ...storefront }, [
      ...['a', 'a'.repeat(101), ' a ', '', 'a\u0000b', '\u{1f600}', ...unseen],
    ]),
  },
  listNiches: {
    good: { path: `${nichePath}/history` },
    bad: badPages(`${nichePath}/history`, 200),
  },
  getTopChart: {
    good: { path: charting({}) },
    bad: [
      { path: chartPath, fields: ['store', 'country'] },
      { path: charting({ store: 'itunes' }), fields: ['store'] },
      { path: charting({ country: 'XX' }), fields: ['country'] },
      { path: charting({ store: 'GPLAY', country: 'AF' }), fields: ['country'] },
      ...[
        '',
        ' ',
        'a b',
        'a'.repeat(65),
        '$gt',
        'OVERALL\n',
        'é',
        'overall',
        'NOPE',
        'PRODUCTIVITY',
        '1',
      ].map((category) => ({ path: charting({ category }), fields: ['category'] })),
      { path: charting({ store: 'GPLAY', category: '6007' }), fields: ['category'] },
      { path: charting({ country: 'XX', category: 'NOPE' }), fields: ['country', 'category'] },
      ...['', 'FREE', 'new', '1'].map((collection) => ({
        path: charting({ collection }),
        fields: ['collection'],
      })),
      ...['0', '-1', '201', 'x', '1.5', ''].map((limit) => ({
        path: charting({ limit }),
        fields: ['limit'],
      })),
      { path: `${charting({})}&limit=1&limit=2`, fields: ['limit'] },
      { path: `${charting({})}&category[$gt]=`, fields: ['category'] },
      {
        path: charting({ store: 'x', country: 'XX', category: '', collection: 'x', limit: '0' }),
        fields: ['store', 'country', 'category', 'collection', 'limit'],
      },
    ],
  },
  listChartCategories: {
    good: { path: `${chartPath}/categories` },
    bad: [
      ...['itunes', '', 'BOTH'].map((store) => ({
        path: `${chartPath}/categories?store=${store}`,
        fields: ['store'],
      })),
      { path: `${chartPath}/categories?store=ITUNES&store=GPLAY`, fields: ['store'] },
      { path: `${chartPath}/categories?store[$gt]=`, fields: ['store'] },
    ],
  },
};
