import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { type Connection, Schema } from 'mongoose';

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

/** One use of something that a plan may cap. */
export type Use = { accountId: string; counter: CounterName; at: Date };

/** How the month stands when it has no room for another use. */
export type CapReached = { spent: number; cap: number; renewsAt: string };

export type UsageCounters = {
  /** Counts one use unless that would pass the month's cap (null: none); then it says how the month stands. */
  spend(use: Use & { cap: number | null }): Promise<CapReached | null>;
  /** `at` is the moment at which it was spent. */
  refund(use: Use): Promise<void>;
  readMonth(accountId: string, at: Date): Promise<MonthUsage>;
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

/** Counters per account and UTC calendar month, one document each; they never pass a cap, however many calls race. */
export function createUsageCounters(connection: Connection): UsageCounters {
  const model = connection.model('Usage', usageSchema);

  async function count({ accountId, counter, at }: Use, cap: number | null): Promise<boolean> {
    const month = monthOf(at);
    const filter = {
      _id: documentId(accountId, month),
      ...(cap !== null && { [counter]: { $lt: cap } }),
    };
    const update = {
      $inc: { [counter]: 1 },
      $setOnInsert: { account_id: accountId, month, ...othersAtZero(counter) },
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
    async spend({ cap, ...use }) {
      if (cap !== 0 && (await count(use, cap))) return null;
      const month = await readMonth(use.accountId, use.at);
      return {
        spent: month[use.counter],
        cap: cap ?? 0,
        renewsAt: startOfNextMonth(use.at).toISOString(),
      };
    },
    async refund({ accountId, counter, at }) {
      const filter = { _id: documentId(accountId, monthOf(at)), [counter]: { $gt: 0 } };
      await model.updateOne(filter, { $inc: { [counter]: -1 } });
    },
  };
}

/** Every counter is there from the first one on, because a comparison does not find a field that is absent. */
function othersAtZero(counter: CounterName): Partial<MonthUsage> {
  return Object.fromEntries(counterNames.filter((name) => name !== counter).map((name) => [name, 0]));
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
