import { defineTool } from '../define-tool.ts';

export const listNicheAnalyses = defineTool({
  name: 'list_niche_analyses',
  title: 'List past niche analyses',
  description:
    'Niche analyses of the account, the last one first, with the best opportunity score of each. For the niches themselves call run_niche_analysis with the same topic and market: within 7 days it is free of a new analysis, later it is a new one. A null top_opportunity_score means that no niche was found. While meta.has_more, call again with page + 1.',
  operation: 'listNiches',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
