import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import type { UpdateQueryKnownOnly } from 'mongoose';
import { importances } from '../domain/term-schedule.ts';
import { neverMeasured } from './new-term.ts';
import type { PageOfTerm } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermDocument } from './term-schema.ts';

/** A snapshot of a tracked keyword. With `isDue` the keyword is due immediately. */
export type SnapshotOfTerm = PageOfTerm & { isDue: boolean };

/** Matches a ranking of the same day that the snapshot replaces: of no higher revision, and never results by an empty page. */
function ofSameDay({ day, revision = 1, app_ids: appIds }: SnapshotOfTerm['ranking']) {
  const sameDay = { 'ranking.day': day, 'ranking.revision': { $not: { $gt: revision } } };
  return appIds.length === 0 ? { ...sameDay, 'ranking.is_empty': true } : sameDay;
}

/** The two updates that save a snapshot. The first matches a term with an older ranking, the second every term. */
export function toSnapshotUpdates({ storefront, keyword, ranking, isDue }: SnapshotOfTerm, at: Date) {
  const _id = termId(storefront, keyword);
  const $set: Partial<TermDocument> = { is_tracked: true, importance: importances.tracked };
  const update: UpdateQueryKnownOnly<TermDocument> = { $set };
  const unmeasured: Partial<TermDocument> = { ...neverMeasured, has_unpublished_scores: false };
  if (isDue) {
    $set.due_at = at;
    $set.failures = 0;
    update.$inc = { request_count: 1 };
    update.$unset = endClaim;
  } else {
    unmeasured.failures = 0;
    unmeasured.request_count = 0;
  }
  return {
    withRanking: {
      filter: { _id, $or: [{ ranking: null }, { 'ranking.day': { $lt: ranking.day } }, ofSameDay(ranking)] },
      update: { ...update, $set: { ...$set, ranking } },
    },
    withoutRanking: {
      filter: { _id },
      update: { ...update, $setOnInsert: { ...storefront, keyword, ...unmeasured, ranking } },
      upsert: true,
    },
  };
}
