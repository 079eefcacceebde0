import {
  type ChannelTiming,
  type ChannelType,
  channelTimings,
  maxAlertChannels,
} from '@shelfwise/facts/alerts/alert-channels';
import { type Claimed, createJobQueue, type DueJob, endClaim } from '@shelfwise/runtime/jobs/job-queue';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';
import type { Channel, ChannelSecrets, Delivery, SealedChannel, SealedSecret } from '../domain/channel.ts';
import { createInSlot } from './create-in-slot.ts';

/**
 * How the last try went: a receiver that was slow or failed may take the whole time limit again, and nothing is known of one that was
 * never tried. All mail goes through one server, so it has a lane of its own: when that server hangs, no webhook waits.
 */
export type Pace = 'quick' | 'new' | 'slow' | 'mail';

/** Of a channel that has not been tried yet. */
function firstPace(type: ChannelType): Pace {
  return type === 'email' ? 'mail' : 'new';
}

/** A delivery that is planned, before its row is written. */
export type PlannedDelivery = Pick<Delivery, 'id' | 'webhook_id' | 'listing_id' | 'alert_ids'>;

type ChannelDocument = Omit<Channel, 'id'> &
  ChannelSecrets & {
    _id: number;
    /** 1 to `maxAlertChannels`: an account has each number once, so never more channels, however many calls create one. */
    slot: number;
    /** The greatest alert of the account that is in a delivery of this channel, or is not for it. */
    last_alert: number;
    /** Deliveries whose rows may be missing: written with `last_alert`, so that a crash loses none. */
    planned: PlannedDelivery[];
    pace: Pace;
    /** Whether it is due for the next try of a delivery that failed. */
    is_retrying: boolean;
    /** When it is looked at; absent while it is off. See `createJobQueue`. */
    due_at?: Date | null;
    failures: number;
    claimed_by?: string | null;
  } & Partial<ConfirmLink>;

/** The link that confirms the address. Absent: there is none. */
export type ConfirmLink = {
  /** SHA-256 of its secret */
  confirm_hash: string;
  /** Until when it can be used. */
  confirm_until: Date;
};

/** A channel that may have something to send. */
export type DueChannel = DueJob & { _id: number; account_id: string; pace: Pace };

/** A channel that this copy may send to: no other one does, so that its deliveries stay in order. */
export type ClaimedChannel = Claimed<DueChannel>;

/** All of a channel. */
export type StoredChannel = Channel & ChannelSecrets;

/** What a worker needs of a channel. */
export type OpenChannel = StoredChannel & Pick<ChannelDocument, 'last_alert' | 'planned'>;

export type NewChannel = Pick<
  StoredChannel,
  | 'id'
  | 'account_id'
  | 'type'
  | 'name'
  | 'host'
  | 'url_end'
  | 'timing'
  | 'sealed_url'
  | 'secrets'
  | 'off_reason'
  | 'off_at'
  | 'created_at'
> &
  Partial<ConfirmLink>;

export type ChannelChange = Partial<
  Pick<StoredChannel, 'name' | 'host' | 'url_end' | 'timing' | 'sealed_url' | 'secrets'>
>;

/** What a worker writes when it ends its claim. */
export type ChannelProgress = Partial<
  Pick<
    ChannelDocument,
    'last_alert' | 'pace' | 'is_retrying' | 'failing_since' | 'last_success_at' | 'off_reason' | 'off_at'
  >
>;

const schema = new Schema<ChannelDocument>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    slot: { type: Number, required: true },
    type: { type: String, required: true },
    name: { type: String, required: true },
    host: { type: String, required: true },
    url_end: { type: String, required: true },
    sealed_url: { type: String, required: true },
    secrets: [{ sealed: String, until: Date, _id: false }],
    timing: { type: String, required: true },
    off_reason: { type: String, default: null },
    off_at: { type: Date, default: null },
    last_success_at: { type: Date, default: null },
    failing_since: { type: Date, default: null },
    created_at: { type: Date, required: true },
    confirmed_at: { type: Date, default: null },
    confirm_hash: String,
    confirm_until: Date,
    last_alert: { type: Number, required: true },
    planned: { type: Schema.Types.Mixed, required: true },
    pace: { type: String, required: true },
    is_retrying: { type: Boolean, required: true },
    due_at: Date,
    failures: { type: Number, required: true },
    claimed_by: String,
  },
  { versionKey: false },
)
  .index({ account_id: 1, slot: 1 }, { unique: true })
  .index({ pace: 1, due_at: 1 });

