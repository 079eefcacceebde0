import { countries } from '@shelfwise/facts/stores/country';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { createSource, jp, now, us, waiting } from './create-app-store-source.ts';
import { type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

/**
 * Runs on the fake store. Tests that need only suggestions also run on the store at REPLAY_STORE_URL, if that is set.
 */
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

  test('a prefix has at most ten suggestions', async () => {
    const { terms, ...reading } = await createSource(url()).source.suggest(us, 'no', waiting());
    expect(reading).toEqual({ source: 'app-store', readAt: now() });
    expect(terms?.length).toBeGreaterThan(1);
    expect(terms?.length).toBeLessThanOrEqual(10);
    expect(terms?.every((term) => term.startsWith('no'))).toBe(true);
  });

  test('a prefix that no term starts with has no suggestions', async () => {
    const { terms } = await createSource(url()).source.suggest(us, 'zzqxjv', waiting());
    expect(terms).toEqual([]);
  });

  test('the empty list of a store over its limit is returned unchanged', async () => {
    await setFault('empty-hints');
    const { source, requested } = createSource(url());
    expect((await source.suggest(us, 'no', waiting())).terms).toEqual([]);
    expect(requested).toMatchObject([{ endpoint: 'itunes-hints', outcome: 'ok' }]);
  });
});

test('each storefront is requested by its number', async () => {
  const { source } = createSource(fake.url);
  expect((await source.suggest(jp, '写', waiting())).terms).toEqual(['写真しおり']);
  expect(fake.calls().at(-1)?.headers).toMatchObject({ 'x-apple-store-front': '143462,29' });
  expect((await source.suggest(us, '写', waiting())).terms).toEqual([]);
});

test('suggestions that mention a captcha are not a captcha', async () => {
  const { source } = createSource(fake.url);
  const { terms } = await source.suggest(us, 'captcha', waiting());
  expect(terms).toEqual(['captcha', 'captcha keeper']);
});

test('a storefront without a known number has unknown suggestions, without a call', async () => {
  const unknown = [...countries.ITUNES].filter((country) => appStoreStorefrontId(country) === null);
  expect(unknown.length).toBeGreaterThan(0);
  const { source, requested } = createSource(fake.url);
  for (const country of unknown) {
    const read = await source.suggest({ store: 'ITUNES', country, lang: 'en' }, 'no', waiting());
    expect(read).toEqual({ source: 'app-store', readAt: now(), terms: null });
  }
  expect(requested).toEqual([]);
});
