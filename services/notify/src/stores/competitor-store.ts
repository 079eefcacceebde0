import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';

/** Whether an account has a listing as a competitor of its application, according to its newest event. */
export type Competitor = {
  /** `<account>:<listing>:<competitor>` */
  _id: string;
  account_id: string;
  /** internal app id of the application */
  listing_id: number;
  /** internal app id of the competitor */
  competitor_id: number;
  active: boolean;
  /** time of that event */
  at: Date;
};

export type CompetitorKey = Pick<Competitor, 'account_id' | 'listing_id' | 'competitor_id'>;

const schema = new Schema<Competitor>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    competitor_id: { type: Number, required: true },
    active: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
  .index({ account_id: 1, listing_id: 1, active: 1 })
  .index({ competitor_id: 1, active: 1, _id: 1 });

/** Of one query. */
const rowsPerPage = 500;

export type CompetitorStore = ReturnType<typeof createCompetitorStore>;

/** Which competitors the applications of accounts have. Events may arrive twice and in any order: the newest one wins. */
export function createCompetitorStore(connection: Connection) {
  const competitors = connection.model('Competitor', schema, 'competitors');

  return {
    /** Unless a newer event is stored. Index: _id. */
    async save(competitor: Omit<Competitor, '_id'>): Promise<void> {
      const _id = `${competitor.account_id}:${competitor.listing_id}:${competitor.competitor_id}`;
      await upsertNewest(() =>
        competitors.updateOne({ _id, at: { $lte: competitor.at } }, { $set: competitor }, { upsert: true }),
      );
    },

    /** The competitors of these applications of these accounts. Index: account_id, listing_id, active. */
    findOfApps: (accountIds: readonly string[], listingIds: readonly number[]): Promise<CompetitorKey[]> =>
      competitors
        .find({ account_id: { $in: accountIds }, listing_id: { $in: listingIds }, active: true })
        .select({ account_id: 1, listing_id: 1, competitor_id: 1 })
        .lean<CompetitorKey[]>(),

    /** The applications that have a listing as a competitor, and since when, in batches. Index: competitor_id, active, _id. */
    async *listRivalsOf(competitorId: number): AsyncGenerator<(CompetitorKey & Pick<Competitor, 'at'>)[]> {
      for (let after = '', isLast = false; !isLast; ) {
        const rows: (CompetitorKey & Pick<Competitor, '_id' | 'at'>)[] = await competitors
          .find({ competitor_id: competitorId, active: true, _id: { $gt: after } })
          .sort({ competitor_id: 1, active: 1, _id: 1 })
          .limit(rowsPerPage)
          .select({ account_id: 1, listing_id: 1, competitor_id: 1, at: 1 })
          .lean();
        if (rows.length > 0) yield rows;
        isLast = rows.length < rowsPerPage;
        after = rows.at(-1)?._id ?? after;
      }
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(competitors, ofAccount(accountId), signal),
  };
}
