import { createHarness, topFree } from './start-chart.ts';

const { startChart } = createHarness();

test.each([
  ['sample', 'app-store', /readings of the sample catalog, .* reads live stores.*STORE_SOURCE/],
  ['google-play', 'sample', /readings of live stores, .* reads the sample catalog.*STORE_SOURCE/],
])('a database of %s charts refuses a chart of %s', async (before, after, message) => {
  const chart = await startChart();
  chart.store.origin.source = before;
  await chart.client.getTopChart(topFree);
  const stored = await chart.rows('chart_snapshots');
  chart.store.origin.source = after;
  await expect(chart.client.getTopChart({ ...topFree, country: 'DE' })).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(message),
  });
  expect(await chart.rows('chart_snapshots')).toEqual(stored);
  expect(await chart.rows('charts')).toHaveLength(1);
});

test('one database holds charts of both live stores', async () => {
  const chart = await startChart();
  await chart.client.getTopChart(topFree);
  chart.store.origin.source = 'google-play';
  await chart.client.getTopChart({ ...topFree, store: 'GPLAY' });
  expect(await chart.rows('provenance')).toContainEqual({ _id: 'store_source', value: 'live' });
});
