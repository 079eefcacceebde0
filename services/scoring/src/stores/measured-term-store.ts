import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, outboxSet } from '@shelfwise/runtime/events/outbox';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import type { UpdateQueryKnownOnly } from 'mongoose';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { importances } from '../domain/term-schedule.ts';
import type { Ranking } from './term.ts';
import { type TermDocument, type TermStore, termId } from './term-store.ts';

/** The result of measuring a term. */
export type MeasuredTerm = {
  storefront: Storefront;
  keyword: string;
  /** revision of the term before the measurement; 0: the term was new */
  revision: number;
  reading: KeywordReading;
  score: KeywordScore;
  /** Ranking on the result page that was read; null: no page was read. */
  ranking: Ranking | null;
};

/**
 * A measurement that has not finished this long after its write has crashed: the term becomes due, and its scores are
 * published.
 */
const recoveryMs = 60_000;

export type MeasuredTermStore = ReturnType<typeof createMeasuredTermStore>;

/** The writes of a measurement. */
export function createMeasuredTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  return {
    /**
     * Stores the result of a measurement with its event; creates the term when it is new. Its scores count as
     * unpublished until `schedule` finishes the measurement. The ranking of a page replaces only one of an older day.
     * Returns false and writes nothing when another measurement has written since. Index: _id; two updates when a
     * page was read but a ranking of the same day is already stored.
     */
    async save(measured: MeasuredTerm, at: Date, event: NewEvent | null): Promise<boolean> {
      const { storefront, keyword, revision, ranking, reading, score } = measured;
      const _id = termId(storefront, keyword);
      const $set = { reading, score, has_unpublished_scores: true, ...(event && outboxSet(event, at)) };
      const $min = { due_at: new Date(at.getTime() + recoveryMs) };
      const $inc = { revision: 1 };
      if (ranking) {
        const { matchedCount } = await terms.updateOne(
          { _id, revision, $or: [{ ranking: null }, { 'ranking.day': { $lt: ranking.day } }] },
          { $set: { ...$set, ranking }, $min, $inc },
        );
        if (matchedCount > 0) return true;
      }
      const unrequested = {
        is_tracked: false,
        importance: importances.described,
        failures: 0,
        request_count: 0,
      };
      const $setOnInsert = { ...storefront, keyword, ranking, ...unrequested };
      const isNew = revision === 0;
      const update: UpdateQueryKnownOnly<TermDocument> = { $set, $min, $inc };
      if (isNew) update.$setOnInsert = $setOnInsert;
      try {
        const { matchedCount, upsertedCount } = await terms.updateOne({ _id, revision }, update, {
          upsert: isNew,
        });
        return matchedCount + upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Adds the event of scores that are already stored. Index: _id. */
    async publish(id: string, at: Date, event: NewEvent): Promise<void> {
      await terms.updateOne({ _id: id }, { $set: outboxSet(event, at) });
    },

    /**
     * Finishes a measurement whose scores were published: sets when the term is due next, or unschedules it when
     * `dueAt` is null; requests it until `requestedUntil`, if given. A tracked term keeps its importance: its next snapshot makes it due. Changes nothing when the
     * term was requested since (`request_count` is from before the measurement): it is then due as requested. Index:
     * _id.
     */
    async schedule(
      term: Pick<TermDocument, '_id' | 'request_count' | 'is_tracked'>,
      { dueAt, failures, requestedUntil }: { dueAt: Date | null; failures: number; requestedUntil?: Date },
    ): Promise<void> {
      const losesImportance = dueAt === null && !term.is_tracked;
      const $set: Partial<TermDocument> = { failures, has_unpublished_scores: false };
      if (dueAt) $set.due_at = dueAt;
      if (requestedUntil) $set.requested_until = requestedUntil;
      if (losesImportance) $set.importance = importances.described;
      const $unset: Partial<Record<keyof TermDocument, ''>> = { ...endClaim };
      if (dueAt === null) $unset.due_at = '';
      await terms.updateOne({ _id: term._id, request_count: term.request_count }, { $set, $unset });
    },

    /** Terms with scores of an older version, requested or not. Index: score.scoring_version. */
    listOutdatedScores: (version: number, limit: number) =>
      terms
        .find({ 'score.scoring_version': { $lt: version } })
        .limit(limit)
        .select({ outbox: 0, outbox_since: 0, outbox_last: 0 })
        .lean<TermDocument[]>(),
  };
}
