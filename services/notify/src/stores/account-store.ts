import type { AlertKind } from '@shelfwise/facts/alerts/alert-kinds';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

type AccountDocument = {
  /** the account's id */
  _id: string;
  /** The kinds of the default rules that it was given: each once, because it may delete them. */
  given_kinds?: AlertKind[];
  /** The greatest id of its alerts that were deleted for their age or their number; absent: 0. */
  last_deleted_alert?: number;
  /** The last UTC hour (YYYY-MM-DDTHH) with deliveries on request, and how many it has. */
  manual_hour?: string;
  manual_count?: number;
  /** The same of mails that ask to confirm an address. */
  mail_hour?: string;
  mail_count?: number;
};

const schema = new Schema<AccountDocument>(
  {
    _id: { type: String, required: true },
    given_kinds: { type: [String], default: undefined },
    last_deleted_alert: Number,
    manual_hour: String,
    manual_count: Number,
    mail_hour: String,
    mail_count: Number,
  },
  { versionKey: false },
);

export type AccountStore = ReturnType<typeof createAccountStore>;

/** What is known of an account besides its rules and alerts. Every query uses the index of _id. */
export function createAccountStore(connection: Connection) {
  const accounts = connection.model('NotifiedAccount', schema, 'notified_accounts');

  /** False when the hour has `most`, however many calls count at the same time. */
  async function takeInHour(
    accountId: string,
    of: 'manual' | 'mail',
    hour: string,
    most: number,
  ): Promise<boolean> {
    const [hourField, countField] = [`${of}_hour`, `${of}_count`] as const;
    const add = async () => {
      const { matchedCount } = await accounts.updateOne(
        { _id: accountId, [hourField]: hour, [countField]: { $lt: most } },
        { $inc: { [countField]: 1 } },
      );
      return matchedCount === 1;
    };
    if (await add()) return true;
    const isFirst = await upsertNewest(() =>
      accounts.updateOne(
        { _id: accountId, [hourField]: { $ne: hour } },
        { $set: { [hourField]: hour, [countField]: 1 } },
        { upsert: true },
      ),
    );
    // Another call may have begun the hour in between.
    return isFirst || add();
  }

  return {
    async findGivenKinds(accountId: string): Promise<readonly AlertKind[]> {
      return (await accounts.findById(accountId).lean<AccountDocument>())?.given_kinds ?? [];
    },

    async recordGivenKinds(accountId: string, kinds: readonly AlertKind[]): Promise<void> {
      await retryUpsert(() =>
        accounts.updateOne({ _id: accountId }, { $set: { given_kinds: [...kinds] } }, { upsert: true }),
      );
    },

    /** 0 when none was deleted. */
    async findLastDeletedAlert(accountId: string): Promise<number> {
      return (await accounts.findById(accountId).lean<AccountDocument>())?.last_deleted_alert ?? 0;
    },

    /** Must be called before the alerts are deleted, so that their ids are never given again. By account. */
    async recordDeletedAlerts(lastIds: ReadonlyMap<string, number>): Promise<void> {
      await bulkWriteInChunks(
        accounts,
        [...lastIds].map(([accountId, last]) => ({
          updateOne: { filter: { _id: accountId }, update: { $max: { last_deleted_alert: last } } },
        })),
      );
    },

    /** Counts a delivery on request. False when the hour has `most`. */
    takeManualDelivery: (accountId: string, hour: string, most: number) =>
      takeInHour(accountId, 'manual', hour, most),

    /** Counts a mail that asks to confirm an address. False when the hour has `most`. */
    takeConfirmationMail: (accountId: string, hour: string, most: number) =>
      takeInHour(accountId, 'mail', hour, most),

    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(accounts, { _id: { $in: [accountId] } } as object, signal),
  };
}
