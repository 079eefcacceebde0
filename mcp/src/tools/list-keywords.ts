import { defineTool } from '../define-tool.ts';

export const listKeywords = defineTool({
  name: 'list_keywords',
  title: 'List tracked keywords',
  description:
    'Tracked keywords with the last rank of the app (of snapshot_date), the apps just above and below it, the top five, traffic (0 to 100, an estimate of how much it is searched for) and difficulty (0 to 100, how hard it is to rank). Favorites come first, then by keyword; sort, search, min_traffic and max_difficulty narrow it, and sort -delta shows the biggest gains (delta) first. Use it for the state of what is tracked; get_keyword_rank_history for days before, inspect_keyword for a keyword that is not tracked. A null current_rank means: not among the results of that day (100 at most; meta.snapshot_depths names shorter ones). A null score means: not measured yet. 25 rows a page here: while meta.has_more, call again with page + 1.',
  operation: 'listKeywords',
  effect: 'none',
  readsStore: false,
  defaults: { page: 1, per_page: 25 },
  leavesOut: ['data[].rank_date', 'data[].ahead.icon', 'data[].behind.icon', 'data[].ranking[].icon'],
  // The same in every row.
  leavesOutOf: {
    paths: ['data[].store', 'data[].country', 'data[].lang', 'data[].app_id', 'data[].app_title'],
    when: ({ app_id: appId }) => appId !== undefined,
  },
});
