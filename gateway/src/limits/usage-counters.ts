import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { type Connection, type QueryFilter, Schema } from 'mongoose';

const counterNames = [
  'keyword_inspections',
  'niche_analyses',
  'autocomplete_queries',
  'metadata_simulations',
  'api_requests',
] as const;

type CounterName = (typeof counterNames)[number];

/** What an account spent in one month. */
type MonthUsage = Record<CounterName, number>;

/** One use of a feature that a plan may cap. */
export type Use = { accountId: string; counter: CounterName; at: Date };

/** The usage of a month whose cap is reached. `renewsAt` is the start of the next UTC month, ISO 8601. */
export type CapReached = { spent: number; cap: number; renewsAt: string };

export type UsageCounters = {
  /**
   * Counts one use and returns null. When the month's cap is reached, counts nothing and returns the usage. A `cap` of
   * null means no cap.
   */
  spend(use: Use & { cap: number | null }): Promise<CapReached | null>;
  /** Takes one use back. `at` is the time of the use, so that the refund goes to its month. */
  refund(use: Use): Promise<void>;
  readMonth(accountId: string, at: Date): Promise<MonthUsage>;
  /** Deletes the counts of all months. */
  deleteAccount(accountId: string): Promise<void>;
};

type UsageDocument = { _id: string; account_id: string; month: string } & MonthUsage;

const usageSchema = new Schema<UsageDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    month: { type: String, required: true },
    ...Object.fromEntries(counterNames.map((name) => [name, { type: Number }])),
  },
  { collection: 'usage', versionKey: false },
);

/** Counters per account and UTC calendar month, one document each; concurrent calls never pass a cap. */
export function createUsageCounters(connection: Connection): UsageCounters {
  const model = connection.model('Usage', usageSchema);

  /** False when the cap is reached. */
  async function count({ accountId, counter, at }: Use, cap: number | null): Promise<boolean> {
    const month = toMonth(at);
    const filter: QueryFilter<UsageDocument> = { _id: toDocumentId(accountId, month) };
    if (cap !== null) filter[counter] = { $lt: cap };
    const update = {
      $inc: { [counter]: 1 },
      $setOnInsert: { account_id: accountId, month, ...otherCountersAtZero(counter) },
    };
    try {
      await model.updateOne(filter, update, { upsert: true });
      return true;
    } catch (error) {
      // Either the month's document is at the cap, so the filter misses it, or another call has just created it.
      if (!isDuplicateKey(error)) throw error;
      return (await model.updateOne(filter, update)).matchedCount === 1;
    }
  }

  async function readMonth(accountId: string, at: Date): Promise<MonthUsage> {
    const document = await model.findOne({ _id: toDocumentId(accountId, toMonth(at)) }).lean<UsageDocument>();
    const counts = counterNames.map((name) => [name, document?.[name] ?? 0]);
    return Object.fromEntries(counts) as MonthUsage;
  }

  return {
    readMonth,
    async spend({ cap, ...use }) {
      // A cap of 0 is checked here: the upsert would create the month's first document with one use.
      if (cap !== 0 && (await count(use, cap))) return null;
      const month = await readMonth(use.accountId, use.at);
      return {
        spent: month[use.counter],
        // Never null here: without a cap every use is counted.
        cap: cap ?? 0,
        renewsAt: toNextMonthStart(use.at).toISOString(),
      };
    },
    async refund({ accountId, counter, at }) {
      const filter = { _id: toDocumentId(accountId, toMonth(at)), [counter]: { $gt: 0 } };
      await model.updateOne(filter, { $inc: { [counter]: -1 } });
    },
    async deleteAccount(accountId) {
      // Ids are `<account>:<month>`; a semicolon follows a colon.
      await model.deleteMany({ _id: { $gte: `${accountId}:`, $lt: `${accountId};` } });
    },
  };
}

/** A new document has every counter, because a comparison does not match a missing field. */
function otherCountersAtZero(counter: CounterName): Partial<MonthUsage> {
  return Object.fromEntries(counterNames.filter((name) => name !== counter).map((name) => [name, 0]));
}

function toDocumentId(accountId: string, month: string): string {
  return `${accountId}:${month}`;
}

/** The UTC calendar month as YYYY-MM. */
function toMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}

function toNextMonthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
