import type { Store } from '@shelfwise/facts/store';

/** One store in one country and one language, every part in its canonical spelling. */
export type Storefront = { store: Store; country: string; lang: string };

/** What differs between the storefront that was sent and the app's own: field -> remark, empty when they agree. */
export function storefrontDifferences(sent: Storefront, own: Storefront): Record<string, string> {
  const fields = ['store', 'country', 'lang'] as const;
  return Object.fromEntries(
    fields
      .filter((field) => sent[field] !== own[field])
      .map((field) => [field, `must be the app's own: ${own[field]}`]),
  );
}

/** One text per storefront; no part can hold the separator. */
export function storefrontKey({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}
