import { randomUUID } from 'node:crypto';
import { dayMs } from '@shelfwise/runtime/day';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus, findSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { Accounts } from '../accounts/accounts.ts';
import { createRandomText, createSecret, hashSecret } from '../accounts/api-key.ts';
import { findPlan, type Plans } from '../plans/plans.ts';
import type { AccessTokens } from './access-tokens.ts';
import { invalidTarget, OAuthError } from './oauth-error.ts';
import { type CodeDocument, createCodeModel, createGrantModel, type GrantDocument } from './oauth-models.ts';
import { isVerified } from './pkce.ts';
import { redirectHostOf } from './redirect-uri.ts';
import type { Scope } from './scopes.ts';

/** A connection as its account sees it. */
export type ListedGrant = {
  id: string;
  client_name: string;
  redirect_host: string;
  scopes: Scope[];
  created_at: string;
  /** when it last got a token, which is hourly while it is used */
  last_used_at: string;
  expires_at: string;
};

/** The answer of RFC 6749, 5.1. */
export type IssuedTokens = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
};

/** What an account has allowed on the consent page. */
export type Consent = {
  accountId: string;
  client: { id: string; name: string };
  redirectUri: string;
  codeChallenge: string;
  resource: string;
  scopes: Scope[];
};

export type Grants = ReturnType<typeof createGrants>;

const codeMs = 60_000;
/** A used code is known for so long: a second use ends what it has become. */
const usedCodeMs = 10 * 60_000;
const maxCodesPerAccount = 20;
const unusedMs = 30 * dayMs;
const longestMs = 90 * dayMs;
const maxGrantsPerAccount = 50;

const codeFormat = /^sw_code_[0-9A-Za-z]{43}$/;
const refreshFormat = /^(sw_refresh_[0-9A-Za-z]{43})_[0-9A-Za-z]{43}$/;

/**
 * The connections of all accounts: codes that become one, and the refresh tokens that keep it. Secrets are stored as hashes only.
 * A refresh token is two halves: the first is the same for the whole connection, the second changes with every use. One row is
 * enough to know a token that was used before.
 * @param deps.resource the address that connections are for; those of a former address are not renewed
 */
