import { type Connection, Schema } from 'mongoose';
import type { DraftTexts } from './drafts.ts';

/** What is typed for an app and not scored yet. Its id is that of the account, and that of the app in Shelfwise. */
export type DraftDocument = DraftTexts & {
  _id: string;
  account_id: string;
  kept_at: Date;
  expires_at: Date;
};

const draftSchema = new Schema<DraftDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    title: { type: String },
    subtitle: { type: String },
    description: { type: String },
    kw_field: { type: String },
    kept_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'drafts', versionKey: false },
)
  .index({ account_id: 1 })
  .index({ expires_at: 1 });

export function createDraftModel(connection: Connection) {
  return connection.model('Draft', draftSchema);
}
