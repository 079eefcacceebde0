import { createHash } from 'node:crypto';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';

/** An account whose rows are deleted. */
type DeletedAccount = {
  /** SHA-256 of the account id: nothing that names the account is kept */
  _id: string;
  deleted_at: Date;
};

const schema = new Schema<DeletedAccount>(
  { _id: { type: String, required: true }, deleted_at: { type: Date, required: true } },
  { versionKey: false },
).index({ deleted_at: 1 });

/** How long an event of a deleted account may be delivered, also one that is replayed from the dead letters. */
export const deletedAccountDays = 90;

export type DeletedAccountStore = ReturnType<typeof createDeletedAccountStore>;

/**
 * The accounts that were deleted lately. Events of them that arrive later must not create their rows again.
 */
export function createDeletedAccountStore(connection: Connection) {
  const deletedAccounts = connection.model('DeletedAccount', schema, 'deleted_accounts');

  return {
    /** Must be called before the rows are deleted: an event that is being handled then deletes what it has written. */
    async add(accountId: string, at: Date): Promise<void> {
      await retryUpsert(() =>
        deletedAccounts.updateOne({ _id: hashOf(accountId) }, { $set: { deleted_at: at } }, { upsert: true }),
      );
    },

    /** Index: _id. */
    async has(accountId: string): Promise<boolean> {
      return (await deletedAccounts.exists({ _id: hashOf(accountId) })) !== null;
    },

    /** Deletes a batch of those deleted before `before`; see `deleteBatch`. Index: deleted_at. */
    deleteBefore: (before: Date) =>
      deleteBatch(connection, 'deleted_accounts', { deleted_at: { $lt: before } }, { deleted_at: 1 }),
  };
}

function hashOf(accountId: string): string {
  return createHash('sha256').update(accountId).digest('base64url');
}
