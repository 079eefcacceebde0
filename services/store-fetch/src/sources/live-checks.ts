import { StoreFailure } from './store-failure.ts';

/**
 * The suggestions of a prefix, or, when it is one that always has some (`isCanary`) and now has none, why.
 * @throws StoreFailure `throttled`
 */
export function checkCanary(terms: string[], { isCanary = false }: { isCanary?: boolean }): string[] {
  if (isCanary && terms.length === 0)
    throw new StoreFailure('throttled', 'has no suggestions even for a prefix that always has some');
  return terms;
}
