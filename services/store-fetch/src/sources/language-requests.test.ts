import { countries } from '@shelfwise/facts/stores/country';
import { homeCountries, resolveLanguageAlias } from '@shelfwise/facts/stores/language-alias';
import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createStoreUrls, pagePathOf } from './app-store/store-urls.ts';
import { toPlayLanguage } from './google-play/play-language.ts';

/** The table of aliases (facts) and the requests that the live clients make must not drift apart. */

const urls = createStoreUrls({
  itunes: 'https://itunes.example',
  hints: 'https://hints.example',
  apps: 'https://apps.example',
});

const tags = ['en', 'sr', 'zh', 'nb', 'no', 'he', 'es', 'pt', 'fil'].flatMap((language) =>
  ['', '-Latn', '-Cyrl', '-Hans', '-Hant'].flatMap((script) =>
    ['', '-US', '-GB', '-RS', '-CN', '-TW', '-HK', '-NO', '-BR', '-419'].map(
      (region) => language + script + region,
    ),
  ),
);

const storefrontsOf = (store: Store) =>
  ['US', 'RS', 'CN', 'TW', 'NO', 'BR', 'IL']
    .filter((country) => countries[store].has(country))
    .map((country) => ({ store, country }));

/** What the requests of a store carry of a language. */
const sent = {
  GPLAY: (storefront: Storefront) => ({ search: toPlayLanguage(storefront.lang) }),
  ITUNES: (storefront: Storefront) => ({
    search: urls.search(storefront, 'notes', 10).searchParams.get('lang'),
    lookup: urls.lookup(storefront, [{ field: 'trackId', id: 1 }]).searchParams.get('lang'),
    page: urls.page(storefront, pagePathOf(storefront, 1)).searchParams.get('l'),
  }),
};

const isCompletedByCountry = (tag: string, country: string) => {
  const { language, region } = new Intl.Locale(tag);
  return region === undefined && homeCountries.get(language) === country;
};

describe.each(['GPLAY', 'ITUNES'] as const)('%s', (store) => {
  test('a tag is searched with as its canonical tag, which at most adds the country', () => {
    for (const storefront of storefrontsOf(store))
      for (const tag of tags) {
        const own = sent[store]({ ...storefront, lang: tag }).search;
        const canonical = sent[store](resolveLanguageAlias({ ...storefront, lang: tag })).search;
        const added =
          store === 'GPLAY' ? `${own}-${storefront.country}` : `${own}_${storefront.country.toLowerCase()}`;
        const allowed = isCompletedByCountry(tag, storefront.country) ? [own, added] : [own];
        expect([storefront, tag, allowed]).toEqual([storefront, tag, expect.arrayContaining([canonical])]);
      }
  });

  test('tags that are not one language make different requests', () => {
    for (const storefront of storefrontsOf(store)) {
      const canonicalTags = new Set(tags.map((lang) => resolveLanguageAlias({ ...storefront, lang }).lang));
      const requests = [...canonicalTags].map((lang) => JSON.stringify(sent[store]({ ...storefront, lang })));
      expect([storefront, new Set(requests).size]).toEqual([storefront, canonicalTags.size]);
    }
  });
});
