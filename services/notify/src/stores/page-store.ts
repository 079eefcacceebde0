import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import type { KeywordPage } from '../domain/keyword-page.ts';

type PageDocument = { _id: number; day: string; app_ids: string[] };

const schema = new Schema<PageDocument>(
  {
    _id: { type: Number, required: true },
    day: { type: String, required: true },
    app_ids: { type: [String], required: true },
  },
  { versionKey: false },
)
  // For the sweep of pages of keywords that nothing reads any more.
  .index({ day: 1 });

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
      const rows = await findFields<PageDocument>(
        pages,
        { _id: { $in: keywordIds } },
        { fields: { _id: 'value', day: 'value', app_ids: 'value' } },
      );
      return new Map(
        rows.map(({ _id: keywordId, day, app_ids }) => [keywordId, { keyword_id: keywordId, day, app_ids }]),
      );
    },

    /** In one command, each unless a page of this day or a later one is kept. Index: _id. */
    async saveNewest(fresh: readonly KeywordPage[]): Promise<void> {
      const upserts = fresh.map(({ keyword_id: keywordId, day, app_ids: appIds }) => ({
        filter: { _id: keywordId, day: { $lt: day } },
        update: { $set: { day, app_ids: [...appIds] } },
      }));
      const updates = upserts.map((upsert) => ({ updateOne: { ...upsert, upsert: true } }));
      if (await tryCreate(() => bulkWriteInChunks(pages, updates))) return;
      for (const { filter, update } of upserts)
        await upsertNewest(() => pages.updateOne(filter, update, { upsert: true }));
    },

    /** Deletes a batch of pages of days before `day`; see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(pages, { day: { $lt: day } }, { day: 1 }),
  };
}
