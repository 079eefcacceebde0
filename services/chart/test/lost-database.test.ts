import { categories } from '@shelfwise/facts/stores/categories';
import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, topFree } from './start-chart.ts';

const { startChart } = createHarness();

test('with a lost database a chart is SERVICE_UNAVAILABLE, and the categories are still listed', async () => {
  const { client, connection } = await startChart();
  await client.getTopChart(topFree);
  await connection.getClient().close();
  expect(await codeOf(client.getTopChart(topFree))).toBe('SERVICE_UNAVAILABLE');
  const { stores } = await client.listChartCategories({ store: 'ITUNES' });
  expect(stores[0]?.categories).toHaveLength(categories.ITUNES.length);
});

test('a database that is lost during the read of a store is SERVICE_UNAVAILABLE', async () => {
  const { client, connection, store } = await startChart();
  const { chart: read } = store.answers;
  store.answers.chart = async (request, call) => {
    await connection.getClient().close();
    return read(request, call);
  };
  expect(await codeOf(client.getTopChart(topFree))).toBe('SERVICE_UNAVAILABLE');
});
