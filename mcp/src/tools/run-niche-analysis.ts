import { defineTool } from '../define-tool.ts';

export const runNicheAnalysis = defineTool({
  name: 'run_niche_analysis',
  title: 'Find keyword niches',
  description:
    'Groups what people search around a topic into niches, each with a concept for an app and the gap it would fill, the intent of the searchers, an opportunity score (higher is better: demand that is not yet served) and its keywords with traffic and difficulty. The widest look at a market; for one keyword use inspect_keyword. A new topic takes seconds to some minutes. It counts as one analysis of the month, also when the call is cancelled: the analysis goes on, and the same call later gets its result. Results are kept for 7 days (one hour when the store refused a part) and then cost no further analysis (meta.cached). meta.left_out and meta.unanswered count what was not measured. Without clusters meta.warnings says why: tell the user, and try another topic.',
  operation: 'analyzeNiche',
  effect: 'none',
  readsStore: true,
  leavesOut: ['data.clusters[].keywords[].scoredAt'],
});
