import { type Connection, Schema } from 'mongoose';

export const counterNames = [
  'keyword_inspections',
  'niche_analyses',
  'autocomplete_queries',
  'metadata_simulations',
  'api_requests',
] as const;

export type CounterName = (typeof counterNames)[number];

/** What an account spent in one month. */
export type MonthUsage = Record<CounterName, number>;

export type UsageDocument = {
  _id: string;
  account_id: string;
  month: string;
  /** The last report of used API requests, and the quota then; absent: none. */
  reported?: { cap: number; percent: number };
} & MonthUsage;

const usageSchema = new Schema<UsageDocument>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    month: { type: String, required: true },
    reported: { type: Schema.Types.Mixed },
    ...Object.fromEntries(counterNames.map((name) => [name, { type: Number }])),
  },
  { collection: 'usage', versionKey: false },
);

export function createUsageModel(connection: Connection) {
  return connection.model('Usage', usageSchema);
}

export type UsageModel = ReturnType<typeof createUsageModel>;

export function toDocumentId(accountId: string, month: string): string {
  return `${accountId}:${month}`;
}

/** The UTC calendar month as YYYY-MM. */
export function toMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}