export type ChannelStore = ReturnType<typeof createChannelStore>;

/** The channels of accounts. Each is a job of the queue: it is due when it may have something to send. */
export function createChannelStore(connection: Connection, counters: CounterStore<'channel'>) {
  const channels = connection.model('AlertChannel', schema, 'alert_channels');
  const queue = createJobQueue<DueChannel, ChannelDocument>({
    model: channels,
    fields: ['account_id', 'pace'],
  });
  const ofAccount = (accountId: string) => ({ account_id: accountId });

  return {
    queue,

    takeId: () => counters.take('channel', 1),

    /** All of an account, oldest first: `maxAlertChannels` at most. Index: account_id, slot. */
    async list(accountId: string): Promise<StoredChannel[]> {
      const rows = await channels.find(ofAccount(accountId)).lean<ChannelDocument[]>();
      return rows.map(toChannel).sort((one, other) => one.id - other.id);
    },

    /** Those of the ids that are channels of the account. Index: account_id, slot. */
    async findIds(accountId: string, ids: readonly number[]): Promise<Set<number>> {
      const rows = await channels
        .find({ account_id: accountId, _id: { $in: ids } })
        .select({ _id: 1 })
        .lean<Pick<ChannelDocument, '_id'>[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** Those of the ids that are on. Index: _id. */
    async findOn(ids: readonly number[]): Promise<Set<number>> {
      if (ids.length === 0) return new Set();
      const rows = await channels
        .find({ _id: { $in: ids }, off_reason: null })
        .select({ _id: 1 })
        .lean<Pick<ChannelDocument, '_id'>[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** Index: _id. */
    async find(accountId: string, id: number): Promise<StoredChannel | null> {
      const row = await channels.findOne({ _id: id, account_id: accountId }).lean<ChannelDocument>();
      return row && toChannel(row);
    },

    /** What is sealed of up to `limit` channels of all accounts, those with an id above `afterId`, by id. Index: _id. */
    async listSealed(afterId: number, limit: number): Promise<SealedChannel[]> {
      const rows = await channels
        .find({ _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(limit)
        .select(sealedFields)
        .lean<SealedDocument[]>();
      return rows.map(toSealed);
    },

    /** Of any account. Index: _id. */
    async findSealed(id: number): Promise<SealedChannel | null> {
      const row = await channels.findById(id).select(sealedFields).lean<SealedDocument>();
      return row && toSealed(row);
    },

    /** Replaces what is sealed. False when it is not what was read any more. Index: _id. */
    async replaceSealed(read: SealedChannel, { sealed_url, secrets }: ChannelSecrets): Promise<boolean> {
      const { matchedCount } = await channels.updateOne(
        { _id: read.id, sealed_url: read.sealed_url, ...withSecretsOf(read) },
        { $set: { sealed_url, secrets } },
      );
      return matchedCount === 1;
    },

    /** False when the account has `maxAlertChannels`. Index: account_id, slot. */
    create({ id, ...fresh }: NewChannel): Promise<boolean> {
      const row = {
        _id: id,
        ...fresh,
        last_alert: 0,
        planned: [],
        pace: firstPace(fresh.type),
        is_retrying: false,
        due_at: fresh.off_reason === null ? fresh.created_at : null,
        failures: 0,
      };
      return createInSlot(channels, fresh.account_id, maxAlertChannels, (slot) =>
        channels.create({ ...row, slot }),
      );
    },

    /**
     * False when there is no such channel any more, or when the change has secrets and those of the channel are not what was read:
     * nothing is changed then. Index: _id.
     */
    async update(read: StoredChannel, change: ChannelChange): Promise<boolean> {
      const where = change.secrets ? withSecretsOf(read) : {};
      const { matchedCount } = await channels.updateOne(
        { _id: read.id, account_id: read.account_id, ...where },
        { $set: change },
      );
      return matchedCount === 1;
    },

    /**
     * Turns a channel on, or makes it try again now. A worker that sends to it at this moment loses its claim. A mail address stays
     * off when another call has changed it meanwhile, so that it is to be confirmed. Index: _id.
     */
    async turnOn(
      { account_id: accountId, id, type }: Pick<StoredChannel, 'account_id' | 'id' | 'type'>,
      at: Date,
    ): Promise<void> {
      const set = { ...onFields(at), pace: firstPace(type) };
      const where = type === 'email' ? { confirmed_at: { $ne: null } } : {};
      await channels.updateOne({ _id: id, account_id: accountId, ...where }, { $set: set, $unset: endClaim });
    },

    /**
     * Nothing more is sent, and a worker that sends to it loses its claim. A link that waits ends first, so that it does not turn
     * the channel on again. Index: _id.
     */
    async turnOff(accountId: string, id: number, at: Date): Promise<void> {
      const where = { _id: id, account_id: accountId };
      await channels.updateOne(where, { $unset: noLink });
      await channels.updateOne(
        { ...where, off_reason: { $in: [null, 'unconfirmed'] } },
        { $set: { off_reason: 'account', off_at: at }, $unset: { due_at: '', ...endClaim, ...noLink } },
      );
    },

    /**
     * The address is another one, or asks again: nothing is sent before this link is used, and no earlier link is good. Address and link
     * are one write, so that a link that was mailed to one address never confirms another one. False when another call has changed
     * the address meanwhile. Index: _id.
     * @param link null: the account has turned the channel off, and is asked when it turns it on
     */
    async unconfirm(
      { account_id, id, sealed_url }: Pick<StoredChannel, 'account_id' | 'id' | 'sealed_url'>,
      change: ChannelChange,
      link: ConfirmLink | null,
      at: Date,
    ): Promise<boolean> {
      const state = { off_reason: link ? 'unconfirmed' : 'account', off_at: at, confirmed_at: null } as const;
      const { matchedCount } = await channels.updateOne(
        { _id: id, account_id, sealed_url },
        {
          $set: { ...change, ...state, ...link },
          $unset: { due_at: '', ...endClaim, ...(!link && noLink) },
        },
      );
      return matchedCount === 1;
    },

    /**
     * Takes `unconfirm` back, because the mail with its link was not sent: the channel is on again if it was. Does nothing once the link
     * was used or replaced, or a reader has unsubscribed. Index: _id.
     * @param before the fields that were changed, as they were
     */
    async takeBack(
      { account_id, id, off_reason, off_at, confirmed_at }: StoredChannel,
      before: ChannelChange,
      { confirm_hash }: ConfirmLink,
      at: Date,
    ): Promise<void> {
      const due = off_reason === null ? { due_at: at } : {};
      await channels.updateOne(
        { _id: id, account_id, confirm_hash, off_reason: 'unconfirmed' },
        { $set: { ...before, off_reason, off_at, confirmed_at, ...due }, $unset: noLink },
      );
    },

    /** Turns the channel on, once for each link. False: the link was used, or has expired. Index: _id. */
    async confirm(id: number, hash: string, at: Date): Promise<boolean> {
      const { matchedCount } = await channels.updateOne(
        { _id: id, confirm_hash: hash, confirm_until: { $gt: at } },
        {
          $set: { ...onFields(at), confirmed_at: at },
          $unset: { ...noLink, ...endClaim },
        },
      );
      return matchedCount === 1;
    },

    /** Of any account. Index: _id. */
    async findOfLink(id: number): Promise<StoredChannel | null> {
      const row = await channels.findOne({ _id: id, type: 'email' }).lean<ChannelDocument>();
      return row && toChannel(row);
    },

    /** Nothing more is sent until its owner confirms the address again. A link that waits stays good. Index: _id. */
    async unsubscribe(id: number, at: Date): Promise<void> {
      await channels.updateOne(
        { _id: id },
        {
          $set: { off_reason: 'unsubscribed', off_at: at, confirmed_at: null },
          $unset: { due_at: '', ...endClaim },
        },
      );
    },

    /** Whether there was one. Index: _id. */
    async remove(accountId: string, id: number): Promise<boolean> {
      const { deletedCount } = await channels.deleteOne({ _id: id, account_id: accountId });
      return deletedCount === 1;
    },

    /**
     * Makes channels due at `at` that would be looked at later. One that a worker has claimed stays as it is: the worker looks
     * for further alerts after its claim. One that is retrying has something to send before. Index: _id.
     */
    async makeDue(
      ids: readonly number[],
      at: Date,
      timings: readonly ChannelTiming[] = channelTimings,
    ): Promise<void> {
      await channels.updateMany(
        {
          _id: { $in: ids },
          timing: { $in: timings },
          is_retrying: false,
          claimed_by: null,
          due_at: { $gt: at },
        },
        { $set: { due_at: at } },
      );
    },

    /** Null when the claim is lost. Channels of one moment share a query. Index: _id. */
    async findClaimed(claimed: ClaimedChannel): Promise<OpenChannel | null> {
      const row = await queue.findClaimed<ChannelDocument>(claimed, openFields);
      return row && { ...toChannel(row), last_alert: row.last_alert, planned: row.planned };
    },

    /** Keeps a plan of deliveries until their rows are written. False when the claim is lost. Index: _id. */
    savePlan: (claimed: ClaimedChannel, planned: readonly PlannedDelivery[], lastAlert: number) =>
      updateClaimed(claimed, { planned: [...planned], last_alert: lastAlert }),

    /** The rows of the plan are written. False when the claim is lost. Index: _id. */
    clearPlan: (claimed: ClaimedChannel) => updateClaimed(claimed, { planned: [] }),

    /** A delivery on request has succeeded. Index: _id. */
    async recordSuccess(id: number, at: Date): Promise<void> {
      await channels.updateOne({ _id: id }, { $set: { last_success_at: at, failing_since: null } });
    },

    /** Deletes the channels of an account until the signal fires. Index: account_id, slot. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(channels, ofAccount(accountId), signal),
  };

  async function updateClaimed(
    { _id, claim }: Pick<ClaimedChannel, '_id' | 'claim'>,
    set: Partial<ChannelDocument>,
  ): Promise<boolean> {
    const { matchedCount } = await channels.updateOne({ _id, claimed_by: claim }, { $set: set });
    return matchedCount === 1;
  }
}

/** The `$unset` that ends the link. */
const noLink = { confirm_hash: '', confirm_until: '' } as const;

/** Of a channel that is on and has not failed. */
const onFields = (at: Date) => ({
  off_reason: null,
  off_at: null,
  failing_since: null,
  is_retrying: false,
  due_at: at,
  failures: 0,
});

/** All fields of an open channel. */
const openFields = {
  account_id: 1,
  type: 1,
  name: 1,
  host: 1,
  url_end: 1,
  sealed_url: 1,
  secrets: 1,
  timing: 1,
  off_reason: 1,
  off_at: 1,
  last_success_at: 1,
  failing_since: 1,
  created_at: 1,
  confirmed_at: 1,
  last_alert: 1,
  planned: 1,
} as const;

function toChannel(row: ChannelDocument): StoredChannel {
  return {
    id: row._id,
    account_id: row.account_id,
    type: row.type,
    name: row.name,
    host: row.host,
    url_end: row.url_end,
    sealed_url: row.sealed_url,
    secrets: toSecrets(row),
    timing: row.timing,
    off_reason: row.off_reason ?? null,
    off_at: row.off_at ?? null,
    last_success_at: row.last_success_at ?? null,
    failing_since: row.failing_since ?? null,
    created_at: row.created_at,
    confirmed_at: row.confirmed_at ?? null,
  };
}

type SealedDocument = Pick<ChannelDocument, '_id' | 'account_id' | 'sealed_url' | 'secrets'>;

const sealedFields = { account_id: 1, sealed_url: 1, secrets: 1 } as const;

function toSealed(row: SealedDocument): SealedChannel {
  return { id: row._id, account_id: row.account_id, sealed_url: row.sealed_url, secrets: toSecrets(row) };
}

function toSecrets({ secrets }: Pick<ChannelDocument, 'secrets'>): SealedSecret[] {
  return secrets.map(({ sealed, until }) => ({ sealed, until: until ?? null }));
}

/** Matches a channel that still has these secrets: every change puts a new one first, and no two sealed texts are equal. */
function withSecretsOf({ secrets: [newest] }: Pick<ChannelSecrets, 'secrets'>): object {
  return newest ? { 'secrets.0.sealed': newest.sealed } : {};
}
