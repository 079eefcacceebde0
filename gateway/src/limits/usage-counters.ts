import { isDuplicateKey } from '@shelfwise/runtime/mongo';
import { type Connection, Schema } from 'mongoose';
import type { QuotaUsage } from './limit-decider.ts';

const counterNames = [
  'keyword_inspections',
  'niche_analyses',
  'autocomplete_queries',
  'metadata_simulations',
  'api_requests',
] as const;

/** What an account spent in one month. */
export type MonthUsage = Record<(typeof counterNames)[number], number>;

export type UsageCounters = {
  /** Counts one API request unless that would pass `limit`; then it says how the month stands. */
  spendRequest(accountId: string, limit: number | null, at: Date): Promise<QuotaUsage | null>;
  refundRequest(accountId: string, at: Date): Promise<void>;
  readMonth(accountId: string, at: Date): Promise<MonthUsage>;
};

type UsageDocument = { _id: string; account_id: string; month: string } & MonthUsage;

/** Every counter is there from the first one on, because a comparison does not find a field that is absent. */
const otherCountersAtZero = Object.fromEntries(
  counterNames.filter((name) => name !== 'api_requests').map((name) => [name, 0]),
);

const usageSchema = new Schema<UsageDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    month: { type: String, required: true },
    ...Object.fromEntries(counterNames.map((name) => [name, { type: Number }])),
  },
  { collection: 'usage', versionKey: false },
);

/** Counters per account and UTC calendar month, one document each; they never pass a cap, however many calls race. */
export function createUsageCounters(connection: Connection): UsageCounters {
  const model = connection.model('Usage', usageSchema);

  async function countRequest(accountId: string, limit: number | null, at: Date): Promise<boolean> {
    const month = monthOf(at);
    const filter = {
      _id: documentId(accountId, month),
      ...(limit !== null && { api_requests: { $lt: limit } }),
    };
    const update = {
      $inc: { api_requests: 1 },
      $setOnInsert: { account_id: accountId, month, ...otherCountersAtZero },
    };
    try {
      await model.updateOne(filter, update, { upsert: true });
      return true;
    } catch (error) {
      // Either the month's document is at the cap, so that the filter misses it, or another call has just made it.
      if (!isDuplicateKey(error)) throw error;
      return (await model.updateOne(filter, update)).matchedCount === 1;
    }
  }

  async function readMonth(accountId: string, at: Date): Promise<MonthUsage> {
    const found = await model.findOne({ _id: documentId(accountId, monthOf(at)) }).lean<UsageDocument>();
    const counts = counterNames.map((name) => [name, found?.[name] ?? 0]);
    return Object.fromEntries(counts) as MonthUsage;
  }

  return {
    readMonth,
    async spendRequest(accountId, limit, at) {
      if (limit !== 0 && (await countRequest(accountId, limit, at))) return null;
      const { api_requests } = await readMonth(accountId, at);
      return {
        api_requests,
        api_requests_per_month: limit ?? 0,
        renews_at: startOfNextMonth(at).toISOString(),
      };
    },
    async refundRequest(accountId, at) {
      const filter = { _id: documentId(accountId, monthOf(at)), api_requests: { $gt: 0 } };
      await model.updateOne(filter, { $inc: { api_requests: -1 } });
    },
  };
}

function documentId(accountId: string, month: string): string {
  return `${accountId}:${month}`;
}

/** The UTC calendar month as YYYY-MM. */
function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

function startOfNextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
