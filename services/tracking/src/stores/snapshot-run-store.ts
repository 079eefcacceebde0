import type { Store } from '@shelfwise/facts/stores/store';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';

/** Counts of a run, in keywords. */
export type RunCounts = { done: number; failed: number };

/** A run that an operator started. There is one document: the run that was started last. */
export type SnapshotRunDocument = RunCounts & {
  _id: 'last';
  run_id: string;
  started_at: Date;
  /** Null while it is in progress. */
  ended_at: Date | null;
  request_id: string;
  /** YYYY-MM-DD: a run over one day. Null: a run over what is due. */
  day: string | null;
  /** How many keywords it is over. */
  total: number;
  /** Keywords that were not tried; set at the end. */
  left: number;
  /** Why keywords are not read, at the end. */
  problems: string[];
  /** Over what is due: keywords planned before this time belong to it; null over one day. */
  planned_before: Date | null;
  /** Over what is due: the keywords of the store planned from this time on are still to be made due; null: none. */
  prepare_from: Partial<Record<Store, Date | null>>;
  /** Over one day: the keywords up to this id were tried, and how many these are. */
  after_id: number;
  visited: number;
  /** Over what is due, by copy of the service: why and until when its workers are paused. */
  pauses: Record<string, { until: Date; texts: string[] } | null>;
};

export type NewSnapshotRun = Omit<SnapshotRunDocument, '_id' | 'ended_at' | 'left' | 'problems' | 'pauses'>;

const schema = new Schema<SnapshotRunDocument>(
  {
    _id: { type: String, required: true },
    run_id: { type: String, required: true },
    started_at: { type: Date, required: true },
    ended_at: { type: Date, default: null },
    request_id: { type: String, required: true },
    day: { type: String, default: null },
    total: { type: Number, required: true },
    done: { type: Number, required: true },
    failed: { type: Number, required: true },
    left: { type: Number, required: true },
    problems: [String],
    planned_before: { type: Date, default: null },
    prepare_from: { type: Schema.Types.Mixed },
    after_id: { type: Number, required: true },
    visited: { type: Number, required: true },
    pauses: { type: Schema.Types.Mixed },
  },
  { versionKey: false, minimize: false },
);

export type SnapshotRunStore = ReturnType<typeof createSnapshotRunStore>;

/** All queries use the index of `_id`. */
export function createSnapshotRunStore(connection: Connection) {
  const runs = connection.model('SnapshotRun', schema, 'snapshot_runs');
  const inProgress = (runId: string) => ({ _id: 'last' as const, run_id: runId, ended_at: null });

  return {
    find: () => runs.findById('last').lean<SnapshotRunDocument>(),

    /** Replaces the run `previousId` (null: there is none). False when another copy started one first. */
    async create(run: NewSnapshotRun, previousId: string | null): Promise<boolean> {
      const content = { ...run, ended_at: null, left: 0, problems: [], pauses: {} };
      if (previousId !== null) {
        const { matchedCount } = await runs.replaceOne({ _id: 'last', run_id: previousId }, content);
        return matchedCount === 1;
      }
      return tryCreate(() => runs.create({ _id: 'last', ...content }));
    },

    /** How far the keywords of a store are made due. */
    async setPrepared(runId: string, store: Store, from: Date | null): Promise<void> {
      await runs.updateOne(inProgress(runId), { $set: { [`prepare_from.${store}`]: from } });
    },

    /** How far a run over one day is. False when the run has ended. */
    async setVisited(
      runId: string,
      progress: RunCounts & Pick<SnapshotRunDocument, 'after_id' | 'visited'>,
    ): Promise<boolean> {
      const { matchedCount } = await runs.updateOne(inProgress(runId), { $set: progress });
      return matchedCount === 1;
    },

    /** Counts failed readings of the workers of a copy for a run over what is due, if one is in progress. */
    async addFailures(
      count: number,
      copyId: string,
      pause: { until: Date; texts: string[] } | null,
    ): Promise<void> {
      const filter = { _id: 'last' as const, ended_at: null, day: null };
      await runs.updateOne(filter, { $inc: { failed: count }, $set: { [`pauses.${copyId}`]: pause } });
    },

    /** Ends the run with its last counts. The first call counts. */
    async end(
      runId: string,
      end: RunCounts & Pick<SnapshotRunDocument, 'ended_at' | 'left' | 'problems'>,
    ): Promise<void> {
      await runs.updateOne(inProgress(runId), { $set: end });
    },
  };
}
