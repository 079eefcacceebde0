import { type Connection, Schema } from 'mongoose';

/** A link that shows one app without a key. Its id is the SHA-256 of the secret in its address. */
export type ShareLinkDocument = {
  _id: string;
  /** as the API names it */
  number: number;
  account_id: string;
  /** internal id of the app */
  app_id: number;
  label: string;
  /** From 0 to 19: no two links of an account have the same one, so that it has no more than 20. */
  slot: number;
  created_at: Date;
  expires_at: Date;
};

const schema = new Schema<ShareLinkDocument>(
  {
    _id: { type: String, required: true },
    number: { type: Number, required: true },
    account_id: { type: String, required: true },
    app_id: { type: Number, required: true },
    label: { type: String, required: true },
    slot: { type: Number, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'share_links', versionKey: false },
)
  .index({ account_id: 1, slot: 1 }, { unique: true })
  .index({ expires_at: 1 });

export function createShareLinkModel(connection: Connection) {
  return connection.model('ShareLink', schema);
}
