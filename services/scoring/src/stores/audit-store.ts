import { type NewEvent, outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/events/outbox';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { type Connection, Schema } from 'mongoose';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import type { Release } from '../domain/release.ts';

/** The newest audit of a listing. */
export type StoredAudit = {
  listing_id: number;
  /** with all words */
  report: AsoReport;
  scoring_version: number;
  computed_at: Date;
  /** revision of the audited listing */
  revision: number;
  release: Release;
};

type AuditDocument = Omit<StoredAudit, 'listing_id'> & { _id: number };

const schema = new Schema<AuditDocument>(
  {
    _id: { type: Number, required: true },
    report: { type: Schema.Types.Mixed, required: true },
    scoring_version: { type: Number, required: true },
    computed_at: { type: Date, required: true },
    revision: { type: Number, required: true },
    release: {
      type: new Schema<Release>({ date: { type: Date, required: true }, version: String }, { _id: false }),
      required: true,
    },
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
).index({ outbox_since: 1 }, { sparse: true });

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
      return { listing_id: _id, ...audit };
    },

    /**
     * Replaces the previous audit (null: none is stored) and stores the event of the new one. Returns false and writes
     * nothing when another audit was stored since `previous` was read. Index: _id.
     */
    async replace(
      previous: StoredAudit | null,
      { listing_id: _id, ...audit }: StoredAudit,
      event: NewEvent | null,
    ): Promise<boolean> {
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

/** False when another copy created the document first. */
async function tryCreate(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
