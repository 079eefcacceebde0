import { type Connection, Schema } from 'mongoose';
import type { Scope } from './scopes.ts';

/** A program that may ask for a connection: one that registered itself, or one whose metadata is at the address that is its id. */
export type ClientDocument = {
  _id: string;
  /** what it calls itself */
  name: string;
  /** exactly as it may be sent back to */
  redirect_uris: string[];
  created_at: Date;
  /** When an account last connected it; null: never, so it is the first to be evicted. */
  used_at: Date | null;
  /** The address that registered it, IPv6 as /48, to bound how many one network has. Absent once it was shown to a person or used. */
  source?: string;
  /** The same of one that was shown to a person, until it is used. */
  shown_source?: string;
};

const clientSchema = new Schema<ClientDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    redirect_uris: { type: [String], required: true },
    created_at: { type: Date, required: true },
    used_at: { type: Date },
    source: { type: String },
    shown_source: { type: String },
  },
  { collection: 'oauth_clients', versionKey: false },
)
  .index({ used_at: 1, created_at: 1 })
  .index({ source: 1, created_at: -1 }, { sparse: true });

export function createClientModel(connection: Connection) {
  return connection.model('OAuthClient', clientSchema);
}

/** What an account has allowed a client. */
type Allowed = {
  account_id: string;
  client_id: string;
  client_name: string;
  /** where the client was sent back to */
  redirect_host: string;
  /** the address for which it was allowed (RFC 8707) */
  resource: string;
  scopes: Scope[];
};

/** A code that becomes a grant once. Its id is the SHA-256 of the code. */
export type CodeDocument = Allowed & {
  _id: string;
  redirect_uri: string;
  /** of PKCE, S256 */
  code_challenge: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  /** What it has become; a second use ends it. */
  grant_id: string | null;
};

const allowed = {
  account_id: { type: String, required: true },
  client_id: { type: String, required: true },
  client_name: { type: String, required: true },
  redirect_host: { type: String, required: true },
  resource: { type: String, required: true },
  scopes: { type: [String], required: true },
};

const codeSchema = new Schema<CodeDocument>(
  {
    _id: { type: String, required: true },
    ...allowed,
    redirect_uri: { type: String, required: true },
    code_challenge: { type: String, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    used_at: { type: Date },
    grant_id: { type: String },
  },
  { collection: 'oauth_codes', versionKey: false },
)
  .index({ account_id: 1, created_at: -1 })
  .index({ expires_at: 1 });

export function createCodeModel(connection: Connection) {
  return connection.model('OAuthCode', codeSchema);
}

/**
 * A connection of an account, with the one refresh token that is valid now. All refresh tokens of a grant share their first half:
 * a token with this half that is not the valid one has been used before.
 */
export type GrantDocument = Allowed & {
  _id: string;
  /** SHA-256 of the half that they share */
  family_hash: string;
  /** SHA-256 of the whole token that is valid */
  refresh_hash: string;
  created_at: Date;
  /** when it last got a token */
  used_at: Date;
  expires_at: Date;
};

const grantSchema = new Schema<GrantDocument>(
  {
    _id: { type: String, required: true },
    ...allowed,
    family_hash: { type: String, required: true, unique: true },
    refresh_hash: { type: String, required: true },
    created_at: { type: Date, required: true },
    used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'oauth_grants', versionKey: false },
)
  .index({ account_id: 1, used_at: -1 })
  .index({ expires_at: 1 });

export function createGrantModel(connection: Connection) {
  return connection.model('OAuthGrant', grantSchema);
}

/** An access token of a grant. Its id is the SHA-256 of the token. */
export type TokenDocument = {
  _id: string;
  grant_id: string;
  account_id: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date;
};

const tokenSchema = new Schema<TokenDocument>(
  {
    _id: { type: String, required: true },
    grant_id: { type: String, required: true },
    account_id: { type: String, required: true },
    scopes: { type: [String], required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'oauth_tokens', versionKey: false },
)
  .index({ grant_id: 1, created_at: -1 })
  .index({ account_id: 1 })
  .index({ expires_at: 1 });

export function createTokenModel(connection: Connection) {
  return connection.model('OAuthToken', tokenSchema);
}

/** What the assistant server may call the API with, once, for one request of /mcp. Its id is the SHA-256 of the credential. */
export type CallDocument = {
  _id: string;
  /** the id of the access token that the request of /mcp had */
  token_hash: string;
  account_id: string;
  /** the id of the request of /mcp, which its call has, too */
  request_id: string;
  expires_at: Date;
  used_at: Date | null;
};

const callSchema = new Schema<CallDocument>(
  {
    _id: { type: String, required: true },
    token_hash: { type: String, required: true },
    account_id: { type: String, required: true },
    request_id: { type: String, required: true },
    expires_at: { type: Date, required: true },
    used_at: { type: Date },
  },
  { collection: 'oauth_calls', versionKey: false },
)
  .index({ account_id: 1 })
  .index({ expires_at: 1 });

export function createCallModel(connection: Connection) {
  return connection.model('OAuthCall', callSchema);
}
