import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { type NewEvent, outboxSet } from '@shelfwise/runtime/events/outbox';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import type { UpdateQueryKnownOnly } from 'mongoose';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import { importances } from '../domain/term-schedule.ts';
import { formOf } from '../domain/text/form-of.ts';
import type { PublicPage, Ranking } from './term.ts';
import { termId } from './term-filters.ts';
import type { TermUpdate } from './term-requests.ts';
import type { TermDocument } from './term-schema.ts';
import type { TermStore } from './term-store.ts';

export type MeasuredTerm = {
  storefront: Storefront;
  keyword: string;
  /** revision of the term before the measurement; 0: the term was new */
  revision: number;
  reading: KeywordReading;
  score: KeywordScore;
  /** Ranking on the result page that was read; null: none was read, or one of that day or later is stored. */
  ranking: Ranking | null;
  /** null: as before */
  publicPage: PublicPage | null;
  /** Whether the page is unproven; null: as before. */
  isUnproven: boolean | null;
};

/**
 * A measurement that has not finished this long after its write has crashed: the term becomes due, and its scores are
 * published.
 */
const recoveryMs = 60_000;

const termsPerWrite = 50;

export type MeasuredTermStore = ReturnType<typeof createMeasuredTermStore>;

/**
 * The writes of a measurement. Those of measurements that run at the same time share a command.
 */
