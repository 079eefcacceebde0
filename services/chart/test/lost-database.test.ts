import { categories } from '@shelfwise/facts/stores/categories';
import { callWithin } from '../../../testing/call-within.ts';
import { createHarness, topFree } from './start-chart.ts';

const { startChart } = createHarness();

test('with a lost database a chart is SERVICE_UNAVAILABLE, and the categories are still listed', async () => {
  const { client, connection } = await startChart();
  await client.getTopChart(topFree, callWithin());
  await connection.getClient().close();
  await expect(client.getTopChart(topFree, callWithin())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  const { stores } = await client.listChartCategories({ store: 'ITUNES' }, callWithin());
  expect(stores[0]?.categories).toHaveLength(categories.ITUNES.length);
});

test('a database that is lost during the read of a store is SERVICE_UNAVAILABLE', async () => {
  const { client, connection, store } = await startChart();
  const { chart: read } = store.answers;
  store.answers.chart = async (request, call) => {
    await connection.getClient().close();
    return read(request, call);
  };
  await expect(client.getTopChart(topFree, callWithin())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
});
