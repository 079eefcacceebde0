import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { blankReading } from '../domain/keyword/keyword-reading.ts';
import { importances } from '../domain/term-schedule.ts';
import type { MeasuringRequest } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermDocument } from './term-schema.ts';

/** The measurement of a term that was just created. */
export const neverMeasured = { reading: blankReading, score: null, revision: 0 };

/** A requested term that did not exist before. */
export function newTerm(
  storefront: Storefront,
  { keyword, importance, isDaily, isAwaited, isPublic }: MeasuringRequest,
  until: Date,
  at: Date,
): TermDocument {
  const term: TermDocument = {
    _id: termId(storefront, keyword),
    ...storefront,
    keyword,
    is_tracked: false,
    ranking: null,
    ...neverMeasured,
    has_unpublished_scores: false,
    importance: isAwaited ? importances.tracked : importance,
    requested_until: until,
    due_at: at,
    failures: 0,
    request_count: 1,
  };
  if (isDaily) term.daily_until = until;
  if (isAwaited) term.awaited_at = at;
  if (isPublic) term.public_until = until;
  return term;
}
