import type { Model } from 'mongoose';
import { checkAccountId, checkPage } from '../check-request.ts';
import { deleteAll, deleteBatch } from './delete-batch.ts';

/** A page of an account's rows, as a request asks for it. */
export type PageRequest = { account_id: string; page: number; per_page: number };

type HistoryRow = { _id: number; account_id: string };

/** Which rows, and the fields of them that are not read. */
type Selection<Row> = { filter?: Readonly<Record<string, RegExp>>; omitted?: { [Field in keyof Row]?: 0 } };

/**
 * The rows that accounts see as their history. `time` is the field with the time of a row. The model needs the indexes
 * `account_id, time, _id` and `time`.
 */
export function createAccountHistory<Row extends HistoryRow>(
  /** Any mongoose model of `Row`. Its own type is invariant and would fit only one kind of document. */
  model: { collection: object },
  time: string & keyof Row,
) {
  const rows = model as unknown as Model<HistoryRow>;
  return {
    /**
     * A page of the rows, newest first, and their number on all pages. The order is total, so that pages never overlap.
     * @throws INVALID_PARAMS
     */
    async readPage<Shown = Row>(
      request: PageRequest,
      { filter = {}, omitted = {} }: Selection<Row> = {},
    ): Promise<{ rows: Shown[]; total: number }> {
      const found: Record<string, string | RegExp> = {
        account_id: checkAccountId(request.account_id),
        ...filter,
      };
      const { skip, limit } = checkPage(request);
      const page = rows
        .find(found)
        .sort({ [time]: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .select(omitted as Record<string, 0>);
      const [shown, total] = await Promise.all([page.lean<Shown[]>(), rows.countDocuments(found)]);
      return { rows: shown, total };
    },

    /** Deletes a batch of rows from before `before`; see `deleteBatch`. */
    deleteBefore: (before: Date) => deleteBatch(rows, { [time]: { $lt: before } }, { [time]: 1 }),

    /** Deletes the rows of an account until the signal fires. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(rows, { account_id: accountId }, signal),
  };
}
