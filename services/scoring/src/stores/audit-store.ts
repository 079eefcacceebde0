import { type NewEvent, outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { type Connection, Schema } from 'mongoose';
import type { Candidates } from '../domain/audit/advice/choose-candidates.ts';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import type { Neighbors } from '../domain/audit/axes/neighbors.ts';
import type { Readiness } from '../domain/audit/axes/readiness.ts';
import type { Release } from '../domain/release.ts';

/** The newest audit of a listing. */
export type StoredAudit = {
  listing_id: number;
  /** With all words. Its scores must not be shown unless `readiness` says so: see `shownReportOf`. */
  report: AsoReport;
  readiness: Readiness;
  /** The last report that could be shown, while `report` cannot; null: none, or `report` can. */
  earlier_report: AsoReport | null;
  /** Those that the report was computed with; drafts of the app are scored with them, too. */
  neighbors: Neighbors;
  /** As the neighbors: by form, the app's best rank on the pages of the audit's terms, and on kept pages of their other forms. */
  form_ranks: ReadonlyMap<string, number>;
  /** The terms that the listing might add; null: not chosen yet. */
  candidates: Candidates | null;
  scoring_version: number;
  computed_at: Date;
  /** revision of the audited listing, and when it was read */
  revision: number;
  read_at: Date;
  release: Release;
  /** Whether no earlier release is stored: its timeline need not be read. */
  is_timeline_empty: boolean;
};

type AuditDocument = Omit<StoredAudit, 'listing_id' | 'neighbors' | 'form_ranks'> & {
  _id: number;
  neighbors: StoredNeighbor[];
  form_ranks: StoredFormRank[];
};

/** Store identifiers have dots, so they are no keys of a document. */
type StoredNeighbor = { id: string; only_term: string | null };
type StoredFormRank = { form: string; rank: number };

const readinessSchema = new Schema<Readiness>(
  {
    is_shown: { type: Boolean, required: true },
    is_aim_read: { type: Boolean, required: true },
    are_words_read: { type: Boolean, required: true },
    has_pending_phrases: { type: Boolean, required: true },
    unread: { type: [String], default: [] },
    awaited: Schema.Types.Mixed,
    unproven_words: { type: [String], default: [] },
    has_description: { type: Boolean, required: true },
  },
  { _id: false },
);

const schema = new Schema<AuditDocument>(
  {
    _id: { type: Number, required: true },
    report: { type: Schema.Types.Mixed, required: true },
    readiness: { type: readinessSchema, required: true },
    earlier_report: { type: Schema.Types.Mixed, default: null },
    neighbors: { type: Schema.Types.Mixed, required: true },
    form_ranks: { type: Schema.Types.Mixed, required: true },
    candidates: Schema.Types.Mixed,
    scoring_version: { type: Number, required: true },
    computed_at: { type: Date, required: true },
    revision: { type: Number, required: true },
    read_at: { type: Date, required: true },
    is_timeline_empty: { type: Boolean, required: true },
    release: {
      type: new Schema<Release>({ date: { type: Date, required: true }, version: String }, { _id: false }),
      required: true,
    },
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
).index({ outbox_since: 1 }, { sparse: true });

/** The newest report that may be shown; null: none yet. */
export function shownReportOf(audit: StoredAudit): AsoReport | null {
  return audit.readiness.is_shown ? audit.report : audit.earlier_report;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** One document of 5 to 40 KB per listing, created by its first audit. */
export function createAuditStore(connection: Connection) {
  const audits = connection.model('Audit', schema, 'audits');

  return {
    model: audits,

    /** Null when the listing was never audited. Index: _id. */
    async find(listingId: number): Promise<StoredAudit | null> {
      const row = await audits
        .findById(listingId)
        .select({ outbox: 0, outbox_since: 0, outbox_last: 0 })
        .lean<AuditDocument>();
      if (!row) return null;
      const { _id, ...audit } = row;
      return {
        ...audit,
        listing_id: _id,
        neighbors: toNeighbors(audit.neighbors),
        form_ranks: new Map(audit.form_ranks.map(({ form, rank }) => [form, rank])),
      };
    },

    /** The neighbors of the app of a listing; none when it was never audited. Index: _id. */
    async findNeighbors(listingId: number): Promise<Neighbors> {
      const row = await audits
        .findById(listingId)
        .select({ neighbors: 1 })
        .lean<Pick<AuditDocument, 'neighbors'>>();
      return toNeighbors(row?.neighbors ?? []);
    },

    /**
     * Replaces the previous audit (null: none is stored) and stores the event of the new one. Returns false and writes
     * nothing when another audit was stored since `previous` was read. Index: _id.
     */
    async replace(
      previous: StoredAudit | null,
      { listing_id: _id, neighbors, form_ranks: formRanks, ...rest }: StoredAudit,
      event: NewEvent | null,
    ): Promise<boolean> {
      const stored = [...neighbors].map(([id, onlyTerm]) => ({ id, only_term: onlyTerm }));
      const ranks = [...formRanks].map(([form, rank]) => ({ form, rank }));
      const audit = { ...rest, neighbors: stored, form_ranks: ranks };
      const at = audit.computed_at;
      if (previous === null)
        return tryCreate(() => audits.create({ _id, ...audit, ...(event && outboxInsert(event, at)) }));
      const { matchedCount } = await audits.updateOne(
        // Audits of two readings may have the same time.
        { _id, computed_at: previous.computed_at, revision: previous.revision },
        { $set: { ...audit, ...(event && outboxSet(event, at)) } },
      );
      return matchedCount === 1;
    },
  };
}

function toNeighbors(stored: readonly StoredNeighbor[]): Neighbors {
  return new Map(stored.map(({ id, only_term: onlyTerm }) => [id, onlyTerm]));
}
