import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import type { Connection } from 'mongoose';
import type { Account, Accounts } from '../accounts/accounts.ts';
import { createSecret, hashSecret } from '../accounts/api-key.ts';
import type { AccessToken, AccessTokens } from './access-tokens.ts';
import { type CallDocument, createCallModel } from './oauth-models.ts';
import type { Scope } from './scopes.ts';

/** The one call of the API for which a credential is good. */
export type CredentialCall = { hash: string; account: Account; scopes: readonly Scope[] };

export type CallCredentials = ReturnType<typeof createCallCredentials>;

/** Calls of tools wait less for the rate limit before they are made. */
const validMs = 60_000;
const format = /^sw_call_[0-9A-Za-z]{43}$/;

/** Whether a text is meant as a credential of a call, in whatever state. */
export function isCallCredential(text: string): boolean {
  return text.startsWith('sw_call_');
}

/**
 * An access token is good for /mcp only. For the call of the API that a request of /mcp leads to, the gateway gives the assistant
 * server a credential. It is good for one call, for a minute, with the id of that request, while the connection has not ended.
 */
export function createCallCredentials(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'findAll'>;
  tokens: Pick<AccessTokens, 'findByHash'>;
  now: () => Date;
}) {
  const { connection, accounts, tokens, now } = deps;
  const model = createCallModel(connection);

  return {
    async create({ hash: tokenHash, id: accountId }: AccessToken, requestId: string): Promise<string> {
      const { text, hash } = createSecret('sw_call_');
      await model.create({
        _id: hash,
        token_hash: tokenHash,
        account_id: accountId,
        request_id: requestId,
        expires_at: new Date(now().getTime() + validMs),
        used_at: null,
      });
      return text;
    },

    /** What the credential is good for; null when it is used, has expired, or its connection has ended. Does not use it up. */
    async find(credential: string, requestId: string): Promise<CredentialCall | null> {
      if (!format.test(credential)) return null;
      const hash = hashSecret(credential);
      const open = { _id: hash, request_id: requestId, used_at: null, expires_at: { $gt: now() } };
      const found = await model.findOne(open).lean<CallDocument>();
      const token = found && (await tokens.findByHash(found.token_hash));
      if (!token) return null;
      // As stored now: the key may have been replaced since the token was cached, which ends no connection.
      const account = (await accounts.findAll([token.id])).get(token.id);
      return account ? { hash, account, scopes: token.scopes } : null;
    },

    /** Uses it up. True for one caller only. */
    async use(hash: string): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: hash, used_at: null },
        { $set: { used_at: now() } },
      );
      return matchedCount === 1;
    },

    /** The call was not started, and is made again. */
    async giveBack(hash: string): Promise<void> {
      await model.updateOne({ _id: hash }, { $set: { used_at: null } });
    },

    async deleteAccount(accountId: string): Promise<void> {
      await model.deleteMany({ account_id: accountId });
    },

    /** Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}
