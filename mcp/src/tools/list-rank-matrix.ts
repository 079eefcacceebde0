import { defineTool } from '../define-tool.ts';

export const listRankMatrix = defineTool({
  name: 'list_rank_matrix',
  title: 'Compare ranks with competitors',
  description:
    'For each tracked keyword of one tracked app, the latest rank of the app and of up to five of its competitors (competitor_ids of list_competitors, else those added last), with traffic and difficulty. Use it to see where rivals stand above the app. A null rank with state not_ranked means: not among the depth results of rank_date; stale: the page is old. delta is the rank `days` days before minus this one (positive is up); null: one of the days was not read, or the app did not rank on both. sort, search, min_traffic and max_difficulty narrow it as in list_keywords. 25 rows a page here: while meta.has_more, call again with page + 1. Days between: list_rank_histories.',
  operation: 'listRankMatrix',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
  defaults: { per_page: 25 },
});
