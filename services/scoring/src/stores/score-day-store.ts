import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { utcDay } from '@shelfwise/runtime/day';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import { keiOfScore } from '../domain/keyword/kei.ts';
import type { KeywordScore } from '../domain/keyword/keyword-score.ts';
import type { Term } from './term.ts';

/** The last scores of a term on one UTC day. Null: unknown. */
export type ScoreDay = {
  /** UTC */
  day: string;
  /** 0 to 100 */
  difficulty: number | null;
  traffic: number | null;
  /** 0 to 100, one decimal */
  kei: number | null;
  /** The traffic was computed without the store's suggestions. */
  is_partial: boolean;
  scoring_version: number;
};

type ScoreDayDocument = ScoreDay & {
  /** `<day>:<term id>`: a term id may end like a day */
  _id: string;
  term_id: string;
  scored_at: Date;
};

const schema = new Schema<ScoreDayDocument>(
  {
    _id: { type: String, required: true },
    term_id: { type: String, required: true },
    day: { type: String, required: true },
    difficulty: { type: Number, default: null },
    traffic: { type: Number, default: null },
    kei: { type: Number, default: null },
    is_partial: { type: Boolean, required: true },
    scoring_version: { type: Number, required: true },
    scored_at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ term_id: 1, day: 1 })
  .index({ day: 1 });

const maxDays = 400;
const daysPerWrite = 50;

export type ScoreDayStore = ReturnType<typeof createScoreDayStore>;

/** The scores of each term by day: one row per UTC day on which it was measured, of some 250 bytes. */
export function createScoreDayStore(connection: Connection) {
  const days = connection.model('ScoreDay', schema, 'score_days');

  const saveTogether = createBatches<ScoreDayDocument, undefined>({
    maxItems: daysPerWrite,
    async run(rows) {
      // The last scores of a term and day win.
      const newest = [...new Map(rows.toSorted(byTime).map((row) => [row._id, row])).values()];
      try {
        await bulkWriteInChunks(
          days,
          newest.map((row) => ({ updateOne: toUpsert(row) })),
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Another copy has stored a later score, or the same row at the same time.
        for (const row of newest) {
          const { filter, update } = toUpsert(row);
          await upsertNewest(() => days.updateOne(filter, update, { upsert: true }));
        }
      }
      return rows.map(() => undefined);
    },
  });

  return {
    /**
     * Stores the scores of a term for their UTC day, unless later ones of that day are stored; nothing while no score is known.
     * Calls at the same time share a command. Index: _id.
     */
    async save({ _id, score }: Pick<Term, '_id' | 'score'>): Promise<void> {
      if (score == null || (score.difficulty === null && score.traffic === null)) return;
      await saveTogether(toDocument(_id, score));
    },

    /** The rows of a window of at most 400 days, both ends included, oldest first. Index: term_id, day. */
    async listBetween(termId: string, from: string, to: string): Promise<ScoreDay[]> {
      return days
        .find({ term_id: termId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .limit(maxDays)
        .select({ _id: 0, day: 1, difficulty: 1, traffic: 1, kei: 1, is_partial: 1, scoring_version: 1 })
        .lean<ScoreDay[]>();
    },

    /** Deletes a batch of rows of days before `day` (YYYY-MM-DD); see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(days, { day: { $lt: day } }, { day: 1 }),
  };
}

function byTime(a: ScoreDayDocument, b: ScoreDayDocument): number {
  return a.scored_at.getTime() - b.scored_at.getTime();
}

function toDocument(termId: string, score: KeywordScore): ScoreDayDocument {
  const day = utcDay(score.scored_at);
  return {
    _id: `${day}:${termId}`,
    term_id: termId,
    day,
    difficulty: score.difficulty,
    traffic: score.traffic,
    kei: keiOfScore(score)?.score ?? null,
    is_partial: score.is_partial,
    scoring_version: score.scoring_version,
    scored_at: score.scored_at,
  };
}

function toUpsert({ _id, ...row }: ScoreDayDocument) {
  return {
    filter: { _id, scored_at: { $not: { $gt: row.scored_at } } },
    update: { $set: row },
    upsert: true,
  };
}
