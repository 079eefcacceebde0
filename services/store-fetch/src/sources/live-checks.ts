import { invalidParams } from '@shelfwise/runtime/errors';
import { StoreFailure } from '../store-failure.ts';

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

/**
 * A live store has only the current day: a request for another day is never answered with today's page.
 * @throws INVALID_PARAMS unless `onDay` is null
 */
export function refusePastDay(onDay: string | null): void {
  if (onDay !== null)
    throw invalidParams({ on_day: 'works on the sample only: a live store shows only the current day' });
}
