import { dayMs } from '@shelfwise/runtime/day';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { Account, Accounts } from '../accounts/accounts.ts';
import { createSecret, hashSecret } from '../accounts/api-key.ts';
import {
  createGrantModel,
  createTokenModel,
  type GrantDocument,
  type TokenDocument,
} from './oauth-models.ts';
import type { Scope } from './scopes.ts';

/** An access token of a grant that has not ended. `id` is that of the account. The token itself may have expired. */
export type AccessToken = {
  id: string;
  hash: string;
  account: Account;
  grantId: string;
  clientId: string;
  scopes: readonly Scope[];
  expiresAt: Date;
};

type NewToken = { grantId: string; accountId: string; scopes: Scope[]; grantEndsAt: Date };

type IssuedToken = { text: string; validSeconds: number };

export type AccessTokens = ReturnType<typeof createAccessTokens>;

const accessTokenMs = 3_600_000;
const format = /^sw_access_[0-9A-Za-z]{43}$/;
/** Rows of a grant. A client renews its token once an hour; with several processes a few are valid at once. */
const maxPerGrant = 10;

/** Whether a text is meant as an access token, in whatever state. */
export function isAccessToken(text: string): boolean {
  return text.startsWith('sw_access_');
}

/** @param deps.resource the address that tokens are for */
export function createAccessTokens(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'cacheLookups' | 'findAll'>;
  resource: () => string;
  now: () => Date;
}) {
  const { connection, accounts, resource, now } = deps;
  const model = createTokenModel(connection);
  const grants = createGrantModel(connection);

  /** Three queries, whatever the number of tokens. Indexes: _id */
  const lookup = accounts.cacheLookups<AccessToken>(async (hashes) => {
    const tokens = await model.find({ _id: { $in: hashes } }).lean<TokenDocument[]>();
    // Guesses cost one query, not three.
    if (tokens.length === 0) return new Map();
    const found = await grants
      .find({ _id: { $in: tokens.map(({ grant_id: id }) => id) }, expires_at: { $gt: now() } })
      .lean<GrantDocument[]>();
    const grantOf = new Map(found.map((grant) => [grant._id, grant]));
    const accountOf = await accounts.findAll([...new Set(found.map(({ account_id: id }) => id))]);
    return new Map(
      tokens.flatMap(({ _id: hash, grant_id: grantId, scopes, expires_at: expiresAt }) => {
        const grant = grantOf.get(grantId);
        const account = grant && accountOf.get(grant.account_id);
        if (!account || grant.resource !== resource()) return [];
        const { client_id: clientId } = grant;
        return [[hash, { id: account.id, hash, account, grantId, clientId, scopes, expiresAt }] as const];
      }),
    );
  });

  return {
    /** The token with its account; null when it was never issued or its connection has ended. */
    find: async (token: string): Promise<AccessToken | null> =>
      format.test(token) ? lookup.find(hashSecret(token)) : null,

    /** The same by the id of its row. */
    findByHash: lookup.find,

    /** Whether this process has found the token lately. Looks nothing up. */
    isKnown: (token: string): boolean => format.test(token) && lookup.hasFound(hashSecret(token)),

    /**
     * Issues a token for an hour, or until its grant ends. Rows of the grant above ten are deleted, the oldest first: a gateway that
     * has cached such a token accepts it until its hour is over.
     */
    async issue({ grantId, accountId, scopes, grantEndsAt }: NewToken): Promise<IssuedToken> {
      const { text, hash } = createSecret('sw_access_');
      const at = now();
      // What is cached is compared with this time only.
      const validMs = Math.max(0, Math.min(accessTokenMs, grantEndsAt.getTime() - at.getTime()));
      await model.create({
        _id: hash,
        grant_id: grantId,
        account_id: accountId,
        scopes,
        created_at: at,
        expires_at: new Date(at.getTime() + validMs),
      });
      // Index: grant_id, created_at
      await deleteSurplus(model, { grant_id: grantId }, { keep: maxPerGrant, newest: 'created_at' });
      return { text, validSeconds: Math.floor(validMs / 1000) };
    },

    /** The grant of a token that may have expired; null without one. */
    async findGrantOf(token: string): Promise<string | null> {
      const found = format.test(token) ? await model.findById(hashSecret(token)).lean<TokenDocument>() : null;
      return found?.grant_id ?? null;
    },

    async deleteOfGrants(grantIds: readonly string[]): Promise<void> {
      await model.deleteMany({ grant_id: { $in: grantIds } });
    },

    async deleteAccount(accountId: string): Promise<void> {
      await model.deleteMany({ account_id: accountId });
    },

    /** A token is known for a day after its end, so that its client learns that it has expired. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: new Date(now().getTime() - dayMs) } }, signal);
    },
  };
}
