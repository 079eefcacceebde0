import { createApi } from '../../testing/system/api.ts';
import { live, useSystems } from './use-systems.ts';

const { start, startStore } = useSystems();

test('a chart with rows that lack a price, an artist or an icon is an answer: each row keeps its rank, and only that field is null', async () => {
  const store = await startStore();
  const chart = await fetch(`${store.url}/us/rss/toppaidapplications/limit=100/json`);
  const { feed } = (await chart.json()) as { feed: { entry: FeedRow[] } };
  const appIds = feed.entry.map((row) => row.id.attributes['im:id']);
  expect(appIds.length).toBeGreaterThan(4);

  store.setFault('odd-rows', { only: '/us/rss' });
  const { url, key } = await start(live(store.url));
  const answer = await createApi(url, key ?? '')(
    'GET',
    '/top-charts?store=ITUNES&country=US&collection=paid',
  );
  expect(answer).toMatchObject({ status: 200, body: { meta: { total: appIds.length } } });
  const { rows } = answer.body.data;
  expect(rows.map(({ rank, app_id }: { rank: number; app_id: string }) => [rank, app_id])).toEqual(
    appIds.map((appId, index) => [index + 1, appId]),
  );
  const known = {
    title: expect.any(String),
    developer: expect.any(String),
    icon: expect.stringMatching(/^https:/),
    price: expect.any(Number),
    currency: 'USD',
  };
  const odd: object[] = [{}, { price: null, currency: null }, { developer: null }, { icon: null }];
  for (const [index, row] of rows.entries()) expect(row).toMatchObject({ ...known, ...odd[index] });
});

type FeedRow = { id: { attributes: { 'im:id': string } } };
