import { chartCategoriesReply, topChartReply } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/top-charts/categories';
const [appStore, googlePlay] = chartCategoriesReply.stores;

test('the list has the collections, and the categories of both stores', async () => {
  api.chart.answer({ listChartCategories: async () => chartCategoriesReply });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: {
      collections: ['free', 'paid', 'grossing'],
      categories: { ITUNES: appStore?.categories, GPLAY: googlePlay?.categories },
    },
  });
  expect(api.chart.requests).toMatchObject([{ method: 'listChartCategories', request: { store: null } }]);
});

test('a filter by store returns only its categories', async () => {
  api.chart.answer({ listChartCategories: async () => ({ stores: googlePlay ? [googlePlay] : [] }) });
  const { body } = await api.call('GET', `${path}?store=GPLAY`);
  expect(body.data.categories).toEqual({ GPLAY: [{ key: 'OVERALL', label: 'Overall' }] });
  expect(api.chart.requests).toMatchObject([{ request: { store: 'GPLAY' } }]);
});

test('every listed collection and category is a valid chart', async () => {
  api.chart.answer({ listChartCategories: async () => chartCategoriesReply });
  const { collections, categories } = (await api.call('GET', path)).body.data;
  api.chart.answer({ getTopChart: async () => topChartReply });
  for (const [store, list] of Object.entries<{ key: string }[]>(categories))
    for (const { key } of list)
      for (const collection of collections) {
        const query = `store=${store}&country=US&category=${key}&collection=${collection}`;
        expect((await api.call('GET', `/api/v1/top-charts?${query}`)).status).toBe(200);
      }
});
