import { StoreFailure } from '../store-health/store-failure.ts';

/**
 * Returns the suggestions of a prefix. `isCanary` marks a prefix that always has some: if it has none, the store
 * throttles.
 * @throws StoreFailure `throttled`
 */
export function checkCanary(terms: string[], { isCanary = false }: { isCanary?: boolean }): string[] {
  if (isCanary && terms.length === 0)
    throw new StoreFailure('throttled', 'has no suggestions even for a prefix that always has some');
  return terms;
}
