import { createHarness, us } from './start-niche.ts';

const { startNiche } = createHarness();

test('a row summarizes the analysis', async () => {
  const { analyze, list, clock } = await startNiche();
  const { analysis } = await analyze();
  expect(await list()).toEqual({
    total: 1,
    niches: [
      {
        id: 1,
        topic: 'habit tracker',
        storefront: us,
        created_at: clock.at,
        analyzed_at: analysis?.analyzed_at,
        clusters_count: analysis?.clusters.length,
        keywords_count: analysis?.total_keywords,
        top_opportunity_score: analysis?.clusters[0]?.opportunity_score,
      },
    ],
  });
});

test('an account that requests the same analysis again keeps one row, dated by its first request', async () => {
  const { analyze, find, list, clock } = await startNiche();
  await analyze();
  const firstAt = clock.at;
  clock.advance(60_000);
  await Promise.all([analyze(), find(), analyze()]);
  expect((await list()).niches).toMatchObject([{ created_at: firstAt }]);
});

test('rows are newest first, and pages never overlap', async () => {
  const { analyze, list, clock } = await startNiche();
  for (const topic of ['habits', 'recipes', 'camera']) {
    await analyze({ topic });
    clock.advance(1000);
  }
  const topicsOf = async (page: number) => (await list('ann', page, 2)).niches.map(({ topic }) => topic);
  expect([await topicsOf(1), await topicsOf(2), await topicsOf(3)]).toEqual([
    ['camera', 'recipes'],
    ['habits'],
    [],
  ]);
  expect((await list('ann', 2, 2)).total).toBe(3);
});

test('rows of other accounts are not visible', async () => {
  const { analyze, list } = await startNiche();
  await analyze();
  expect(await list('ben')).toEqual({ niches: [], total: 0 });
});
