import { canonicalCountry } from './country.ts';
import { canonicalLanguage } from './language.ts';
import { isStore, type Store } from './store.ts';

/** One store in one country and one language, every part in its canonical spelling. */
export type Storefront = { store: Store; country: string; lang: string };

/** One text per storefront; no part can hold the separator. */
export function storefrontKey({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}

/**
 * The storefront that is meant, in its canonical spelling, or what is wrong with which part of it. Without a known
 * store nothing can be said of the country.
 */
export function parseStorefront(
  given: { store: string; country: string; lang: string } | null,
): { storefront: Storefront } | { problems: Record<string, string> } {
  const store = given?.store ?? '';
  if (!given || !isStore(store)) return { problems: { store: 'must be ITUNES or GPLAY' } };
  const country = canonicalCountry(store, given.country);
  const lang = canonicalLanguage(given.lang);
  if (country !== null && lang !== null) return { storefront: { store, country, lang } };
  return {
    problems: {
      ...(country === null && { country: `is not a country of ${store}` }),
      ...(lang === null && { lang: 'must be a BCP 47 language such as en-US' }),
    },
  };
}