export function createMeasuredTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  const saveTogether = createBatches({ run: saveAll, maxItems: termsPerWrite });
  /** Returns whether all terms of the batch were scheduled. */
  const scheduleTogether = createBatches({
    async run(updates: readonly TermUpdate[]) {
      const { matchedCount } = await bulkWriteInChunks(
        terms,
        updates.map((updateOne) => ({ updateOne })),
      );
      return updates.map(() => matchedCount === updates.length);
    },
    maxItems: termsPerWrite,
  });

  /**
   * Of several measurements of one term only the first is written. The others would not match its new revision, and none of the
   * batch would be saved in one command.
   */
  async function saveAll(saved: readonly SaveUpdates[]): Promise<boolean[]> {
    const ids = saved.map(({ withoutRanking }) => withoutRanking.filter._id);
    const isFirst = ids.map((id, index) => ids.indexOf(id) === index);
    const outcomes = (await saveDifferent(saved.filter((_save, index) => isFirst[index]))).values();
    return isFirst.map((first) => first && outcomes.next().value === true);
  }

  /**
   * One command, if no other write came between. Otherwise each is saved alone. It is not known which ones are already written:
   * those return false, and are saved once more with the same result.
   */
  async function saveDifferent(saved: readonly SaveUpdates[]): Promise<boolean[]> {
    try {
      const { matchedCount, upsertedCount } = await bulkWriteInChunks(
        terms,
        saved.map(({ withRanking, withoutRanking }) => ({ updateOne: withRanking ?? withoutRanking })),
      );
      if (matchedCount + upsertedCount === saved.length) return saved.map(() => true);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return Promise.all(saved.map(saveAlone));
  }

  async function saveAlone({ withRanking, withoutRanking }: SaveUpdates): Promise<boolean> {
    try {
      return (withRanking && (await update(withRanking))) || (await update(withoutRanking));
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Returns whether a document was written. */
  async function update({ filter, update: change, upsert = false }: SaveUpdate): Promise<boolean> {
    const { matchedCount, upsertedCount } = await terms.updateOne(filter, change, { upsert });
    return matchedCount + upsertedCount > 0;
  }

  return {
    /**
     * Stores the result of a measurement with its event; creates the term when it is new. Its scores count as
     * unpublished until `schedule` finishes the measurement. The ranking of a page replaces only one of an older day, or an
     * empty one. Returns false and writes nothing when another measurement has written since. Index: _id; more than one update
     * when another copy has written one of the terms in between.
     */
    save: (measured: MeasuredTerm, at: Date, event: NewEvent | null): Promise<boolean> =>
      saveTogether(toSaveUpdates(measured, at, event)),

    /** Adds the event of scores that are already stored. Index: _id. */
    async publish(id: string, at: Date, event: NewEvent): Promise<void> {
      await terms.updateOne({ _id: id }, { $set: outboxSet(event, at) });
    },

    /**
     * Finishes a measurement whose scores were published: sets when the term is due next. With a `dueAt` of null it is
     * unscheduled; `requestedUntil` extends its request. A tracked term keeps its importance: its next snapshot makes it due. Others
     * lose it: no caller waits for them any more.
     * Changes nothing when the term was requested since (`request_count` is from before the measurement): it is then due as
     * requested. Returns false if so, for this term or one that was scheduled with it. Index: _id.
     */
    async schedule(
      term: Pick<TermDocument, '_id' | 'request_count' | 'is_tracked'>,
      { dueAt, failures, requestedUntil }: { dueAt: Date | null; failures: number; requestedUntil?: Date },
    ): Promise<boolean> {
      const losesImportance = dueAt === null && !term.is_tracked;
      const $set: Partial<TermDocument> = { failures, has_unpublished_scores: false };
      if (dueAt) $set.due_at = dueAt;
      if (requestedUntil) $set.requested_until = requestedUntil;
      if (losesImportance) $set.importance = importances.described;
      const $unset: Partial<Record<keyof TermDocument, ''>> = { ...endClaim };
      if (dueAt === null) $unset.due_at = '';
      const filter = { _id: term._id, request_count: term.request_count };
      const update: TermUpdate['update'] = { $set, $unset };
      if (!term.is_tracked && !losesImportance) update.$max = { importance: importances.indexed };
      return scheduleTogether({ filter, update });
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

type SaveUpdate = {
  filter: Record<string, unknown>;
  update: UpdateQueryKnownOnly<TermDocument>;
  upsert?: boolean;
};

/** `withRanking` matches only a term without a ranking of that day or later; null: there is none to store. */
type SaveUpdates = { withRanking: SaveUpdate | null; withoutRanking: SaveUpdate };

function toSaveUpdates(
  { storefront, keyword, revision, ranking, reading, score, publicPage, isUnproven }: MeasuredTerm,
  at: Date,
  event: NewEvent | null,
): SaveUpdates {
  const _id = termId(storefront, keyword);
  const unproven = isUnproven === null ? {} : { has_unproven_page: isUnproven };
  const shown = publicPage ? { public_page: publicPage } : {};
  const published = event && outboxSet(event, at);
  const form = formOf(keyword, storefront.lang);
  const $set = { reading, score, form, ...shown, ...unproven, has_unpublished_scores: true, ...published };
  const $min = { due_at: new Date(at.getTime() + recoveryMs) };
  const $inc = { revision: 1 };
  const withoutRanking: SaveUpdate = { filter: { _id, revision }, update: { $set, $min, $inc } };
  if (revision === 0) {
    const unrequested = {
      is_tracked: false,
      importance: importances.described,
      failures: 0,
      request_count: 0,
    };
    withoutRanking.update.$setOnInsert = { ...storefront, keyword, ranking, ...unrequested };
    withoutRanking.upsert = true;
  }
  if (!ranking) return { withRanking: null, withoutRanking };
  const disproved =
    ranking.app_ids.length === 0 ? [] : [{ 'ranking.day': ranking.day, 'ranking.is_empty': true }];
  // Does not match a term that was requested in between: its ranking is null, and this one would be lost.
  if (revision === 0) withoutRanking.filter['ranking.day'] = { $gte: ranking.day };
  const hasOlderRanking = { $or: [{ ranking: null }, { 'ranking.day': { $lt: ranking.day } }, ...disproved] };
  const withRanking = {
    filter: { _id, revision, ...hasOlderRanking },
    update: { $set: { ...$set, ranking }, $min, $inc },
  };
  return { withRanking, withoutRanking };
}
