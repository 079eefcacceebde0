import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { foldCase, literalPattern } from '@shelfwise/facts/text/literal-search';
import { createAccountHistory, type PageRequest } from '@shelfwise/runtime/mongo/account-history';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { updateOrCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import type { AuditContext, ListingTexts } from '../domain/audit/audit-input.ts';
import type { AxisDeltas, AxisScores, DeltaBounds } from '../domain/audit/axes/axis-scores.ts';

/**
 * The texts that were scored. Null: left to the app, whose text could not be read. A keywords field is empty then, too, and
 * `kw_field_known` tells which.
 */
export type RunTexts = Omit<ListingTexts, 'kw_field'> & { kw_field: string };

export type RunContext = Omit<AuditContext, 'installs'>;

/** What a draft with a keywords field is compared with while that of the app is unknown: the listing with an empty one. */
export type DeltaBasis = {
  kw_field: 'empty';
  /** null: too few words of the listing are read */
  aso_health: AxisScores | null;
};

/** The parts of a run that identify its draft and never change. */
export type RunDraft = Storefront & {
  /** `draftFingerprint` */
  fingerprint: string;
  account_id: string;
  /** internal app id; null for a draft that is not of a tracked app */
  app_id: number | null;
  title: string | null;
  listing: RunTexts;
  kw_field_known: boolean;
};

/** The result of a run; the next run of the same draft replaces it. */
export type RunResult = {
  /** Null: too few words of the draft were read. So is `report`. */
  aso_health: AxisScores | null;
  /**
   * The app's own overall score at that time, with the keywords field that the account kept. Null: no app, or too few of its
   * words are read.
   */
  baseline_global: number | null;
  /** Null without an app. */
  delta: AxisDeltas | null;
  /** What pending phrases could make of `delta`; null: none is pending, or no delta is known. */
  delta_bounds: DeltaBounds | null;
  /** What `delta` compares with, if it is not the app's own score; null: it is. */
  delta_basis: DeltaBasis | null;
  context: RunContext;
  /** False when the app's live listing was scored unchanged. */
  edited: boolean;
  /** `probedCount` of its terms, words and phrases */
  words_probed: number;
  /** Without the words of its fields, unless the run asked for them. */
  report: AsoReport | null;
  /** Whether `report` has them. */
  has_words: boolean;
  /** Of all scores of the run, which are compared with those of no other version. */
  scoring_version: number;
};

/** What a run of the draft predicted, if it was the next listing of the app. */
export type Prediction = {
  at: Date;
  /** Of the overall score; null: not known. */
  delta_global: number | null;
};

export type StoredRun = RunDraft &
  RunResult & {
    _id: number;
    /**
     * The last prediction against each listing that the app had, by `textsFingerprint` of it: a run against the next listing, such as
     * the shipped draft itself, leaves it. Absent: none, or stored by an older version.
     */
    predictions?: Record<string, Prediction>;
    /** `foldCase` of the title; empty for an unknown one, so that no search finds it */
    title_search: string;
    runs_count: number;
    last_run_at: Date;
  };

/** A run as a list shows it. */
export type RunRow = Omit<
  StoredRun,
  'listing' | 'context' | 'delta_bounds' | 'delta_basis' | 'report' | 'predictions'
>;

/** A run as it is compared with the texts of a listing. */
export type FoundRun = Pick<StoredRun, '_id' | 'listing' | 'predictions'>;

const schema = new Schema<StoredRun>(
  {
    _id: { type: Number, required: true },
    fingerprint: { type: String, required: true },
    account_id: { type: String, required: true },
    app_id: { type: Number, default: null },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    title: String,
    title_search: String,
    listing: Schema.Types.Mixed,
    kw_field_known: { type: Boolean, required: true },
    aso_health: Schema.Types.Mixed,
    baseline_global: { type: Number, default: null },
    delta: Schema.Types.Mixed,
    delta_bounds: Schema.Types.Mixed,
    delta_basis: Schema.Types.Mixed,
    context: Schema.Types.Mixed,
    edited: { type: Boolean, required: true },
    words_probed: { type: Number, required: true },
    report: { type: Schema.Types.Mixed, default: null },
    has_words: { type: Boolean, required: true },
    scoring_version: { type: Number, required: true },
    predictions: Schema.Types.Mixed,
    runs_count: { type: Number, required: true },
    last_run_at: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
)
  .index({ fingerprint: 1 }, { unique: true })
  .index({ account_id: 1, last_run_at: 1, _id: 1 })
  .index({ account_id: 1, app_id: 1, last_run_at: 1 })
  .index({ last_run_at: 1 });

export type SimulationRunStore = ReturnType<typeof createSimulationRunStore>;

/** Runs of drafts: one row of about 15 KB per distinct draft, and of up to 150 KB with its words. */
export function createSimulationRunStore(connection: Connection, counters: CounterStore<'simulation'>) {
  const runs = connection.model('SimulationRun', schema, 'simulation_runs');

  const history = createAccountHistory<StoredRun>(runs, 'last_run_at');

  return {
    ...history,

    /**
     * Stores a run in a new row, or replaces the result in the row of the same draft and counts the run there. Index:
     * fingerprint.
     * @param against `textsFingerprint` of the listing that the draft would change; null: none, or not known
     */
    save: (
      draft: RunDraft,
      result: RunResult,
      { at, against }: { at: Date; against: string | null },
    ): Promise<{ id: number; isNew: boolean }> => {
      const prediction: Prediction = { at, delta_global: result.delta?.global ?? null };
      const predicted = against === null ? {} : { [`predictions.${against}`]: prediction };
      return updateOrCreate<{ id: number; isNew: boolean }>(
        async () => {
          const run = await runs
            .findOneAndUpdate(
              { fingerprint: draft.fingerprint },
              { $set: { ...result, ...predicted, last_run_at: at }, $inc: { runs_count: 1 } },
              { returnDocument: 'after' },
            )
            .lean<StoredRun>();
          return run && { id: run._id, isNew: false };
        },
        async () => {
          const _id = await counters.take('simulation', 1);
          await runs.create({
            _id,
            ...draft,
            ...result,
            title_search: foldCase(draft.title ?? ''),
            predictions: against === null ? {} : { [against]: prediction },
            runs_count: 1,
            last_run_at: at,
          });
          return { id: _id, isNew: true };
        },
      );
    },

    /** A page of the runs whose title contains the text (null: all). With one, every row of the account is read. */
    readPage: (request: PageRequest, search: string | null) =>
      history.readPage<RunRow>(request, {
        filter: search === null ? {} : { title_search: literalPattern(search) },
        omitted: { listing: 0, context: 0, delta_bounds: 0, delta_basis: 0, report: 0, predictions: 0 },
      }),

    /**
     * The latest `limit` runs of an app whose title is one of these, newest first. Reads the rows of the app: a title can be longer
     * than an entry of an index. Index: account_id, app_id, last_run_at.
     */
    findByTitles: (
      { accountId, appId }: { accountId: string; appId: number },
      titles: readonly string[],
      limit: number,
    ): Promise<FoundRun[]> =>
      runs
        .find({ account_id: accountId, app_id: appId, title: { $in: titles } })
        .sort({ last_run_at: -1, _id: -1 })
        .limit(limit)
        .select({ listing: 1, predictions: 1 })
        .lean<FoundRun[]>(),

    /** Null when there is no such run or it belongs to another account. Index: _id. */
    find: (accountId: string, id: number) =>
      runs.findOne({ _id: id, account_id: accountId }).lean<StoredRun>(),
  };
}
