import type { Store } from './store.ts';

/** One store in one country and one language, every part in its canonical spelling. */
export type Storefront = { store: Store; country: string; lang: string };

/** One text per storefront; no part can hold the separator. */
export function storefrontKey({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}
