import { defineTool } from '../define-tool.ts';

export const topCharts = defineTool({
  name: 'top_charts',
  title: 'Read a top chart',
  description:
    'Today’s free, paid or top-grossing chart of a store, country and category, by rank, with the ranks that each app gained (delta) or lost since the day before and new entries. When delta is 0 and is_new false in every row, the day before was not read: the movement is unknown. 25 rows here unless limit says more (200 at most, 100 on the App Store). Categories: list_top_chart_categories. A null rating or price means that the store does not show it; a price of 0 is free.',
  operation: 'getTopChart',
  effect: 'none',
  readsStore: true,
  defaults: { limit: 25 },
  leavesOut: [
    'data.rows[].icon',
    'data.rows[].ios_id',
    'data.rows[].apple_id',
    'data.rows[].rank_date',
    'data.rows[].stale',
  ],
});
