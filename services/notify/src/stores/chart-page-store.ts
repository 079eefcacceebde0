import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { upsertNewest } from '@shelfwise/runtime/mongo/upsert-newest';
import { type Connection, Schema } from 'mongoose';
import type { ChartPage } from '../domain/chart-page.ts';

/** `_id` is the id of the chart. */
type ChartPageDocument = Omit<ChartPage, 'chart_id' | 'app_ids'> & { _id: string; app_ids: string[] };

const schema = new Schema<ChartPageDocument>(
  {
    _id: { type: String, required: true },
    day: { type: String, required: true },
    app_ids: { type: [String], required: true },
  },
  { versionKey: false },
)
  // For the sweep of charts that nothing reads any more.
  .index({ day: 1 });

export type ChartPageStore = ReturnType<typeof createChartPageStore>;

/** The last whole reading of each chart, with which the next one is compared. Shared by all accounts. At most some 6 KB each. */
export function createChartPageStore(connection: Connection) {
  const pages = connection.model('ChartPage', schema, 'chart_pages');

  return {
    /** Null: none is kept. Index: _id. */
    async find(chartId: string): Promise<ChartPage | null> {
      const row = await pages.findById(chartId).lean<ChartPageDocument>();
      return row && { chart_id: chartId, day: row.day, app_ids: row.app_ids };
    },

    /** Unless a reading of this day or a later one is kept. Index: _id. */
    async saveNewest({ chart_id: chartId, day, app_ids: appIds }: ChartPage): Promise<void> {
      await upsertNewest(() =>
        pages.updateOne(
          { _id: chartId, day: { $lt: day } },
          { $set: { day, app_ids: [...appIds] } },
          { upsert: true },
        ),
      );
    },

    /** Deletes a batch of charts that were last read before `day`; see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(pages, { day: { $lt: day } }, { day: 1 }),
  };
}
