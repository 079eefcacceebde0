import { invalidParams } from '@shelfwise/runtime/errors';
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

/** A live store shows its own day: a request for another day is never answered with the page of today. @throws AppError */
export function refusePastDay(onDay: string | null): void {
  if (onDay !== null)
    throw invalidParams({ on_day: 'is for the sample only: a live store shows its own day' });
}
