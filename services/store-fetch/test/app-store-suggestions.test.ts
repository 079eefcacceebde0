import { countries } from '@shelfwise/facts/stores/country';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { createSource, jp, now, us, waiting } from './ask-app-store.ts';
import { type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

/** Runs on the fake store, and what needs no more than its suggestions also on the one that REPLAY_STORE_URL names. */
const replayUrl = process.env.REPLAY_STORE_URL;

let fake: FakeStore;

beforeAll(async () => {
  fake = await startFakeStore();
});

afterAll(() => fake.stop());
beforeEach(() => fake.setFault('ok'));

describe(`on ${replayUrl ? 'the store of REPLAY_STORE_URL' : 'the fake store'}`, () => {
  const url = () => replayUrl ?? fake.url;
  const setFault = (mode: string) =>
    fetch(`${url()}/__control`, { method: 'POST', body: JSON.stringify({ mode }) });

  beforeEach(() => setFault('ok'));
  afterAll(() => setFault('ok'));

  test('a prefix is completed, ten times at most', async () => {
    const { terms, ...reading } = await createSource(url()).source.suggest(us, 'no', waiting());
    expect(reading).toEqual({ source: 'app-store', readAt: now() });
    expect(terms?.length).toBeGreaterThan(1);
    expect(terms?.length).toBeLessThanOrEqual(10);
    expect(terms?.every((term) => term.startsWith('no'))).toBe(true);
  });

  test('a prefix that nothing begins with has no suggestions', async () => {
    const { terms } = await createSource(url()).source.suggest(us, 'zzqxjv', waiting());
    expect(terms).toEqual([]);
  });

  test('a store over its limit answers with nothing, which is returned as it is', async () => {
    await setFault('empty-hints');
    const { source, asked } = createSource(url());
    expect((await source.suggest(us, 'no', waiting())).terms).toEqual([]);
    expect(asked).toMatchObject([{ endpoint: 'itunes-hints', outcome: 'ok' }]);
  });
});

test('each storefront is asked by its number', async () => {
  const { source } = createSource(fake.url);
  expect((await source.suggest(jp, '写', waiting())).terms).toEqual(['写真しおり']);
  expect(fake.calls().at(-1)?.headers).toMatchObject({ 'x-apple-store-front': '143462,29' });
  expect((await source.suggest(us, '写', waiting())).terms).toEqual([]);
});

test('suggestions that speak of a captcha are no captcha', async () => {
  const { source } = createSource(fake.url);
  const { terms } = await source.suggest(us, 'captcha', waiting());
  expect(terms).toEqual(['captcha', 'captcha keeper']);
});

test('a storefront whose number is not known is not asked, and its suggestions are unknown', async () => {
  const unknown = [...countries.ITUNES].filter((country) => appStoreStorefrontId(country) === null);
  expect(unknown.length).toBeGreaterThan(0);
  const { source, asked } = createSource(fake.url);
  for (const country of unknown) {
    const read = await source.suggest({ store: 'ITUNES', country, lang: 'en' }, 'no', waiting());
    expect(read).toEqual({ source: 'app-store', readAt: now(), terms: null });
  }
  expect(asked).toEqual([]);
});
