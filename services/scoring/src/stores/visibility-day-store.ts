import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo-queries/retry-upsert';
import { updatesPerCommand } from '@shelfwise/runtime/mongo-queries/updates-per-command';
import { type Connection, Schema } from 'mongoose';
import type { DayReading } from '../domain/visibility/score-days.ts';

type DayDocument = {
  /** `<listing>:<day>` */
  _id: string;
  listing_id: number;
  day: string;
  /** Ranks by `fieldOf(keyword)`, null: not ranked. */
  ranks?: Record<string, number | null> | null;
  ratings?: number | null;
};

/** What one day's readings show of a listing. */
export type DayChange = {
  listingId: number;
  /** The UTC day on which the store was read. */
  day: string;
  ranks?: ReadonlyMap<string, number | null>;
  /** Rating count; left out: the listing was not read. */
  ratings?: number | null;
};

const schema = new Schema<DayDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    day: { type: String, required: true },
    ranks: Schema.Types.Mixed,
    ratings: Number,
  },
  { versionKey: false },
).index({ listing_id: 1, day: 1 });

/** As many days as a window has at most. */
const maxDays = 400;

export type VisibilityDayStore = ReturnType<typeof createVisibilityDayStore>;

/**
 * The ranks and rating count of each listing, a row of some 2 KB per UTC day with a reading. Each rank is a field of its
 * own, so that readings are kept in any order, by several copies at once, and one that comes twice changes nothing.
 */
export function createVisibilityDayStore(connection: Connection) {
  const days = connection.model('VisibilityDay', schema, 'visibility_days');

  async function keepSome(changes: readonly DayChange[]): Promise<void> {
    await retryUpsert(() =>
      days.bulkWrite(
        changes.map((change) => ({ updateOne: toUpsert(change) })),
        { ordered: false },
      ),
    );
  }

  return {
    /** Adds to the rows of the days, or begins them. By `_id`. */
    async keep(changes: readonly DayChange[]): Promise<void> {
      for (let start = 0; start < changes.length; start += updatesPerCommand)
        await keepSome(changes.slice(start, start + updatesPerCommand));
    },

    /** The first day of which anything is known; null: none. By `listing_id, day`. */
    async findFirstDay(listingId: number): Promise<string | null> {
      const first = await days
        .findOne({ listing_id: listingId })
        .sort({ day: 1 })
        .select({ day: 1 })
        .lean<Pick<DayDocument, 'day'>>();
      return first?.day ?? null;
    },

    /** The rows of a window of 400 days at most, both ends included, oldest first. By `listing_id, day`. */
    async listBetween(listingId: number, from: string, to: string): Promise<DayReading[]> {
      const rows = await days
        .find({ listing_id: listingId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .limit(maxDays)
        .batchSize(oneBatch(maxDays))
        .lean<DayDocument[]>();
      return rows.map(({ day, ranks, ratings }) => ({
        day,
        rankOf: (keyword) => ranks?.[fieldOf(keyword)],
        ratings: ratings ?? null,
      }));
    },
  };
}

function toUpsert({ listingId, day, ranks, ratings }: DayChange) {
  const fields = [...(ranks ?? [])].map(([keyword, rank]) => [`ranks.${fieldOf(keyword)}`, rank]);
  return {
    filter: { _id: `${listingId}:${day}` },
    update: {
      $set: {
        ...{ listing_id: listingId, day },
        ...(ratings !== undefined && { ratings }),
        ...Object.fromEntries(fields),
      },
    },
    upsert: true,
  };
}

/** A keyword as a field: dots and dollars would be read as paths and operators, and digits alone as a place in a list. */
function fieldOf(keyword: string): string {
  return `k${Buffer.from(keyword).toString('base64url')}`;
}
