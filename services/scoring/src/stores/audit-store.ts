import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type NewEvent, outboxFields, outboxInsert, outboxSet } from '@shelfwise/runtime/outbox';
import { type Connection, Schema } from 'mongoose';
import type { Release } from '../domain/release.ts';
import { packReport, unpackReport } from './stored-report.ts';

/** The newest audit of a listing. */
export type StoredAudit = {
  listing_id: number;
  /** with all words */
  report: AsoReport;
  scoring_version: number;
  computed_at: Date;
  /** Of the listing that was audited. */
  revision: number;
  release: Release;
};

type AuditDocument = Omit<StoredAudit, 'listing_id' | 'report'> & { _id: number; report: Buffer };

const schema = new Schema<AuditDocument>(
  {
    _id: { type: Number, required: true },
    report: { type: Buffer, required: true },
    scoring_version: { type: Number, required: true },
    computed_at: { type: Date, required: true },
    revision: { type: Number, required: true },
    release: {
      type: new Schema<Release>({ date: { type: Date, required: true }, version: String }, { _id: false }),
      required: true,
    },
    ...outboxFields,
  },
  { versionKey: false },
).index({ outbox_since: 1 }, { sparse: true });

export type AuditStore = ReturnType<typeof createAuditStore>;

/** One document of some 20 KB per listing, which begins when it is first audited. */
export function createAuditStore(connection: Connection) {
  const audits = connection.model('Audit', schema, 'audits');

  return {
    model: audits,

    /** Null: never audited. By `_id`. */
    async find(listingId: number): Promise<StoredAudit | null> {
      const row = await audits
        .findById(listingId)
        .select({ outbox: 0, outbox_since: 0, outbox_last: 0 })
        .lean<AuditDocument>();
      if (!row) return null;
      const { _id, report, release, ...audit } = row;
      return {
        listing_id: _id,
        ...audit,
        report: unpackReport(report),
        release: { date: release.date, version: release.version ?? null },
      };
    },

    /**
     * Puts an audit in the place of the one that was there, with the event that tells of it. False, and nothing happens,
     * when another one came in between. By `_id`.
     */
    async replace(
      previous: StoredAudit | null,
      { listing_id: _id, report, ...audit }: StoredAudit,
      event: NewEvent | null,
    ): Promise<boolean> {
      const row = { ...audit, report: packReport(report) };
      const at = audit.computed_at;
      if (previous === null)
        return isNew(() => audits.create({ _id, ...row, ...(event && outboxInsert(event, at)) }));
      const { matchedCount } = await audits.updateOne(
        { _id, computed_at: previous.computed_at },
        { $set: { ...row, ...(event && outboxSet(event, at)) } },
      );
      return matchedCount === 1;
    },
  };
}

/** False when somebody else made the document first. */
async function isNew(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
