import { categories } from '@shelfwise/facts/stores/categories';
import { createSource, failureOf, now, us, waiting } from './create-app-store-source.ts';
import { useFakeStore } from './use-fake-store.ts';

/** Runs on the fake store. Tests that need only charts also run on the store at REPLAY_STORE_URL, if that is set. */
const replayUrl = process.env.REPLAY_STORE_URL;

const fake = useFakeStore();

const topFree = { category: 'OVERALL', collection: 'free', limit: 10 } as const;

describe(`on ${replayUrl ? 'the store of REPLAY_STORE_URL' : 'the fake store'}`, () => {
  const url = () => replayUrl ?? fake.url;

  beforeAll(async () => {
    await fetch(`${url()}/__control`, { method: 'POST', body: JSON.stringify({ mode: 'ok' }) });
  });

  test.each(['free', 'paid', 'grossing'] as const)(
    'the top %s chart has its apps in rank order, with prices and scores, for two calls',
    async (collection) => {
      const { source, requested } = createSource(url());
      const wanted = { category: 'OVERALL', collection, limit: 5 } as const;
      const { apps, ...reading } = await source.chart(us, wanted, waiting());
      expect(reading).toEqual({ source: 'app-store', readAt: now() });
      expect(apps).toHaveLength(5);
      for (const { score, ...app } of apps) {
        expect(score === null || (score >= 1 && score <= 5)).toBe(true);
        expect(app).toEqual({
          app_id: expect.stringMatching(/^[1-9]\d+$/),
          title: expect.stringMatching(/./),
          icon: expect.stringMatching(/^https:/),
          developer_name: expect.stringMatching(/./),
          price: expect.any(Number),
          currency: 'USD',
        });
        if (collection !== 'grossing') expect((app.price ?? -1) > 0).toBe(collection === 'paid');
      }
      expect(apps.some(({ score }) => score !== null)).toBe(true);
      expect(requested.map(({ endpoint }) => endpoint)).toEqual(['itunes-chart', 'itunes-lookup']);
    },
  );
});

describe('a chart', () => {
  const chart = async (wanted: Parameters<typeof read>[0]) => (await read(wanted)).apps;
  const read = (wanted: { category: string; collection: 'free' | 'paid' | 'grossing'; limit: number }) =>
    createSource(fake.url).source.chart(us, wanted, waiting());

  test('may have one app or none', async () => {
    expect(await chart({ category: '6011', collection: 'paid', limit: 10 })).toMatchObject([
      { title: 'Choirbox', price: 3.49, currency: 'USD', score: 4.7 },
    ]);
    const { source, requested } = createSource(fake.url);
    const none = await source.chart(us, { category: '6015', collection: 'paid', limit: 10 }, waiting());
    expect(none.apps).toEqual([]);
    expect(requested).toHaveLength(1);
  });

  test('uses the largest icon, at any position', async () => {
    const [app] = await chart(topFree);
    expect(app?.icon).toMatch(/icon-100\.png$/);
  });

  test('never requests more than 100 rows, and may return fewer', async () => {
    const before = fake.calls().length;
    expect((await chart({ ...topFree, limit: 200 })).length).toBeLessThanOrEqual(100);
    expect(fake.calls()[before]?.path).toBe('/us/rss/topfreeapplications/limit=100/json');
  });

  test('looks up all its scores in one call', async () => {
    const before = fake.calls().length;
    const apps = await chart({ ...topFree, limit: 25 });
    const lookups = fake
      .calls()
      .slice(before)
      .filter(({ path }) => path === '/lookup');
    expect(lookups).toHaveLength(1);
    expect(lookups[0]?.query.id).toBe(apps.map((app) => app.app_id).join(','));
  });

  test.each(['error', 'hang', 'changed', 'captcha'] as const)(
    'is returned without scores when the look-up is "%s"',
    async (mode) => {
      const healthy = await chart(topFree);
      fake.setFault(mode, { only: '/lookup' });
      const waitLimits = { subtitleMs: 0, subtitlesMs: 0, scoresMs: mode === 'hang' ? 100 : 60_000 };
      const { source } = createSource(fake.url, { waitLimits });
      const { apps } = await source.chart(us, topFree, waiting());
      expect(apps).toEqual(healthy.map((app) => ({ ...app, score: null })));
    },
  );

  test('of a category that the store does not have is refused without a call', async () => {
    const { source, requested } = createSource(fake.url);
    for (const category of ['GAME', '1', '6014/../..', '']) {
      const error = await failureOf(source.chart(us, { ...topFree, category }, waiting()));
      expect(error).toMatchObject({ code: 'INVALID_PARAMS' });
    }
    expect(requested).toEqual([]);
  });

  test('every category can be requested', async () => {
    for (const { key } of categories.ITUNES) {
      await read({ category: key, collection: 'free', limit: 1 });
      const path = fake.calls().findLast((call) => call.path.includes('/rss/'))?.path;
      const genre = key === 'OVERALL' ? '' : `genre=${key}/`;
      expect(path).toBe(`/us/rss/topfreeapplications/limit=1/${genre}json`);
    }
  });
});
