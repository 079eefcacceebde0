import { maxDigests } from '@shelfwise/facts/alerts/digests';
import { type Claimed, createJobQueue, type DueJob } from '@shelfwise/runtime/jobs/job-queue';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';
import type { Delivery } from '../domain/channel.ts';
import type { Digest } from '../domain/digest.ts';
import { createInSlot } from './create-in-slot.ts';

type DigestDocument = Omit<Digest, 'id'> & {
  _id: number;
  /** 1 to `maxDigests`: an account has each number once, so never more digests. */
  slot: number;
  /** The greatest alert of the account that was in a digest, or is not for it. */
  last_alert: number;
  /** The end of the period before: the next one begins here. */
  read_until: Date;
  /** When the next one is sent, which stays while it is claimed or retried. */
  next_at: Date;
  /** A delivery whose row may be missing: written with `last_alert`, so that a crash loses none and sends none twice. */
  planned?: Delivery | null;
  due_at?: Date | null;
  failures: number;
  claimed_by?: string | null;
};

export type DueDigest = DueJob & { _id: number; account_id: string };
export type ClaimedDigest = Claimed<DueDigest>;

/** What a worker needs of a digest. */
export type OpenDigest = Digest &
  Pick<DigestDocument, 'last_alert' | 'read_until' | 'next_at'> & { planned: Delivery | null };

export type StoredDigest = Digest & { next_at: Date };

export type DigestChange = Partial<
  Pick<Digest, 'channel_id' | 'every' | 'hour' | 'time_zone' | 'app_id'> & { next_at: Date }
>;

const schema = new Schema<DigestDocument>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    slot: { type: Number, required: true },
    channel_id: { type: Number, required: true },
    every: { type: String, required: true },
    hour: { type: Number, required: true },
    time_zone: { type: String, required: true },
    app_id: { type: Number, default: null },
    created_at: { type: Date, required: true },
    last_due_at: { type: Date, default: null },
    last_alert: { type: Number, required: true },
    read_until: { type: Date, required: true },
    next_at: { type: Date, required: true },
    planned: { type: Schema.Types.Mixed, default: null },
    due_at: Date,
    failures: { type: Number, required: true },
    claimed_by: String,
  },
  { versionKey: false },
)
  .index({ account_id: 1, slot: 1 }, { unique: true })
  .index({ due_at: 1 });

export type DigestStore = ReturnType<typeof createDigestStore>;

/** The digests of accounts. Each is a job of the queue, due when it is sent. */
export function createDigestStore(connection: Connection, counters: CounterStore<'digest'>) {
  const digests = connection.model('AlertDigest', schema, 'alert_digests');
  const queue = createJobQueue<DueDigest, DigestDocument>({ model: digests, fields: ['account_id'] });
  const ofAccount = (accountId: string) => ({ account_id: accountId });

  return {
    queue,

    /** All of an account, oldest first: `maxDigests` at most. Index: account_id, slot. */
    async list(accountId: string): Promise<StoredDigest[]> {
      const rows = await digests.find(ofAccount(accountId)).lean<DigestDocument[]>();
      return rows.map(toDigest).sort((one, other) => one.id - other.id);
    },

    /** Index: _id. */
    async find(accountId: string, id: number): Promise<StoredDigest | null> {
      const row = await digests.findOne({ _id: id, account_id: accountId }).lean<DigestDocument>();
      return row && toDigest(row);
    },

    /**
     * Null when the account has `maxDigests`.
     * @param fresh with the greatest alert that the account has had: the first digest has what comes after it
     * Index: account_id, slot.
     */
    async create(
      fresh: Omit<StoredDigest, 'id' | 'last_due_at'> & { last_alert: number },
    ): Promise<StoredDigest | null> {
      const id = await counters.take('digest', 1);
      const row = {
        _id: id,
        ...fresh,
        last_due_at: null,
        read_until: fresh.created_at,
        due_at: fresh.next_at,
        failures: 0,
      };
      const isCreated = await createInSlot(digests, fresh.account_id, maxDigests, (slot) =>
        digests.create({ ...row, slot }),
      );
      return isCreated ? toDigest(row) : null;
    },

    /** The digest after the change; null when the account has no such digest. A new time ends the claim of a worker. Index: _id. */
    async update(accountId: string, id: number, change: DigestChange): Promise<StoredDigest | null> {
      const { next_at: nextAt } = change;
      const update =
        nextAt === undefined
          ? { $set: change }
          : { $set: { ...change, due_at: nextAt, failures: 0 }, $unset: { claimed_by: '' } };
      const row = await digests
        .findOneAndUpdate({ _id: id, account_id: accountId }, update, { returnDocument: 'after' })
        .lean<DigestDocument>();
      return row && toDigest(row);
    },

    /** Whether there was one. Index: _id. */
    async remove(accountId: string, id: number): Promise<boolean> {
      const { deletedCount } = await digests.deleteOne({ _id: id, account_id: accountId });
      return deletedCount === 1;
    },

    /** Those that go to a channel. Index: account_id, slot. */
    async removeOfChannel(accountId: string, channelId: number): Promise<void> {
      await digests.deleteMany({ account_id: accountId, channel_id: channelId });
    },

    /** Null when the claim is lost. Index: _id. */
    async findClaimed(claimed: ClaimedDigest): Promise<OpenDigest | null> {
      const row = await queue.findClaimed<DigestDocument>(claimed, openFields);
      if (!row) return null;
      const { last_alert, read_until, planned = null } = row;
      return { ...toDigest(row), last_alert, read_until, planned };
    },

    /** Keeps a delivery until its row is written. False when the claim is lost. Index: _id. */
    async savePlan(
      { _id, claim }: ClaimedDigest,
      plan: Pick<DigestDocument, 'planned' | 'last_alert' | 'read_until'>,
    ): Promise<boolean> {
      const { matchedCount } = await digests.updateOne({ _id, claimed_by: claim }, { $set: plan });
      return matchedCount === 1;
    },

    /** Deletes the digests of an account until the signal fires. Index: account_id, slot. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(digests, ofAccount(accountId), signal),
  };
}

/** All fields of an open digest. */
const openFields = {
  account_id: 1,
  channel_id: 1,
  every: 1,
  hour: 1,
  time_zone: 1,
  app_id: 1,
  created_at: 1,
  last_due_at: 1,
  last_alert: 1,
  read_until: 1,
  next_at: 1,
  planned: 1,
} as const;

function toDigest(
  row: Omit<DigestDocument, 'last_alert' | 'read_until' | 'slot' | 'failures'>,
): StoredDigest {
  return {
    id: row._id,
    account_id: row.account_id,
    channel_id: row.channel_id,
    every: row.every,
    hour: row.hour,
    time_zone: row.time_zone,
    app_id: row.app_id ?? null,
    created_at: row.created_at,
    last_due_at: row.last_due_at ?? null,
    next_at: row.next_at,
  };
}
