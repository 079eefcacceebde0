import { type Connection, Schema } from 'mongoose';

/** A stored account. `key_version` grows with every new key, so older keys are recognized. */
export type AccountDocument = {
  _id: string;
  email: string;
  plan: string;
  key_hash: string;
  key_prefix: string;
  key_version: number;
  /** When the key was made. Absent: with the account (version 1), or not known. */
  key_made_at?: Date;
  /** Grows with every change of the key or the plan, and ends the sessions of before. Absent: never changed. */
  version?: number;
  created_at: Date;
  /** When it was created, its key or plan changed, or a connection of it ended. */
  changed_at: Date;
  /** How its people use the dashboard. Absent: not yet. */
  dashboard?: {
    /** The last use, to the minute. */
    seen_at?: Date;
    /** When the visit before the present one ended. */
    visit_ended_at?: Date;
    /** Whether letters are no shortcuts. */
    shortcuts_off?: boolean;
  };
  /**
   * When the account was deleted; absent while it exists. Email and key are erased at once, the document follows once
   * no service has rows of the account.
   */
  deleted_at?: Date;
};

const accountSchema = new Schema<AccountDocument>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true, unique: true },
    plan: { type: String, required: true },
    key_hash: { type: String, unique: true, sparse: true },
    key_prefix: { type: String },
    key_version: { type: Number, required: true },
    key_made_at: Date,
    version: { type: Number },
    created_at: { type: Date, required: true },
    changed_at: { type: Date, required: true },
    dashboard: { seen_at: Date, visit_ended_at: Date, shortcuts_off: Boolean },
    deleted_at: Date,
  },
  { collection: 'accounts', versionKey: false },
)
  .index({ changed_at: 1 })
  .index({ deleted_at: 1 }, { sparse: true });

export function createAccountModel(connection: Connection) {
  return connection.model('Account', accountSchema);
}

/** Reads the version of an account's key; null when there is no such account. */
export function createFindKeyVersion(connection: Connection): (accountId: string) => Promise<number | null> {
  const model = createAccountModel(connection);
  return async (accountId) => {
    const found = await model
      .findOne({ _id: accountId })
      .select({ key_version: 1 })
      .lean<Pick<AccountDocument, 'key_version'>>();
    return found?.key_version ?? null;
  };
}
