import { utcDay } from '@shelfwise/runtime/day';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import { carriedDays, type DayReading } from '../domain/visibility/score-days.ts';
import { fieldOf } from './keyword-field.ts';

type DayDocument = {
  /** `<listing>:<day>` */
  _id: string;
  listing_id: number;
  /** UTC */
  day: string;
  /** Ranks from 1 by `fieldOf(keyword)`; null: not on the result page. */
  ranks?: Record<string, number | null> | null;
  /** rating count */
  ratings?: number | null;
  /** When the store was read for `ratings`. */
  ratings_at?: Date | null;
};

/** The ranks of a listing on the result pages of one day. */
export type DayRanks = {
  listingId: number;
  /** The UTC day on which the store was read. */
  day: string;
  /** From 1, by keyword; null: not on the result page. */
  ranks: ReadonlyMap<string, number | null>;
  /** Keywords whose page is empty. Another page of the day with results replaces it. */
  emptyPages: ReadonlySet<string>;
};

const schema = new Schema<DayDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    day: { type: String, required: true },
    ranks: Schema.Types.Mixed,
    ratings: Number,
    ratings_at: Date,
  },
  { versionKey: false },
)
  .index({ listing_id: 1, day: 1 })
  .index({ day: 1 });

/** The maximum length of a window, with the days before it whose ranks are carried. */
const maxDays = 400 + carriedDays;

export type VisibilityDayStore = ReturnType<typeof createVisibilityDayStore>;

/**
 * The ranks and rating count of each listing: one row of some 2 KB per UTC day with a reading. A competitor has no ranks, and
 * 100 bytes. Each rank is a separate field. Several copies can therefore store readings in any order, and a reading that
 * arrives twice changes nothing.
 */
export function createVisibilityDayStore(connection: Connection) {
  const days = connection.model('VisibilityDay', schema, 'visibility_days');

  return {
    /**
     * Adds ranks to the rows of the days, and creates missing rows. The null of an empty page never replaces a rank, so
     * that pages of a day can come in any order. Index: _id.
     */
    async saveRanks(changes: readonly DayRanks[]): Promise<void> {
      await retryUpsert(() =>
        bulkWriteInChunks(
          days,
          changes.map((change) => ({ updateOne: toUpsert(change) })),
        ),
      );
      await bulkWriteInChunks(
        days,
        changes.flatMap((change) => toEmptyUpdates(change).map((updateOne) => ({ updateOne }))),
      );
    },

    /**
     * Stores the rating count that was read at a given time for its UTC day, unless a later reading of that day is
     * stored. A null count, which the store did not state, is not stored. Index: _id.
     */
    async saveRatings(listingId: number, ratingsAt: Date, ratings: number | null): Promise<void> {
      if (ratings === null) return;
      const day = utcDay(ratingsAt);
      await upsertNewest(() =>
        days.updateOne(
          { _id: `${listingId}:${day}`, ratings_at: { $not: { $gt: ratingsAt } } },
          { $set: { listing_id: listingId, day, ratings, ratings_at: ratingsAt } },
          { upsert: true },
        ),
      );
    },

    /**
     * The first day of a listing's history: the first with ranks, or with a rating count from `sinceDay` on, when the
     * listing was first followed. Null when there is none. Rating counts from when it was only a competitor are not
     * part of its history. Index: listing_id, day.
     */
    async findFirstDay(listingId: number, sinceDay: string): Promise<string | null> {
      const first = await days
        .findOne({ listing_id: listingId, $or: [{ day: { $gte: sinceDay } }, { ranks: { $ne: null } }] })
        .sort({ day: 1 })
        .select({ day: 1 })
        .lean<Pick<DayDocument, 'day'>>();
      return first?.day ?? null;
    },

    /** Deletes a batch of rows of days before `day` (YYYY-MM-DD); see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(days, { day: { $lt: day } }, { day: 1 }),

    /** The rows of a window of at most 402 days, both ends included, oldest first. Index: listing_id, day. */
    async listBetween(
      listingId: number,
      from: string,
      to: string,
    ): Promise<(DayReading & { hasRanks: boolean })[]> {
      const rows = await days
        .find({ listing_id: listingId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .limit(maxDays)
        .lean<DayDocument[]>();
      return rows.map(toReading);
    },

    /** The same of some listings, at least one, by their id, each in no order. Index: listing_id, day. */
    async listBetweenOfAll(
      listingIds: readonly number[],
      from: string,
      to: string,
    ): Promise<ReadonlyMap<number, DayReading[]>> {
      const rows = await days
        .find({ listing_id: { $in: listingIds }, day: { $gte: from, $lte: to } })
        .limit(listingIds.length * maxDays)
        .lean<DayDocument[]>();
      const byListing = new Map<number, DayReading[]>(listingIds.map((id) => [id, []]));
      for (const row of rows) byListing.get(row.listing_id)?.push(toReading(row));
      return byListing;
    },
  };
}

function toReading({ day, ranks, ratings }: DayDocument): DayReading & { hasRanks: boolean } {
  return {
    day,
    hasRanks: ranks != null,
    rankOf: (keyword) => ranks?.[fieldOf(keyword)],
    ratings: ratings ?? null,
  };
}

function toUpsert({ listingId, day, ranks, emptyPages }: DayRanks) {
  const fields = [...ranks]
    .filter(([keyword]) => !emptyPages.has(keyword))
    .map(([keyword, rank]) => [`ranks.${fieldOf(keyword)}`, rank]);
  return {
    filter: { _id: `${listingId}:${day}` },
    update: {
      $set: {
        listing_id: listingId,
        day,
        ...Object.fromEntries(fields),
      },
    },
    upsert: true,
  };
}

/** One update for each empty page. It matches while no rank of its keyword is stored. */
function toEmptyUpdates({ listingId, day, emptyPages }: DayRanks) {
  return [...emptyPages].map((keyword) => {
    const field = `ranks.${fieldOf(keyword)}`;
    return { filter: { _id: `${listingId}:${day}`, [field]: null }, update: { $set: { [field]: null } } };
  });
}
