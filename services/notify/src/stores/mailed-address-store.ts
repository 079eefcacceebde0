import { createHash } from 'node:crypto';
import { utcDay } from '@shelfwise/runtime/day';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import { mailboxOf } from '../domain/mail-address.ts';

/** `_id` is the SHA-256 of the mailbox and the UTC day. */
type MailedAddressDocument = { _id: string; count: number; at: Date };

const schema = new Schema<MailedAddressDocument>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
).index({ at: 1 });

export type MailedAddressStore = ReturnType<typeof createMailedAddressStore>;

/** Counts the mails to unconfirmed addresses, from all accounts, so that no mailbox is flooded through this server. */
export function createMailedAddressStore(connection: Connection) {
  const addresses = connection.model('MailedAddress', schema, 'mailed_addresses');
  return {
    /** Counts a mail. False when the mailbox has had `most` on this UTC day, however many calls count at the same time. Index: _id. */
    take(address: string, at: Date, most: number): Promise<boolean> {
      const _id = idOf(address, at);
      return upsertNewest(() =>
        addresses.updateOne(
          { _id, count: { $lt: most } },
          { $inc: { count: 1 }, $setOnInsert: { at } },
          { upsert: true },
        ),
      );
    },

    /** The mail that was counted at this time was not sent. Index: _id. */
    async giveBack(address: string, at: Date): Promise<void> {
      await addresses.updateOne({ _id: idOf(address, at), count: { $gt: 0 } }, { $inc: { count: -1 } });
    },

    /** Deletes a batch of those that were first counted before a time; see `deleteBatch`. Index: at. */
    deleteBefore: (before: Date) => deleteBatch(addresses, { at: { $lt: before } }, { at: 1 }),
  };
}

function idOf(address: string, at: Date): string {
  return createHash('sha256')
    .update(`${utcDay(at)} ${mailboxOf(address)}`)
    .digest('base64url');
}
