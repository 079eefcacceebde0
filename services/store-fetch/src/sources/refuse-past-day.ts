import { invalidParams } from '@shelfwise/runtime/errors';

/** A live store shows its own day: the page of another one is never answered with that of now. @throws AppError */
export function refusePastDay(onDay: string | null): void {
  if (onDay !== null)
    throw invalidParams({ on_day: 'is for the sample only: a live store shows its own day' });
}
