import { type FeedKind, keptAlerts } from '@shelfwise/facts/alerts/alert-kinds';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteAll, documentsPerBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';
import { type Alert, alertKey } from '../domain/alert.ts';
import type { FeedEntry } from '../domain/plan-deliveries.ts';
import type { AccountStore } from './account-store.ts';

/** `_id` is the alert's `alertKey`: what is published once. */
type AlertDocument = Omit<Alert, 'app' | 'keyword'> & {
  _id: string;
  /** Counts the alerts of the account from 1: the id that clients see. */
  seq: number;
  /** when it was published */
  at: Date;
  /** Of the application; null: it is about a store. */
  listing_id: number | null;
  app_id: string | null;
  title: string | null;
  keyword_id: number | null;
  keyword: string | null;
  /** The channels of its rule that were on when it was published; absent: none. From here deliveries are planned. */
  channels?: number[];
};

/** An alert with the channels that it is sent to. */
export type RoutedAlert = Alert & { channels: readonly number[] };

export type StoredAlert = Alert & { id: number; at: Date };

/** Which alerts of an account: those after an id, of a kind, of an application. Null: all. */
export type AlertFilter = { since: number | null; kind: FeedKind | null; app_id: number | null };

/** Alerts of these kinds after an id until another one, of an application; null: of all. */
export type DigestRange = {
  after: number;
  until: number;
  app_id: number | null;
  kinds: readonly FeedKind[];
};

const appSchema = new Schema(
  {
    id: { type: Number, required: true },
    app_id: { type: String, required: true },
    title: { type: String, default: null },
  },
  { _id: false },
);

const channelSchema = new Schema(
  {
    id: { type: Number, required: true },
    name: { type: String, required: true },
    reason: { type: String, required: true },
  },
  { _id: false },
);

const chartSchema = new Schema(
  {
    store: { type: String, required: true },
    country: { type: String, required: true },
    category: { type: String, required: true },
    // Mongoose keeps the word for itself, as a method of its documents; rows are read without them.
    collection: { type: String, required: true },
    depth: { type: Number, required: true },
  },
  { _id: false, suppressReservedKeysWarning: true },
);

const schema = new Schema<AlertDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    seq: { type: Number, required: true },
    at: { type: Date, required: true },
    rule_id: { type: Number, default: null },
    kind: { type: String, required: true },
    threshold: { type: Number, default: null },
    listing_id: { type: Number, default: null },
    app_id: { type: String, default: null },
    title: { type: String, default: null },
    keyword_id: { type: Number, default: null },
    keyword: { type: String, default: null },
    before: { type: Number, default: null },
    after: { type: Number, default: null },
    day_before: { type: String, default: null },
    day_after: { type: String, required: true },
    ranks: [{ app_id: String, before: Number, after: Number, _id: false }],
    other_app: { type: appSchema, default: null },
    fields: [{ field: String, before: String, after: String, _id: false }],
    is_confirmed: { type: Boolean, default: null },
    channels: { type: [Number], default: undefined },
    store: { type: String, default: null },
    channel: { type: channelSchema, default: null },
    chart: { type: chartSchema, default: null },
    unread_keywords: { type: Number, default: null },
  },
  { versionKey: false },
)
  // A second alert with the same id is refused, whichever copy writes it.
  .index({ account_id: 1, seq: 1 }, { unique: true })
  .index({ account_id: 1, kind: 1, seq: 1 })
  .index({ account_id: 1, listing_id: 1, seq: 1 })
  .index({ at: 1 });

/** Of one command. */
const alertsPerInsert = 100;

/** How many new alerts of an account come between two looks for more than `keptAlerts`: most writes cost no further command. */
const alertsPerTrim = 1000;