export function createGrants(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'read' | 'changeSecrets'>;
  plans: Plans;
  tokens: Pick<AccessTokens, 'issue' | 'findGrantOf' | 'deleteOfGrants'>;
  resource: () => string;
  now: () => Date;
}) {
  const { connection, accounts, plans, tokens, resource, now } = deps;
  const codes = createCodeModel(connection);
  const grants = createGrantModel(connection);

  /** An account that is deleted, or whose plan has no API access, has no connections. */
  async function hasAccess(accountId: string): Promise<boolean> {
    const account = await accounts.read({ id: accountId });
    return account !== null && findPlan(plans, account.plan).api_access;
  }

  /** Ends those of the account that are still there, and their tokens; every gateway refuses them within a second. */
  async function end(accountId: string, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    return accounts.changeSecrets(accountId, async () => {
      const { deletedCount } = await grants.deleteMany({ _id: { $in: ids }, account_id: accountId });
      await tokens.deleteOfGrants(ids);
      return deletedCount;
    });
  }

  async function issue(
    grant: { id: string; accountId: string; refreshToken: string; endsAt: Date },
    scopes: Scope[],
  ): Promise<IssuedTokens> {
    const { id: grantId, accountId, refreshToken, endsAt: grantEndsAt } = grant;
    const { text, validSeconds } = await tokens.issue({ grantId, accountId, scopes, grantEndsAt });
    return {
      access_token: text,
      token_type: 'Bearer',
      expires_in: validSeconds,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
    };
  }

  /** Stores the connection that a code becomes. Its tokens are given out when the code is used. */
  async function create(id: string, code: CodeDocument) {
    const { account_id: accountId } = code;
    const family = createSecret('sw_refresh_').text;
    const refreshToken = `${family}_${createRandomText()}`;
    const at = now();
    const endsAt = expiryOf(at, at);
    await grants.create({
      _id: id,
      account_id: accountId,
      client_id: code.client_id,
      client_name: code.client_name,
      redirect_host: code.redirect_host,
      resource: code.resource,
      scopes: code.scopes,
      family_hash: hashSecret(family),
      refresh_hash: hashSecret(refreshToken),
      created_at: at,
      used_at: at,
      expires_at: endsAt,
    });
    return { id, accountId, refreshToken, endsAt };
  }

  /** Ends the longest unused connections of the account above fifty. Index: account_id, used_at */
  async function endSurplus(accountId: string): Promise<void> {
    const kept = { keep: maxGrantsPerAccount, newest: 'used_at' };
    await end(accountId, await findSurplus(grants, { account_id: accountId }, kept));
  }

  /** @throws OAuthError invalid_grant, also when the code was used: then what it has become ends */
  async function findCode(
    text: string,
    sent: { clientId: string; verifier: string; redirectUri: string | null; resource: string | null },
  ): Promise<CodeDocument> {
    const found = codeFormat.test(text) ? await codes.findById(hashSecret(text)).lean<CodeDocument>() : null;
    const isOwn =
      found !== null &&
      found.client_id === sent.clientId &&
      // Clients of OAuth 2.1 may leave it out: the proof of the verifier is stronger.
      (sent.redirectUri === null || sent.redirectUri === found.redirect_uri) &&
      isVerified(sent.verifier, found.code_challenge);
    // Who has seen a code but not its verifier can neither use it nor end a connection with it.
    if (!isOwn) throw invalidCode();
    if (sent.resource !== null && sent.resource !== found.resource) throw invalidTarget();
    if (found.used_at !== null) await refuseUsedCode(found._id);
    if (found.expires_at <= now()) throw invalidCode();
    return found;
  }

  /** Ends what a used code has become. It was stored before the code was used, so it is there. @throws OAuthError */
  async function refuseUsedCode(id: string): Promise<never> {
    const used = await codes.findById(id).lean<CodeDocument>();
    if (used?.grant_id) await end(used.account_id, [used.grant_id]);
    throw invalidCode();
  }

  /** @throws OAuthError when it was used or deleted meanwhile, or has expired */
  async function useCode(id: string, grantId: string): Promise<void> {
    const at = now();
    const open = { _id: id, used_at: null, expires_at: { $gt: at } };
    const { matchedCount } = await codes.updateOne(open, { $set: { used_at: at, grant_id: grantId } });
    if (matchedCount === 0) await refuseUsedCode(id);
  }

  return {
    /** Issues the code of a consent. Older ones of the account above twenty are not valid any more. */
    async createCode({ accountId, client, redirectUri, codeChallenge, resource, scopes }: Consent) {
      const { text, hash } = createSecret('sw_code_');
      const at = now();
      await codes.create({
        _id: hash,
        account_id: accountId,
        client_id: client.id,
        client_name: client.name,
        redirect_uri: redirectUri,
        redirect_host: redirectHostOf(redirectUri),
        code_challenge: codeChallenge,
        resource,
        scopes,
        created_at: at,
        expires_at: new Date(at.getTime() + codeMs),
        used_at: null,
        grant_id: null,
      });
      // Index: account_id, created_at
      const kept = { keep: maxCodesPerAccount, newest: 'created_at' };
      await deleteSurplus(codes, { account_id: accountId }, kept);
      return text;
    },

    /**
     * The code is used last: when the database fails before, the client may send it again, and that is no second use.
     * @throws OAuthError
     */
    async exchangeCode(text: string, sent: Parameters<typeof findCode>[1]): Promise<IssuedTokens> {
      const code = await findCode(text, sent);
      if (!(await hasAccess(code.account_id))) throw invalidCode();
      const grantId = randomUUID();
      let issued: IssuedTokens;
      try {
        issued = await issue(await create(grantId, code), code.scopes);
        await useCode(code._id, grantId);
      } catch (error) {
        // If this fails, too, the account sees a connection whose tokens were given to no one.
        await end(code.account_id, [grantId]).catch(() => undefined);
        throw error;
      }
      // The code is used, so a failure must not refuse the tokens. The next connection ends what is left.
      await endSurplus(code.account_id).catch(() => undefined);
      return issued;
    },

    /**
     * Replaces the refresh token. One that was replaced before ends the connection: two have it, and one of them is a thief. It is
     * replaced last: when the database fails before, the client may send it again, and that is no second use.
     * @param sent.scopes of the access token, at most those of the connection
     * @throws OAuthError
     */
    async refresh(
      refreshToken: string,
      sent: { clientId: string; scopes: Scope[] | null; resource: string | null },
    ): Promise<IssuedTokens> {
      const family = refreshFormat.exec(refreshToken)?.[1];
      if (family === undefined) throw invalidRefreshToken();
      const at = now();
      const familyHash = hashSecret(family);
      const found = await grants.findOne({ family_hash: familyHash }).lean<GrantDocument>();
      const isOwn = found?.client_id === sent.clientId && found.resource === resource();
      if (!found || !isOwn || found.expires_at <= at) throw invalidRefreshToken();
      if (sent.resource !== null && sent.resource !== found.resource) throw invalidTarget();
      const refreshHash = hashSecret(refreshToken);
      const refuse = async () => {
        await end(found.account_id, [found._id]);
        throw invalidRefreshToken();
      };
      if (found.refresh_hash !== refreshHash || !(await hasAccess(found.account_id))) await refuse();
      const next = `${family}_${createRandomText()}`;
      const endsAt = expiryOf(found.created_at, at);
      const scopes = found.scopes.filter((scope) => sent.scopes?.includes(scope) ?? true);
      const grant = { id: found._id, accountId: found.account_id, refreshToken: next, endsAt };
      const issued = await issue(grant, scopes);
      const { matchedCount } = await grants.updateOne(
        { _id: found._id, refresh_hash: refreshHash },
        { $set: { refresh_hash: hashSecret(next), used_at: at, expires_at: endsAt } },
      );
      if (matchedCount === 0) await refuse();
      return issued;
    },

    /** Ends the connection of an access or refresh token of the client (RFC 7009). Any other token is no error. */
    async revoke(token: string, clientId: string): Promise<void> {
      const family = refreshFormat.exec(token)?.[1];
      const filter =
        family === undefined
          ? { _id: (await tokens.findGrantOf(token)) ?? '' }
          : { family_hash: hashSecret(family) };
      const found = await grants.findOne(filter).lean<GrantDocument>();
      if (found && found.client_id === clientId) await end(found.account_id, [found._id]);
    },

    /** Those that have not ended, the last used first. Index: account_id, used_at */
    async list(accountId: string): Promise<ListedGrant[]> {
      const found = await grants
        .find({ account_id: accountId, expires_at: { $gt: now() } })
        .sort({ used_at: -1, _id: 1 })
        .limit(maxGrantsPerAccount)
        .lean<GrantDocument[]>();
      return found.map(toListed);
    },

    /** Ends one connection of the account. False when it has none with this id. */
    end: async (accountId: string, id: string): Promise<boolean> => (await end(accountId, [id])) > 0,

    /**
     * Ends all connections of the account, and the codes that would become one. Returns how many connections there were.
     * Indexes: account_id, used_at; account_id, created_at
     */
    async endAll(accountId: string): Promise<number> {
      await codes.deleteMany({ account_id: accountId, used_at: null });
      const ids = await grants.find({ account_id: accountId }).select({ _id: 1 }).lean<{ _id: string }[]>();
      return end(
        accountId,
        ids.map(({ _id }) => _id),
      );
    },

    async deleteAccount(accountId: string): Promise<void> {
      await codes.deleteMany({ account_id: accountId });
      await grants.deleteMany({ account_id: accountId });
    },

    /** Deletes what has expired. Indexes: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(codes, { expires_at: { $lte: new Date(now().getTime() - usedCodeMs) } }, signal);
      await deleteAll(grants, { expires_at: { $lte: now() } }, signal);
    },
  };
}

/** Thirty days after its last use, ninety after its start. */
function expiryOf(createdAt: Date, usedAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + longestMs, usedAt.getTime() + unusedMs));
}

function toListed(grant: GrantDocument): ListedGrant {
  return {
    id: grant._id,
    client_name: grant.client_name,
    redirect_host: grant.redirect_host,
    scopes: grant.scopes,
    created_at: grant.created_at.toISOString(),
    last_used_at: grant.used_at.toISOString(),
    expires_at: grant.expires_at.toISOString(),
  };
}

/** The same answer for every reason, so that a guess reveals nothing. */
function invalidCode(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is not valid. It works once, for a minute, for its client.',
  );
}

function invalidRefreshToken(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is not valid. Connect again.');
}
