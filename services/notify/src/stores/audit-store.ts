import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import type { AuditScore, KeptAudit } from '../domain/audit-change.ts';

type AuditDocument = KeptAudit & {
  /** internal app id */
  _id: number;
  /** when the newest audit started: its version */
  at: Date;
};

const scoreSchema = new Schema<AuditScore>(
  {
    global: { type: Number, required: true },
    scoring_version: { type: Number, required: true },
    day: { type: String, required: true },
  },
  { _id: false },
);

const schema = new Schema<AuditDocument>(
  {
    _id: { type: Number, required: true },
    at: { type: Date, required: true },
    newest: { type: scoreSchema, required: true },
    day_before: { type: scoreSchema, default: null },
  },
  { versionKey: false },
);

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The newest complete audit of each listing, with that of the day before. Shared by all accounts. Every query uses _id. */
export function createAuditStore(connection: Connection) {
  const audits = connection.model('Audit', schema, 'audits');

  return {
    find: (listingId: number) => audits.findById(listingId).lean<AuditDocument>(),

    /** Unless this audit or a newer one is kept. */
    async saveNewest(listingId: number, audit: KeptAudit, at: Date): Promise<void> {
      await upsertNewest(() =>
        audits.updateOne(
          { _id: listingId, at: { $lt: at } },
          { $set: { newest: audit.newest, day_before: audit.day_before, at } },
          { upsert: true },
        ),
      );
    },
  };
}
