import { canonicalCountry } from './country.ts';
import { canonicalLanguage } from './language.ts';
import { isStore, type Store } from './store.ts';

/** One store in one country and one language; every part has its canonical spelling. */
export type Storefront = { store: Store; country: string; lang: string };

/** A unique text per storefront. No part can contain the separator. */
export function storefrontKey({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}

/** The storefront of a row that has more fields. */
export function storefrontOf({ store, country, lang }: Storefront): Storefront {
  return { store, country, lang };
}

/**
 * Parses a storefront into its canonical spelling, or names the problem of each part. The country is checked only
 * when the store is known.
 */
export function parseStorefront(
  input: { store: string; country: string; lang: string } | null,
): { storefront: Storefront } | { problems: Record<string, string> } {
  const store = input?.store ?? '';
  if (!input || !isStore(store)) return { problems: { store: 'must be ITUNES or GPLAY' } };
  const country = canonicalCountry(store, input.country);
  const lang = canonicalLanguage(input.lang);
  if (country !== null && lang !== null) return { storefront: { store, country, lang } };
  const problems: Partial<Record<keyof Storefront, string>> = {};
  if (country === null) problems.country = `is not a country of ${store}`;
  if (lang === null) problems.lang = 'must be a BCP 47 language such as en-US';
  return { problems };
}
