import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { AccountState, Accounts } from '../accounts/accounts.ts';
import { createSecret, hashSecret } from '../accounts/api-key.ts';
import { createKeyLookups } from '../accounts/key-lookups.ts';
import { createSessionModel, type SessionDocument } from './session-model.ts';

/** A session that is valid now, with its account as stored now. */
export type Session = { id: string; createdAt: Date; account: AccountState };

export type ListedSession = { id: string; label: string; created_at: string; last_seen_at: string };

export type Sessions = ReturnType<typeof createSessions>;

const idleMs = 12 * 3_600_000;
export const longestSessionMs = 7 * 24 * 3_600_000;
const maxPerAccount = 20;
/** Its last use is stored this often. */
const seenEveryMs = 60_000;
const maxLabelLength = 200;

/**
 * The signed-in browsers of all accounts. Nothing is cached: a session that one gateway ends, or whose account changes or is
 * deleted, is refused by all of them at once.
 */
export function createSessions(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'read' | 'noteVisit'>;
  now: () => Date;
}) {
  const { connection, accounts, now } = deps;
  const model = createSessionModel(connection);
  const lookUp = createKeyLookups(async (hashes) => {
    const found = await model.find({ _id: { $in: hashes } }).lean<SessionDocument[]>();
    return new Map(found.map((document) => [document._id, document]));
  });

  /** Stores that the session is used, without bringing back one that has ended meanwhile. */
  async function noteUse({ _id, created_at: createdAt, last_seen_at: seenAt }: SessionDocument) {
    const at = now();
    if (at.getTime() - seenAt.getTime() < seenEveryMs) return;
    await model.updateOne({ _id }, { $set: { last_seen_at: at, expires_at: expiryOf(createdAt, at) } });
  }

  /** Ends the oldest sessions of the account above the limit, and those that have ended already. */
  async function makeRoom({ id, version }: AccountState, ownId: string) {
    await model.deleteMany({
      account_id: id,
      $or: [{ account_version: { $lt: version } }, { expires_at: { $lte: now() } }],
    });
    await deleteSurplus(
      model,
      { account_id: id, _id: { $ne: ownId as never } },
      { keep: maxPerAccount - 1, newest: 'created_at' },
    );
  }

  return {
    /** Starts a session and returns the secret for its cookie. It is always new: a browser cannot choose it. */
    async start(account: AccountState, label: string): Promise<string> {
      const { text, hash } = createSecret('sw_session_');
      const at = now();
      await model.create({
        _id: hash,
        account_id: account.id,
        account_version: account.version,
        created_at: at,
        last_seen_at: at,
        expires_at: expiryOf(at, at),
        label: label.slice(0, maxLabelLength),
      });
      await makeRoom(account, hash);
      return text;
    },

    /** The session of a cookie; null when there is none or it has ended. */
    async find(secret: string): Promise<Session | null> {
      const found = await lookUp(hashSecret(secret));
      if (!found || found.expires_at <= now()) return null;
      const account = await accounts.read({ id: found.account_id });
      if (account?.version !== found.account_version) return null;
      const [dashboard] = await Promise.all([accounts.noteVisit(account), noteUse(found)]);
      return { id: found._id, createdAt: found.created_at, account: { ...account, dashboard } };
    },

    /** The sessions of the account that are valid now, newest first. */
    async list({ account }: Session): Promise<ListedSession[]> {
      const found = await model
        .find({ account_id: account.id, account_version: account.version, expires_at: { $gt: now() } })
        .sort({ created_at: -1, _id: 1 })
        .lean<SessionDocument[]>();
      return found.map(({ _id: id, label, created_at: createdAt, last_seen_at: seenAt }) => ({
        id,
        label,
        created_at: createdAt.toISOString(),
        last_seen_at: seenAt.toISOString(),
      }));
    },

    /** Ends one session of the account. False when it has none with this id. */
    async end(accountId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ _id: id, account_id: accountId })).deletedCount > 0;
    },

    /** The session goes on with the next version of its account; all others of the account end. */
    async keepOnly({ id, account }: Session): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { account_version: account.version + 1 } });
      await model.deleteMany({ account_id: account.id, _id: { $ne: id } });
    },

    async deleteAccount(accountId: string): Promise<void> {
      await model.deleteMany({ account_id: accountId });
    },

    /** Deletes the sessions that have expired. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}

function expiryOf(createdAt: Date, seenAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + longestSessionMs, seenAt.getTime() + idleMs));
}
