import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';

/** A keyword in a storefront; the keyword must be in normal form. */
export type TermKey = { storefront: Storefront; keyword: string };

/** The id of a keyword in a storefront; the keyword must be in normal form. */
export function termId(storefront: Storefront, keyword: string): string {
  return `${storefrontKey(storefront)}:${keyword}`;
}

/**
 * The branches of an `$or` for documents with one of the keywords in the list `field`. Each storefront has one, so that each
 * reads an index of `store, country, lang` and the list.
 */
export function keywordFilters(field: string, keys: readonly TermKey[]): Record<string, unknown>[] {
  const byStorefront = new Map<string, { storefront: Storefront; keywords: Set<string> }>();
  for (const { storefront, keyword } of keys) {
    const id = storefrontKey(storefront);
    const known = byStorefront.get(id) ?? { storefront, keywords: new Set() };
    known.keywords.add(keyword);
    byStorefront.set(id, known);
  }
  return [...byStorefront.values()].map(({ storefront: { store, country, lang }, keywords }) => ({
    store,
    country,
    lang,
    [field]: { $in: [...keywords] },
  }));
}
