import { categories } from '@shelfwise/facts/categories';
import { storeFailed } from './fake-store-fetch.ts';
import { createHarness, topFree, within } from './start-chart.ts';

const { startChart } = createHarness();

test('both stores have their categories, with English labels, the chart over everything first', async () => {
  const { client } = await startChart();
  expect(await client.listChartCategories({}, within())).toEqual({
    stores: [
      {
        store: 'ITUNES',
        categories: [
          { key: 'OVERALL', label: 'Overall' },
          { key: '6014', label: 'Games' },
          { key: '6015', label: 'Finance' },
        ],
      },
      {
        store: 'GPLAY',
        categories: [
          { key: 'OVERALL', label: 'Overall' },
          { key: 'FINANCE', label: 'Finance' },
          { key: 'GAME', label: 'Games' },
        ],
      },
    ],
  });
});

test('one store has its own only', async () => {
  const { client } = await startChart();
  const { stores } = await client.listChartCategories({ store: 'GPLAY' }, within());
  expect(stores.map(({ store }) => store)).toEqual(['GPLAY']);
});

test('every category that is listed has a chart', async () => {
  const { client } = await startChart();
  for (const { store, categories } of (await client.listChartCategories({}, within())).stores)
    for (const { key } of categories) {
      const { total_count } = await client.getTopChart({ ...topFree, store, category: key }, within());
      expect(total_count).toBe(100);
    }
});

test('of a store that is down all known categories are listed, and the other store is as always', async () => {
  const { client, store } = await startChart();
  const { categories: read } = store.answers;
  store.answers.categories = async (request, call) => {
    if (request.store === 'GPLAY') throw storeFailed();
    return read(request, call);
  };
  const { stores } = await client.listChartCategories({}, within());
  expect(stores.map(({ categories }) => categories.length)).toEqual([3, categories.GPLAY.length]);
});

test('a list that names nothing that is known is not believed', async () => {
  const { client, store } = await startChart();
  store.answers.categories = async () => ({ reading: null, categories: [] });
  const { stores } = await client.listChartCategories({ store: 'ITUNES' }, within());
  expect(stores[0]?.categories).toEqual([...categories.ITUNES]);
});

test('an unknown store is refused by name', async () => {
  const { client } = await startChart();
  await expect(client.listChartCategories({ store: 'UNSPECIFIED' }, within())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { store: [expect.any(String)] } } },
  });
});
