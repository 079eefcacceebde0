import { countries } from '@shelfwise/facts/stores/country';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { createSource, jp, now, us, waiting } from './create-app-store-source.ts';
import { useFakeStore } from './use-fake-store.ts';

const fake = useFakeStore();

test('the empty list of a store over its limit is returned unchanged', async () => {
  fake.setFault('empty-hints');
  const { source, requested } = createSource(fake.url);
  expect((await source.suggest(us, 'no', waiting())).terms).toEqual([]);
  expect(requested).toMatchObject([{ endpoint: 'itunes-hints', outcome: 'ok' }]);
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
