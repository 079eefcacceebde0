import { type Connection, Schema } from 'mongoose';

/** A signed-in browser. Its id is the SHA-256 of what the cookie holds. */
export type SessionDocument = {
  _id: string;
  account_id: string;
  /** The account's version at the sign-in: a session of another version has ended. */
  account_version: number;
  created_at: Date;
  last_seen_at: Date;
  /** when it ends by itself */
  expires_at: Date;
  /** what the browser calls itself */
  label: string;
};

const sessionSchema = new Schema<SessionDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    account_version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    last_seen_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    label: { type: String },
  },
  { collection: 'sessions', versionKey: false },
)
  .index({ account_id: 1, created_at: -1 })
  .index({ expires_at: 1 });

export function createSessionModel(connection: Connection) {
  return connection.model('Session', sessionSchema);
}

/** A link that signs in once. Its id is the SHA-256 of its code. */
export type SignInLinkDocument = {
  _id: string;
  account_id: string;
  /** The account's version when the link was made: a link of another version is not valid. */
  account_version: number;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};

const signInLinkSchema = new Schema<SignInLinkDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    account_version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    used_at: { type: Date },
  },
  { collection: 'sign_in_links', versionKey: false },
)
  .index({ account_id: 1, created_at: -1 })
  .index({ expires_at: 1 });

export function createSignInLinkModel(connection: Connection) {
  return connection.model('SignInLink', signInLinkSchema);
}
