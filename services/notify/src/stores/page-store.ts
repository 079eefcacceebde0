import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { upsertAllNewest } from '@shelfwise/runtime/mongo/upsert-all-newest';
import { type Connection, Schema } from 'mongoose';
import type { KeywordPage } from '../domain/keyword-page.ts';

type PageDocument = {
  _id: number;
  /** Of the newest page with results; absent: there was none. */
  day?: string;
  app_ids?: string[];
  /** The last UTC day on which a page was read, also an empty one, a part, or one of a suspect storefront. */
  read_day?: string;
};

const schema = new Schema<PageDocument>(
  {
    _id: { type: Number, required: true },
    day: String,
    app_ids: { type: [String], default: undefined },
    read_day: String,
  },
  { versionKey: false },
)
  // For the sweep of pages of keywords that nothing reads any more.
  .index({ read_day: 1 });

export type PageStore = ReturnType<typeof createPageStore>;

/**
 * The newest result page of each keyword that had results, with which the next one is compared. Shared by all accounts. A page
 * of 100 results takes some 2 KB.
 */
export function createPageStore(connection: Connection) {
  const pages = connection.model('KeywordPage', schema, 'keyword_pages');

  return {
    /** By keyword id. Index: _id. */
    async find(keywordIds: readonly number[]): Promise<Map<number, KeywordPage>> {
      const rows = await findFields<Omit<PageDocument, 'read_day'>>(
        pages,
        { _id: { $in: keywordIds } },
        { fields: { _id: 'value', day: 'value', app_ids: 'value' } },
      );
      return new Map(
        rows.flatMap(({ _id: keywordId, day, app_ids }) =>
          day && app_ids ? [[keywordId, { keyword_id: keywordId, day, app_ids }] as const] : [],
        ),
      );
    },

    /** The last day on which each keyword was read; one that never was is left out. Index: _id. */
    async findReadDays(keywordIds: readonly number[]): Promise<Map<number, string>> {
      const rows = await pages
        .find({ _id: { $in: keywordIds } })
        .select({ read_day: 1 })
        .lean<Pick<PageDocument, '_id' | 'read_day'>[]>();
      return new Map(
        rows.flatMap(({ _id: keywordId, read_day: day }) => (day ? [[keywordId, day] as const] : [])),
      );
    },

    /** These keywords were read, also if their pages are not to be compared. In one command. Index: _id. */
    async saveReadDays(read: readonly Pick<KeywordPage, 'keyword_id' | 'day'>[]): Promise<void> {
      const updates = read.map(({ keyword_id: keywordId, day }) => ({
        updateOne: { filter: { _id: keywordId }, update: { $max: { read_day: day } }, upsert: true },
      }));
      await retryUpsert(() => bulkWriteInChunks(pages, updates));
    },

    /** In one command, each unless a page of this day or a later one is kept. Index: _id. */
    async saveNewest(fresh: readonly KeywordPage[]): Promise<void> {
      const upserts = fresh.map(({ keyword_id: keywordId, day, app_ids: appIds }) => ({
        filter: { _id: keywordId, day: { $not: { $gte: day } } },
        update: { $set: { day, app_ids: [...appIds] }, $max: { read_day: day } },
      }));
      await upsertAllNewest(pages, upserts);
    },

    /** Deletes a batch of keywords that were last read before `day`; see `deleteBatch`. Index: read_day. */
    deleteBefore: (day: string) => deleteBatch(pages, { read_day: { $lt: day } }, { read_day: 1 }),
  };
}
