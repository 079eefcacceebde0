import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, outboxSet } from '@shelfwise/runtime/events/outbox';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { importances } from '../domain/term-schedule.ts';
import type { Ranking } from './term.ts';
import { type TermDocument, type TermStore, termId } from './term-store.ts';

/** The result of measuring a term. */
export type MeasuredTerm = {
  storefront: Storefront;
  keyword: string;
  /** Of the term before the measuring; 0: there was none. */
  revision: number;
  reading: KeywordReading;
  score: KeywordScore;
  /** Of a result page that was read; null: none was. */
  ranking: Ranking | null;
};

/** A measuring that has not finished so long after its write has died: the term comes due, and its scores are published. */
const recoveryMs = 60_000;

export type MeasuredTermStore = ReturnType<typeof createMeasuredTermStore>;

/** The writes of a measuring. */
export function createMeasuredTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  return {
    /**
     * Stores the result of a measuring with its event; creates the term when it is new. Its scores count as unpublished
     * until `schedule` finishes the measuring. A page's ranking replaces only one of an older day. False, and nothing is
     * written, when another measuring has written since. Index: _id; two updates when a page was read while another ranking
     * of its day is there already.
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
      try {
        const { matchedCount, upsertedCount } = await terms.updateOne(
          { _id, revision },
          { $set, $min, $inc, ...(isNew && { $setOnInsert }) },
          { upsert: isNew },
        );
        return matchedCount + upsertedCount > 0;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Adds the event of scores that are stored already. Index: _id. */
    async publish(id: string, at: Date, event: NewEvent): Promise<void> {
      await terms.updateOne({ _id: id }, { $set: outboxSet(event, at) });
    },

    /**
     * Finishes a measuring whose scores were published: sets when the term is due next, null for not by itself. Nothing
     * happens when the term was requested since (`request_count` is from before the measuring): then it is due as requested.
     * Index: _id.
     */
    async schedule(
      term: Pick<TermDocument, '_id' | 'request_count' | 'is_tracked'>,
      { dueAt, failures }: { dueAt: Date | null; failures: number },
    ): Promise<void> {
      const isUnscheduled = dueAt === null && !term.is_tracked;
      await terms.updateOne(
        { _id: term._id, request_count: term.request_count },
        {
          $set: {
            failures,
            has_unpublished_scores: false,
            ...(dueAt && { due_at: dueAt }),
            ...(isUnscheduled && { importance: importances.described }),
          },
          $unset: { claimed_by: '', ...(dueAt === null && { due_at: '' }) },
        },
      );
    },

    /** Terms with scores of an older version, requested or not. Index: score.scoring_version. */
    listOutdatedScores: (version: number, limit: number) =>
      terms
        .find({ 'score.scoring_version': { $lt: version } })
        .limit(limit)
        .batchSize(singleBatchSize(limit))
        .select({ outbox: 0, outbox_since: 0, outbox_last: 0 })
        .lean<TermDocument[]>(),
  };
}
