import { countries } from './country.ts';
import { homeCountries, resolveLanguageAlias } from './language-alias.ts';
import type { Store } from './store.ts';
import { stores } from './store.ts';

const canonicalOf = (store: Store, country: string, lang: string) =>
  resolveLanguageAlias({ store, country, lang }).lang;

test.each<[Store, string, string, string[]]>([
  ['GPLAY', 'US', 'en-US', ['en', 'en-Latn', 'en-Latn-US', 'en-US']],
  ['GPLAY', 'DE', 'de-DE', ['de', 'de-DE']],
  ['GPLAY', 'BR', 'pt-BR', ['pt', 'pt-BR']],
  ['GPLAY', 'US', 'zh-CN', ['zh', 'zh-CN', 'zh-Hans', 'zh-Hans-CN', 'zh-Hans-HK', 'zh-SG']],
  ['GPLAY', 'US', 'zh-TW', ['zh-Hant', 'zh-Hant-TW', 'zh-TW']],
  ['GPLAY', 'HK', 'zh-HK', ['zh-HK', 'zh-Hant-HK', 'zh-MO']],
  ['GPLAY', 'NO', 'no-NO', ['nb', 'nb-NO', 'no', 'no-NO']],
  ['GPLAY', 'SE', 'no', ['nb', 'no']],
  ['GPLAY', 'RS', 'sr-RS', ['sr', 'sr-Cyrl', 'sr-Latn', 'sr-Latn-RS', 'sr-RS']],
  ['ITUNES', 'US', 'en-US', ['en', 'en-Latn', 'en-Latn-US', 'en-US']],
  ['ITUNES', 'JP', 'ja-JP', ['ja', 'ja-JP', 'ja-Jpan']],
  ['ITUNES', 'CN', 'zh-Hans-CN', ['zh', 'zh-CN', 'zh-Hans', 'zh-Hans-CN']],
  ['ITUNES', 'TW', 'zh-Hant-TW', ['zh-Hant', 'zh-Hant-TW', 'zh-TW']],
  ['ITUNES', 'HK', 'zh-Hant-HK', ['zh-HK', 'zh-Hant-HK']],
])('%s in %s: %s is one language with its aliases', (store, country, canonical, tags) => {
  expect(tags.map((lang) => canonicalOf(store, country, lang))).toEqual(tags.map(() => canonical));
});

test.each<[Store, string, string[]]>([
  ['GPLAY', 'US', ['en-US', 'en-GB', 'en-AU', 'es', 'es-419', 'es-US', 'fr', 'fr-FR', 'zh-CN', 'zh-TW']],
  ['GPLAY', 'GB', ['en', 'en-GB', 'en-US']],
  ['GPLAY', 'AT', ['de', 'de-AT', 'de-DE']],
  ['GPLAY', 'PT', ['pt', 'pt-BR', 'pt-PT']],
  ['GPLAY', 'NO', ['nn-NO', 'no-NO']],
  ['ITUNES', 'US', ['en-US', 'en-GB', 'es', 'es-419', 'es-MX', 'ru', 'ru-RU', 'zh', 'zh-Hans-CN']],
  ['ITUNES', 'GB', ['en', 'en-GB', 'en-US']],
  ['ITUNES', 'HK', ['zh-Hans-HK', 'zh-Hant-HK', 'zh-Hant-TW']],
  ['ITUNES', 'RS', ['sr-RS', 'sr-Latn-RS']],
  ['ITUNES', 'NO', ['nb-NO', 'no-NO']],
])('%s in %s: tags that change the request stay apart: %j', (store, country, tags) => {
  expect(tags.map((lang) => canonicalOf(store, country, lang))).toEqual(tags);
});

test('the home of a language is the region that CLDR adds to its tag, and a country of a store', () => {
  for (const [language, country] of homeCountries) {
    expect([language, new Intl.Locale(language).maximize().region]).toEqual([language, country]);
    expect([country, stores.some((store) => countries[store].has(country))]).toEqual([country, true]);
  }
});

const tags = ['en', 'sr', 'zh', 'nb', 'no', 'es', 'pt'].flatMap((language) =>
  ['', '-Latn', '-Cyrl', '-Hans', '-Hant'].flatMap((script) =>
    ['', '-US', '-RS', '-CN', '-TW', '-HK', '-SG', '-NO', '-419'].map((region) => language + script + region),
  ),
);
const storefronts = stores.flatMap((store) =>
  ['US', 'RS', 'CN', 'TW', 'HK', 'NO', 'BR', 'ES']
    .filter((country) => countries[store].has(country))
    .map((country) => ({ store, country })),
);

test('a canonical tag is its own', () => {
  for (const storefront of storefronts)
    for (const tag of tags) {
      const { lang } = resolveLanguageAlias({ ...storefront, lang: tag });
      expect([storefront, tag, resolveLanguageAlias({ ...storefront, lang }).lang]).toEqual([
        storefront,
        tag,
        lang,
      ]);
    }
});
