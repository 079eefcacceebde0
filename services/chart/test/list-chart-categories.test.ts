import { categories } from '@shelfwise/facts/stores/categories';
import { createHarness, topFree } from './start-chart.ts';

const { startChart } = createHarness();

test('without a store, all categories of both are listed with English labels, OVERALL first', async () => {
  const { client } = await startChart();
  const { stores } = await client.listChartCategories({});
  expect(stores).toEqual([
    { store: 'ITUNES', categories: [...categories.ITUNES] },
    { store: 'GPLAY', categories: [...categories.GPLAY] },
  ]);
  for (const { categories } of stores) expect(categories[0]).toEqual({ key: 'OVERALL', label: 'Overall' });
});

test('with a store, only its categories are listed', async () => {
  const { client } = await startChart();
  const { stores } = await client.listChartCategories({ store: 'GPLAY' });
  expect(stores.map(({ store }) => store)).toEqual(['GPLAY']);
});

test('every listed category has a chart', async () => {
  const { client } = await startChart();
  for (const { store, categories } of (await client.listChartCategories({})).stores)
    for (const { key } of categories) {
      const chart = await client.getTopChart({ ...topFree, store, category: key });
      expect(chart.total_count).toBe(100);
    }
});

test('an unknown store is refused and named', async () => {
  const { client } = await startChart();
  await expect(client.listChartCategories({ store: 'UNSPECIFIED' })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { store: [expect.any(String)] } } },
  });
});
