import type { Storefront } from '../stores/storefront.ts';
import { checkOwnStorefront } from './check-own-storefront.ts';

const own: Storefront = { store: 'GPLAY', country: 'US', lang: 'en' };

test('the own storefront is accepted, whole or in part, under every tag of its language', () => {
  for (const sent of [own, { ...own, lang: 'en-US' }, { lang: 'en-Latn-US' }, { country: 'US' }, {}])
    expect(() => checkOwnStorefront(sent, own)).not.toThrow();
  expect(() => checkOwnStorefront({ ...own }, { ...own, lang: 'en-US' })).not.toThrow();
});

test.each<[Partial<Storefront>, string]>([
  [{ lang: 'en-GB' }, "lang must be the app's own: en"],
  [{ ...own, lang: 'fr-FR' }, "lang must be the app's own: en"],
  [{ ...own, store: 'ITUNES', lang: 'en-US' }, "store must be the app's own: GPLAY"],
  [{ ...own, country: 'GB' }, "country must be the app's own: US"],
])('%j is refused, naming only what differs', (sent, message) => {
  expect(() => checkOwnStorefront(sent, own)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', message }),
  );
});

test('a tag that was resolved in another country is not another language', () => {
  const british = { ...own, country: 'GB' };
  expect(() => checkOwnStorefront({ store: 'GPLAY', country: 'US', lang: 'en-US' }, british)).toThrow(
    expect.objectContaining({ message: "country must be the app's own: GB" }),
  );
});
