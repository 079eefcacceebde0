import { defineTool } from '../define-tool.ts';

export const getKeywordRankHistory = defineTool({
  name: 'get_keyword_rank_history',
  title: 'Get a keyword’s rank history',
  description:
    'Daily ranks of one keyword for each app that tracks it, the last 30 days by default, 400 days at most. With app_id only that app: a tracked one, or a competitor (competitor.id of list_competitors). A null rank means: not among the results of that day. A day without a row was not read. keyword_id comes from list_keywords; a removed keyword keeps its history under the same id.',
  operation: 'getRankHistory',
  effect: 'none',
  readsStore: false,
  names: { id: 'keyword_id' },
});
