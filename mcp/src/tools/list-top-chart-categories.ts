import { defineTool } from '../define-tool.ts';

export const listTopChartCategories = defineTool({
  name: 'list_top_chart_categories',
  title: 'List chart categories',
  description: 'The categories and collections that top_charts accepts. Give store, unless you need both.',
  operation: 'listChartCategories',
  effect: 'none',
  readsStore: false,
});
