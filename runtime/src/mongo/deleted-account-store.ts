import { createHash } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';
import { retryUpsert } from './retry-upsert.ts';
import { createMemory } from './row-memory.ts';

/** An account whose rows are deleted. */
type DeletedAccount = {
  /** SHA-256 of the account id: nothing that names the account is kept */
  _id: string;
  deleted_at: Date;
};

const schema = new Schema<DeletedAccount>(
  { _id: { type: String, required: true }, deleted_at: { type: Date, required: true } },
  { versionKey: false },
);

export type DeletedAccountStore = ReturnType<typeof createDeletedAccountStore>;

/**
 * The accounts that were deleted. Events of them that arrive later must not create their rows again. Their hashes are kept
 * for good, because a dead letter may be replayed after any time.
 * @param isOnlyCopy whether accounts that are not deleted may be remembered
 */
export function createDeletedAccountStore(connection: Connection, isOnlyCopy: boolean) {
  const deletedAccounts = connection.model('DeletedAccount', schema, 'deleted_accounts');
  /** Accounts that were not deleted. */
  const present = createMemory<string, true>(isOnlyCopy);

  async function findPresent(accountIds: readonly string[]): Promise<Map<string, true>> {
    const byHash = new Map(accountIds.map((id) => [hashOf(id), id]));
    const rows = await deletedAccounts
      .find({ _id: { $in: [...byHash.keys()] } })
      .select({ _id: 1 })
      .lean<Pick<DeletedAccount, '_id'>[]>();
    for (const { _id } of rows) byHash.delete(_id);
    return new Map([...byHash.values()].map((id) => [id, true] as const));
  }

  return {
    /** Must be called before the rows are deleted: an event that is being handled then deletes what it has written. */
    async add(accountId: string, at: Date): Promise<void> {
      await present.change(accountId, () =>
        retryUpsert(() =>
          deletedAccounts.updateOne(
            { _id: hashOf(accountId) },
            { $set: { deleted_at: at } },
            { upsert: true },
          ),
        ),
      );
    },

    /** Those of the accounts that were deleted. Index: _id; no query where all are remembered. */
    async findAmong(accountIds: readonly string[]): Promise<string[]> {
      const found = await present.find(accountIds, findPresent);
      return accountIds.filter((id) => !found.has(id));
    },
  };
}

function hashOf(accountId: string): string {
  return createHash('sha256').update(accountId).digest('base64url');
}
