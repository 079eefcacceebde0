import { defineTool } from '../define-tool.ts';

export const listRankedKeywords = defineTool({
  name: 'list_ranked_keywords',
  title: 'List the terms for which any app ranks',
  description:
    'For any app of a store, tracked or not (app_id of search_apps or of a ranking): the terms on whose kept result page it ranks, those that bring it the most searches first. Use it to see what a rival lives on. Only kept pages are read: tracked keywords to rank 100, other terms to rank 20 with the Monday of their week as rank_date. What is missing may still rank. A null score is not measured yet. 25 rows a page here: while meta.has_more, call again with page + 1.',
  operation: 'listRankedKeywords',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
