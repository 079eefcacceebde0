import { defineTool } from '../define-tool.ts';

export const listKeywordGap = defineTool({
  name: 'list_keyword_gap',
  title: 'List terms for which rivals rank and the app does not',
  description:
    'Terms on whose kept result page a competitor ranks well and the app badly or not at all, best value (kei * gain) first. Terms that are not tracked show the first 20 apps and the Monday of the week in which they were read; an own_min_rank above 21 leaves most of them out. gain near 0: not the app’s business. A null own_rank: not among the depth results; other nulls: unknown. An empty list has meta.reason; meta.unread terms could not be judged. Add competitors first (add_competitor), and as applications, too (add_application): only then are their own words read. Then try what fits with simulate_metadata. 25 rows a page here: while meta.has_more, call again with page + 1.',
  operation: 'listKeywordGap',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
  defaults: { own_min_rank: 21, per_page: 25 },
});
