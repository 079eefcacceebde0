import type { Storefront } from '@shelfwise/facts/stores/storefront';

/** What differs between the storefront that was sent and the app's own: field -> remark, empty when they agree. */
export function storefrontDifferences(sent: Storefront, own: Storefront): Record<string, string> {
  const fields = ['store', 'country', 'lang'] as const;
  return Object.fromEntries(
    fields
      .filter((field) => sent[field] !== own[field])
      .map((field) => [field, `must be the app's own: ${own[field]}`]),
  );
}
