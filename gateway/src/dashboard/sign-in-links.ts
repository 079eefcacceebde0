import { AppError } from '@shelfwise/runtime/errors';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { AccountSelector, AccountState, Accounts } from '../accounts/accounts.ts';
import { createSecret, hashSecret } from '../accounts/api-key.ts';
import { createKeyLookups } from '../accounts/key-lookups.ts';
import { createSignInLinkModel, type SignInLinkDocument } from './session-model.ts';

/** A link that signs in once, for the operator to pass on. */
export type SignInLink = { email: string; link: string; expires_at: string };

export type SignInLinks = ReturnType<typeof createSignInLinks>;

const format = /^sw_link_[0-9A-Za-z]{43}$/;
const validMs = 10 * 60_000;
const maxOpenPerAccount = 5;

/** @param deps.publicUrl where browsers reach the dashboard, without a slash at its end */
export function createSignInLinks(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'read'>;
  publicUrl: () => string;
  now: () => Date;
}) {
  const { connection, accounts, publicUrl, now } = deps;
  const model = createSignInLinkModel(connection);

  const lookUp = createKeyLookups(async (hashes) => {
    const open = { _id: { $in: hashes }, used_at: null, expires_at: { $gt: now() } };
    const found = await model.find(open).lean<SignInLinkDocument[]>();
    return new Map(found.map((document) => [document._id, document]));
  });

  return {
    /** Makes a link. The oldest one above five is no longer valid. @throws NOT_FOUND */
    async create(selector: AccountSelector): Promise<SignInLink> {
      const account = await accounts.read(selector);
      if (!account) throw new AppError('NOT_FOUND', 'No account has this email or id.');
      const { text, hash } = createSecret('sw_link_');
      const at = now();
      const expiresAt = new Date(at.getTime() + validMs);
      await model.create({
        _id: hash,
        account_id: account.id,
        account_version: account.version,
        created_at: at,
        expires_at: expiresAt,
        used_at: null,
      });
      await deleteSurplus(
        model,
        { account_id: account.id, used_at: null, _id: { $ne: hash as never } },
        { keep: maxOpenPerAccount - 1, newest: 'created_at' },
      );
      // Behind the # a browser sends nothing to a server, so no log of one has the code.
      const link = `${publicUrl()}/dashboard/sign-in#${text}`;
      return { email: account.email, link, expires_at: expiresAt.toISOString() };
    },

    /** The account that a code signs in to; null when it is not valid. Does not use it up. */
    async find(code: string): Promise<AccountState | null> {
      const found = format.test(code) ? await lookUp(hashSecret(code)) : null;
      const account = found && (await accounts.read({ id: found.account_id }));
      return account && account.version === found.account_version ? account : null;
    },

    /** Uses the code up. True for one caller only. */
    async use(code: string): Promise<boolean> {
      const at = now();
      const open = { _id: hashSecret(code), used_at: null, expires_at: { $gt: at } };
      return (await model.updateOne(open, { $set: { used_at: at } })).matchedCount === 1;
    },

    async deleteAccount(accountId: string): Promise<void> {
      await model.deleteMany({ account_id: accountId });
    },

    /** Deletes the links that have expired. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}
