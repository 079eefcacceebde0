import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll, deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import type { Delivery, TryOutcome } from '../domain/channel.ts';

type DeliveryDocument = Omit<Delivery, 'id'> & { _id: number };

/** What a scheduled try changes. */
export type TriedDelivery = TryOutcome &
  Pick<Delivery, 'state' | 'tries' | 'next_try_at'> & { last_tried_at: Date };

const digestSchema = new Schema(
  {
    digest_id: { type: Number, required: true },
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    total: { type: Number, required: true },
  },
  { _id: false },
);

const schema = new Schema<DeliveryDocument>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    channel_id: { type: Number, required: true },
    webhook_id: { type: String, required: true },
    state: { type: String, required: true },
    is_test: { type: Boolean, required: true },
    digest: { type: digestSchema, default: null },
    listing_id: { type: Number, default: null },
    alert_ids: { type: [Number], required: true },
    tries: { type: Number, required: true },
    created_at: { type: Date, required: true },
    last_tried_at: { type: Date, default: null },
    next_try_at: { type: Date, default: null },
    status: { type: Number, default: null },
    duration_ms: { type: Number, default: null },
    failure: { type: String, default: null },
    answer: { type: String, default: null },
  },
  { versionKey: false },
)
  .index({ account_id: 1, channel_id: 1, _id: 1 })
  .index({ channel_id: 1, state: 1, _id: 1 })
  .index({ created_at: 1 });

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** What was sent to channels, and what waits. */
export function createDeliveryStore(connection: Connection, counters: CounterStore<'delivery'>) {
  const deliveries = connection.model('AlertDelivery', schema, 'alert_deliveries');
  const ofChannel = (accountId: string, channelId: number) => ({
    account_id: accountId,
    channel_id: channelId,
  });

  return {
    /** The first of as many consecutive ids. */
    takeIds: (count: number) => counters.take('delivery', count),

    /** Those that exist stay as they are. */
    async insert(fresh: readonly Delivery[]): Promise<void> {
      await insertNew(deliveries.collection, fresh.map(toDocument));
    },

    /** Newest first. Index: account_id, channel_id, _id. */
    async list(
      accountId: string,
      channelId: number,
      { skip, limit }: { skip: number; limit: number },
    ): Promise<Delivery[]> {
      const rows = await deliveries
        .find(ofChannel(accountId, channelId))
        .sort({ account_id: -1, channel_id: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean<DeliveryDocument[]>();
      return rows.map(toDelivery);
    },

    /** Index: account_id, channel_id, _id. */
    count: (accountId: string, channelId: number) =>
      deliveries.countDocuments(ofChannel(accountId, channelId)),

    /** Index: _id. */
    async find(accountId: string, id: number): Promise<Delivery | null> {
      const row = await deliveries.findOne({ _id: id, account_id: accountId }).lean<DeliveryDocument>();
      return row && toDelivery(row);
    },

    /** The one whose turn it is: deliveries of a channel are sent in the order of their ids. Index: channel_id, state, _id. */
    async findFirstWaiting(channelId: number): Promise<Delivery | null> {
      const [row] = await deliveries
        .find({ channel_id: channelId, state: 'waiting' })
        .sort({ channel_id: 1, state: 1, _id: 1 })
        .limit(1)
        .lean<DeliveryDocument[]>();
      return row ? toDelivery(row) : null;
    },

    /** Of a delivery that still waits. Index: _id. */
    async recordTry(id: number, tried: TriedDelivery): Promise<void> {
      await deliveries.updateOne({ _id: id, state: 'waiting' }, { $set: tried });
    },

    /**
     * The delivery after a try on request, which changes the schedule only when it succeeded. Null when it was deleted meanwhile.
     * Index: _id.
     */
    async recordManualTry(id: number, outcome: TryOutcome, at: Date): Promise<Delivery | null> {
      const ended = outcome.failure === null ? { state: 'delivered', next_try_at: null } : {};
      const row = await deliveries
        .findOneAndUpdate(
          { _id: id },
          { $set: { ...outcome, ...ended, last_tried_at: at } },
          { returnDocument: 'after' },
        )
        .lean<DeliveryDocument>();
      return row && toDelivery(row);
    },

    /** What waits for its next try is tried at `at`. Index: channel_id, state. */
    async retryAt(channelId: number, at: Date): Promise<void> {
      await deliveries.updateMany({ channel_id: channelId, state: 'waiting' }, { $set: { next_try_at: at } });
    },

    /** Deletes those of a channel until the signal fires. Index: account_id, channel_id. */
    deleteChannel: (accountId: string, channelId: number, signal: AbortSignal) =>
      deleteAll(deliveries, ofChannel(accountId, channelId), signal),

    /** Deletes a batch of those that were created before a time; see `deleteBatch`. Index: created_at. */
    deleteBefore: (before: Date) =>
      deleteBatch(deliveries, { created_at: { $lt: before } }, { created_at: 1 }),

    /** Deletes those of an account until the signal fires. Index: account_id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(deliveries, { account_id: accountId }, signal),
  };
}

function toDocument({ id, alert_ids: alertIds, ...delivery }: Delivery): DeliveryDocument {
  return { _id: id, ...delivery, alert_ids: [...alertIds] };
}

function toDelivery({ _id: id, ...row }: DeliveryDocument): Delivery {
  // Rows of an earlier version have none.
  return { id, ...row, digest: row.digest ?? null };
}
