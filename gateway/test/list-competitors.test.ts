import { competitorRelation, listing, shownListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/competitors';
const { id, app, competitor } = competitorRelation;
const relationOf = (id: number, appId: number, competitorAppId: string) => ({
  ...competitorRelation,
  id,
  app: app && { ...app, id: appId },
  competitor: { ...competitor, listing: { ...listing, app_id: competitorAppId } },
});
const visibilityOf = (id: number, score: number | null, competitors: Record<string, number | null>) => ({
  id,
  score,
  competitors: Object.entries(competitors).map(([appId, rival]) => ({ app_id: appId, score: rival })),
  day: score === null ? null : '2026-06-15',
});

test('each relation shows the app, the competitor’s listing, and both visibility scores', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [competitorRelation], total: 1 }) });
  const listings = [visibilityOf(42, 61.8, { '1274495053': 0 })];
  api.scoring.answer({ compareVisibility: async () => ({ listings }) });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: [
      {
        id,
        app: {
          id: 42,
          app_id: '281796108',
          title: 'Evernote',
          icon: 'https://example.com/icon.png',
          store: 'ITUNES',
        },
        competitor: { ...shownListing, id: 43, app_id: '1274495053', title: 'Rival Notes', store: 'ITUNES' },
        app_score: 61.8,
        competitor_score: 0,
        snapshot_date: '2026-06-15',
        rank_date: '2026-06-15',
        stale: false,
      },
    ],
    meta: { total: 1 },
  });
});

test('the scores of all relations are requested in one call, grouped by application', async () => {
  const relations = [relationOf(7, 42, 'b'), relationOf(6, 50, 'a'), relationOf(5, 42, 'a')];
  api.tracking.answer({ listCompetitors: async () => ({ relations, total: 3 }) });
  // In another order than requested: scores are matched by id.
  const listings = [visibilityOf(50, 20, { a: 21 }), visibilityOf(42, 10, { a: 11, b: 12 })];
  api.scoring.answer({ compareVisibility: async () => ({ listings }) });
  const { body } = await api.call('GET', path);
  const scores = body.data.map((row: Record<string, unknown>) => [
    row.id,
    row.app_score,
    row.competitor_score,
  ]);
  expect(scores).toEqual([
    [7, 10, 12],
    [6, 20, 21],
    [5, 10, 11],
  ]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'compareVisibility',
      request: {
        listings: [
          { id: 42, competitor_app_ids: ['b', 'a'] },
          { id: 50, competitor_app_ids: ['a'] },
        ],
      },
    },
  ]);
});

test('a value that the store does not show and a missing score are null', async () => {
  const unknown = { ...listing, app_id: '1274495053', version: null, score: null, ratings: null };
  const relations = [{ id, app, competitor: { ...competitor, listing: unknown } }];
  api.tracking.answer({ listCompetitors: async () => ({ relations, total: 1 }) });
  const listings = [visibilityOf(42, null, { '1274495053': null })];
  api.scoring.answer({ compareVisibility: async () => ({ listings }) });
  const [row] = (await api.call('GET', path)).body.data;
  expect(row).toMatchObject({
    app_score: null,
    competitor_score: null,
    snapshot_date: null,
    rank_date: null,
    stale: true,
    competitor: { version: null, score: null, ratings: null },
  });
});

test('without competitors no scores are requested', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [], total: 0 }) });
  expect((await api.call('GET', path)).body).toEqual({ data: [], meta: { total: 0 } });
  expect(api.scoring.requests).toEqual([]);
});

test('an app or a competitor that was read more than 36 hours ago is stale, and meta says since when', async () => {
  const listings = [visibilityOf(42, 1, { '1274495053': 2 })];
  api.scoring.answer({ compareVisibility: async () => ({ listings }) });
  const hoursAgo = (hours: number) => new Date(api.clock.now().getTime() - hours * 3_600_000);
  for (const [appHours, competitorHours, staleHours] of [
    [1, 35, null],
    [1, 40, 40],
    [50, 40, 50],
  ] as const) {
    const relation = {
      ...competitorRelation,
      app: { ...app, read_at: hoursAgo(appHours) },
      competitor: { ...competitor, read_at: hoursAgo(competitorHours) },
    };
    const since = staleHours === null ? null : hoursAgo(staleHours).toISOString();
    api.tracking.answer({ listCompetitors: async () => ({ relations: [relation], total: 1 }) });
    const stale = since === null ? {} : { warnings: ['stale_store_data'], stale_since: since };
    expect((await api.call('GET', path)).body.meta).toEqual({ total: 1, ...stale });
  }
});

test('a list that omits older rows says so', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [competitorRelation], total: 1001 }) });
  const listings = [visibilityOf(42, 1, { '1274495053': 2 })];
  api.scoring.answer({ compareVisibility: async () => ({ listings }) });
  expect((await api.call('GET', path)).body.meta).toEqual({ total: 1001, has_more: true });
});

test('scores that cannot be read are an error: a null would mean that there are none', async () => {
  api.tracking.answer({ listCompetitors: async () => ({ relations: [competitorRelation], total: 1 }) });
  api.scoring.fail('compareVisibility', 'SERVICE_UNAVAILABLE');
  expect(await api.call('GET', path)).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  api.scoring.answer({ compareVisibility: async () => ({ listings: [visibilityOf(42, 1, {})] }) });
  expect(await api.call('GET', path)).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
});