const never = new AbortController().signal;

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore(
  connection: Connection,
  accounts: Pick<AccountStore, 'findLastDeletedAlert' | 'recordDeletedAlerts'>,
) {
  const alerts = connection.model('Alert', schema, 'alerts');

  /**
   * The greatest id that an alert of the account has or had. The alerts are read first: what is deleted between the
   * queries was recorded before. Index: account_id, seq; _id.
   */
  async function findLastId(accountId: string): Promise<number> {
    const newest = await alerts
      .find({ account_id: accountId })
      .sort({ account_id: -1, seq: -1 })
      .limit(1)
      .select({ seq: 1 })
      .lean<Pick<AlertDocument, 'seq'>[]>();
    return Math.max(newest[0]?.seq ?? 0, await accounts.findLastDeletedAlert(accountId));
  }

  /** Those of the keys that are in the feed. Index: _id. */
  async function findKnown(keys: readonly string[]): Promise<Set<string>> {
    const rows = await alerts
      .find({ _id: { $in: keys } })
      .select({ _id: 1 })
      .lean<Pick<AlertDocument, '_id'>[]>();
    return new Set(rows.map(({ _id }) => _id));
  }

  /**
   * Inserts alerts in their order, each with the next id, and returns the last one; null when another copy added one of them or used
   * an id meanwhile: the first ones may then be stored. An id is written only by a copy that has read the one before it, so
   * ids become visible in order.
   */
  async function tryToInsert(accountId: string, fresh: readonly AlertDocument[]): Promise<number | null> {
    const last = await findLastId(accountId);
    const rows = fresh.map((row, index) => ({ ...row, seq: last + 1 + index }));
    try {
      await alerts.collection.insertMany(rows as never[], { ordered: true });
      return last + rows.length;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /**
   * Deletes what is older than the last `keptAlerts` when one of the last `count` ids is the next thousand. After a crash the thousand
   * after it does. Index: account_id, seq.
   */
  async function trim(accountId: string, last: number, count: number): Promise<void> {
    const isDue = Math.floor(last / alertsPerTrim) > Math.floor((last - count) / alertsPerTrim);
    if (!isDue || last <= keptAlerts) return;
    await accounts.recordDeletedAlerts(new Map([[accountId, last - keptAlerts]]));
    await deleteAll(alerts, { account_id: accountId, seq: { $lte: last - keptAlerts } }, never);
  }

  return {
    /**
     * Adds the alerts of one account that are not in its feed yet, in their order, and returns these.
     * Cost: three queries and an insert for each hundred; a copy that meets another one repeats them. Beyond `keptAlerts`, 40 commands
     * for each thousand.
     */
    async add(accountId: string, found: readonly RoutedAlert[], at: Date): Promise<Pick<Alert, 'kind'>[]> {
      const added: AlertDocument[] = [];
      for (let start = 0; start < found.length; start += alertsPerInsert) {
        const batch = found.slice(start, start + alertsPerInsert).map((alert) => toDocument(alert, at));
        for (let attempt = 0; ; attempt += 1) {
          const known = await findKnown(batch.map(({ _id }) => _id));
          const fresh = batch.filter(({ _id }) => !known.has(_id));
          if (attempt === 0) added.push(...fresh);
          if (fresh.length === 0) break;
          const last = await tryToInsert(accountId, fresh);
          if (last === null) continue;
          await trim(accountId, last, fresh.length);
          break;
        }
      }
      return added;
    },

    /** What deliveries are planned from: the alerts after an id, in order. Index: account_id, seq. */
    async listAfter(accountId: string, id: number, limit: number): Promise<FeedEntry[]> {
      const rows = await alerts
        .find({ account_id: accountId, seq: { $gt: id } })
        .sort({ account_id: 1, seq: 1 })
        .limit(limit)
        .select({ seq: 1, at: 1, listing_id: 1, channels: 1 })
        .lean<Pick<AlertDocument, 'seq' | 'at' | 'listing_id' | 'channels'>[]>();
      return rows.map(({ seq, at, listing_id, channels = [] }) => ({ id: seq, at, listing_id, channels }));
    },

    findLastId,

    /** Ids of the first alerts in a range. Index: account_id, listing_id if given, seq. */
    async listForDigest(accountId: string, range: DigestRange, limit: number): Promise<number[]> {
      const rows = await alerts
        .find(toRangeFilter(accountId, range))
        .sort({ seq: 1 })
        .limit(limit)
        .select({ seq: 1 })
        .lean<Pick<AlertDocument, 'seq'>[]>();
      return rows.map(({ seq }) => seq);
    },

    /** Index: as `listForDigest`. */
    countForDigest: (accountId: string, range: DigestRange) =>
      alerts.countDocuments(toRangeFilter(accountId, range)),

    /** In their order; those that were deleted are missing. Index: account_id, seq. */
    async findByIds(accountId: string, ids: readonly number[]): Promise<StoredAlert[]> {
      const rows = await alerts
        .find({ account_id: accountId, seq: { $in: ids } })
        .sort({ account_id: 1, seq: 1 })
        .lean<AlertDocument[]>();
      return rows.map(toAlert);
    },

    /** After an id the oldest first, otherwise the newest first. Index: account_id, kind or listing_id if given, seq. */
    async list(
      accountId: string,
      filter: AlertFilter,
      { skip, limit }: { skip: number; limit: number },
    ): Promise<StoredAlert[]> {
      const rows = await alerts
        .find(toFilter(accountId, filter))
        .sort({ seq: filter.since === null ? -1 : 1 })
        .skip(skip)
        .limit(limit)
        .lean<AlertDocument[]>();
      return rows.map(toAlert);
    },

    /** Index: as `list`. */
    count: (accountId: string, filter: AlertFilter) => alerts.countDocuments(toFilter(accountId, filter)),

    /** Deletes a batch of those that were published before a time, and returns how many it found. Index: at. */
    async deleteBefore(before: Date): Promise<number> {
      const found = await alerts
        .find({ at: { $lt: before } })
        .sort({ at: 1 })
        .limit(documentsPerBatch)
        .select({ account_id: 1, seq: 1 })
        .lean<Pick<AlertDocument, '_id' | 'account_id' | 'seq'>[]>();
      if (found.length === 0) return 0;
      const lastIds = new Map<string, number>();
      for (const { account_id: accountId, seq } of found)
        lastIds.set(accountId, Math.max(seq, lastIds.get(accountId) ?? 0));
      await accounts.recordDeletedAlerts(lastIds);
      await alerts.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    },

    /** Deletes the alerts of an account until the signal fires. Index: account_id, seq. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(alerts, { account_id: accountId }, signal),
  };
}

type AlertQuery = { account_id: string; kind?: FeedKind; listing_id?: number; seq?: { $gt: number } };

function toFilter(accountId: string, { since, kind, app_id: appId }: AlertFilter): AlertQuery {
  const query: AlertQuery = { account_id: accountId };
  if (kind !== null) query.kind = kind;
  if (appId !== null) query.listing_id = appId;
  if (since !== null) query.seq = { $gt: since };
  return query;
}

function toRangeFilter(accountId: string, { after, until, app_id: appId, kinds }: DigestRange) {
  const seq = { $gt: after, $lte: until };
  const range = { account_id: accountId, seq, kind: { $in: kinds } };
  return appId === null ? range : { ...range, listing_id: appId };
}

function toDocument({ app, keyword, channels, ...alert }: RoutedAlert, at: Date): AlertDocument {
  const row: AlertDocument = {
    _id: alertKey({ app, keyword, ...alert }),
    // Set by the insert.
    seq: 0,
    at,
    ...alert,
    listing_id: app?.id ?? null,
    app_id: app?.app_id ?? null,
    title: app?.title ?? null,
    keyword_id: keyword?.id ?? null,
    keyword: keyword?.text ?? null,
  };
  if (channels.length > 0) row.channels = [...channels];
  return row;
}

function toAlert(row: AlertDocument): StoredAlert {
  const { _id, seq, listing_id, app_id, title, keyword_id: keywordId, keyword, channels: _, ...alert } = row;
  return {
    ...alert,
    // Rows of an earlier version have none.
    chart: alert.chart ?? null,
    id: seq,
    app: listing_id === null ? null : { id: listing_id, app_id: app_id ?? '', title },
    keyword: keywordId === null ? null : { id: keywordId, text: keyword ?? '' },
  };
}
