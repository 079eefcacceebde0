import type { Connection } from 'mongoose';
import { createCountTogether } from './count-together.ts';
import type { QuotaUsage } from './limit-decider.ts';
import { createQuotaMarks, type MonthQuota, type QuotaReport } from './quota-marks.ts';
import {
  type CounterName,
  counterNames,
  createUsageModel,
  type MonthUsage,
  toDocumentId,
  toMonth,
  type UsageDocument,
} from './usage-model.ts';

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
  /** The usage when the month's cap is reached, else null. Counts nothing. */
  findCapReached(use: Use & { cap: number }): Promise<CapReached | null>;
  /** Takes one use back. `at` is the time of the use, so that the refund goes to its month. */
  refund(use: Use): Promise<void>;
  readMonth(accountId: string, at: Date): Promise<MonthUsage>;
  /** Deletes the counts of all months. */
  deleteAccount(accountId: string): Promise<void>;
};

/**
 * Counters per account and UTC calendar month, one document each; concurrent calls never pass a cap. Uses that are in
 * flight at the same time share a write. What API requests use of a quota is reported at its marks, see `createQuotaMarks`.
 * @param report absent: nothing is reported
 */
export function createUsageCounters(
  connection: Connection,
  report?: (report: QuotaReport) => Promise<void>,
): UsageCounters {
  const model = createUsageModel(connection);
  const countTogether = createCountTogether(model);
  const marks = report && createQuotaMarks(report);

  /** Counts an API request, alone where it may reach a mark. False when the quota is used up. No request waits for a report. */
  async function countRequest(quotaMarks: NonNullable<typeof marks>, quota: MonthQuota, at: Date) {
    const { accountId, month, cap } = quota;
    const counter = 'api_requests';
    const room = quotaMarks.countedTogether(quota, at);
    if (room > 0 && (await countTogether({ accountId, month, counter, cap: room }))) return true;
    const _id = toDocumentId(accountId, month);
    const row = await model
      .findOneAndUpdate(
        { _id, [counter]: { $lt: cap } },
        { $inc: { [counter]: 1 } },
        { returnDocument: 'after' },
      )
      .lean<UsageDocument>();
    // A quota that is used up may have a mark whose report failed.
    const seen = row ?? (room < cap ? await model.findById(_id).lean<UsageDocument>() : null);
    if (seen) {
      const reported = seen.reported?.cap === cap ? seen.reported.percent : 0;
      // If it cannot be recorded, it is reported again, which is harmless.
      void recordReport(quotaMarks.counted(quota, { spent: seen[counter], reported }, at), {
        _id,
        cap,
      }).catch(() => {});
    }
    return row !== null;
  }

  async function recordReport(report: Promise<number | null>, { _id, cap }: { _id: string; cap: number }) {
    const percent = await report;
    if (percent !== null) await model.updateOne({ _id }, { $set: { reported: { cap, percent } } });
  }

  /** False when the cap is reached. */
  async function count({ accountId, counter, at }: Use, cap: number | null): Promise<boolean> {
    const month = toMonth(at);
    if (marks && cap !== null && counter === 'api_requests')
      return countRequest(marks, { accountId, month, cap }, at);
    if (await countTogether({ accountId, month, counter, cap })) return true;
    const room = cap === null ? {} : { [counter]: { $lt: cap } };
    const filter = { _id: toDocumentId(accountId, month), ...room };
    return (await model.updateOne(filter, { $inc: { [counter]: 1 } })).matchedCount === 1;
  }

  async function readMonth(accountId: string, at: Date): Promise<MonthUsage> {
    const document = await model.findOne({ _id: toDocumentId(accountId, toMonth(at)) }).lean<UsageDocument>();
    const counts = counterNames.map((name) => [name, document?.[name] ?? 0]);
    return Object.fromEntries(counts) as MonthUsage;
  }

  async function readCap({ cap, ...use }: Use & { cap: number }): Promise<CapReached> {
    const { [use.counter]: spent } = await readMonth(use.accountId, use.at);
    return { spent, cap, renewsAt: toNextMonthStart(use.at).toISOString() };
  }

  return {
    readMonth,
    async spend({ cap, ...use }) {
      // A cap of 0 is checked here: the upsert would create the month's first document with one use.
      if (cap !== 0 && (await count(use, cap))) return null;
      // Never null here: without a cap every use is counted.
      return readCap({ ...use, cap: cap ?? 0 });
    },
    async findCapReached(use) {
      const month = await readCap(use);
      return month.spent >= month.cap ? month : null;
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

/** The month's API requests, as an answer shows them. */
export function toQuotaUsage({ spent, cap, renewsAt }: CapReached): QuotaUsage {
  return { api_requests: spent, api_requests_per_month: cap, renews_at: renewsAt };
}

/** When the month ends, and its counts with it. */
export function toNextMonthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}
