import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, outboxSet } from '@shelfwise/runtime/events/outbox';
import { singleBatchSize } from '@shelfwise/runtime/mongo/batch-sizes';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { importances } from '../domain/importance.ts';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Ranking } from './stored-term.ts';
import { type KeptTerm, type TermStore, termId } from './term-store.ts';

/** What a measuring has made of a term. */
export type MeasuredTerm = {
  storefront: Storefront;
  keyword: string;
  /** That of the term as it was read before; 0: there was none. */
  revision: number;
  reading: KeywordReading;
  score: KeywordScore;
  /** Of a result page that was read; null: none was. */
  ranking: Ranking | null;
};

/** A measuring that has not ended so long after its writing has died: the term comes due, and is told then. */
const endsWithinMs = 60_000;

export type MeasuredTermStore = ReturnType<typeof createMeasuredTermStore>;

/** The terms as whoever measures them writes them. */
export function createMeasuredTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  return {
    /**
     * Writes what a measuring has made of a term, with the event that tells of it, and makes the term when it is new. It
     * is to be told then, and `plan` ends the measuring. A page's ranking takes the place of an older day's only. False,
     * and nothing is written, when another measuring has written since. By `_id`; two updates when a page was read while
     * another ranking of its day is there already.
     */
    async keep(measured: MeasuredTerm, at: Date, event: NewEvent | null): Promise<boolean> {
      const { storefront, keyword, revision, ranking, reading, score } = measured;
      const _id = termId(storefront, keyword);
      const $set = { reading, score, is_untold: true, ...(event && outboxSet(event, at)) };
      const $min = { due_at: new Date(at.getTime() + endsWithinMs) };
      const $inc = { revision: 1 };
      if (ranking) {
        const { matchedCount } = await terms.updateOne(
          { _id, revision, $or: [{ ranking: null }, { 'ranking.day': { $lt: ranking.day } }] },
          { $set: { ...$set, ranking }, $min, $inc },
        );
        if (matchedCount > 0) return true;
      }
      const nobodys = { is_tracked: false, importance: importances.described, failures: 0, asks: 0 };
      const $setOnInsert = { ...storefront, keyword, ranking, ...nobodys };
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

    /** The event of scores that are kept already. By `_id`. */
    async tell(id: string, at: Date, event: NewEvent): Promise<void> {
      await terms.updateOne({ _id: id }, { $set: outboxSet(event, at) });
    },

    /**
     * Ends a measuring that everybody was told of: when the term is due next, null for not by itself. Nothing happens
     * when somebody has asked for it since (`asks` is what was read before it): then it is due as he said. By `_id`.
     */
    async plan(
      { _id, asks, is_tracked: isTracked }: Pick<KeptTerm, '_id' | 'asks' | 'is_tracked'>,
      { dueAt, failures }: { dueAt: Date | null; failures: number },
    ): Promise<void> {
      const isForgotten = dueAt === null && !isTracked;
      await terms.updateOne(
        { _id, asks },
        {
          $set: {
            failures,
            is_untold: false,
            ...(dueAt && { due_at: dueAt }),
            ...(isForgotten && { importance: importances.described }),
          },
          $unset: { claimed_by: '', ...(dueAt === null && { due_at: '' }) },
        },
      );
    },

    /** Terms with scores of an older version, whoever wants them. Index: score.scoring_version. */
    listOutdated: (version: number, limit: number) =>
      terms
        .find({ 'score.scoring_version': { $lt: version } })
        .limit(limit)
        .batchSize(singleBatchSize(limit))
        .select({ outbox: 0, outbox_since: 0, outbox_last: 0 })
        .lean<KeptTerm[]>(),
  };
}
