import { defineTool } from '../define-tool.ts';

export const listRankHistories = defineTool({
  name: 'list_rank_histories',
  title: 'List the rank histories of many keywords',
  description:
    'Daily ranks of one tracked app for many of its keywords at once, the last 30 days by default, 400 days at most; with competitors also the ranks of its competitors. keyword_ids ("1,2,3") come from list_keywords; without them the tracked keywords, favorites first. A null rank means: not among the results of that day. A day without a row was not read. 25 keywords a page here: while meta.has_more, call again with page + 1. Use get_keyword_rank_history for one keyword and all apps that track it, get_rank_distribution for counts of all keywords.',
  operation: 'listRankHistories',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
  defaults: { per_page: 25 },
});
