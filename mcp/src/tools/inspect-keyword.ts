import { defineTool } from '../define-tool.ts';

export const inspectKeyword = defineTool({
  name: 'inspect_keyword',
  title: 'Inspect a keyword',
  description:
    'Any search term in one store and country, tracked or not: traffic, difficulty, KEI (traffic against difficulty; higher is better, level says it in a word, reason what held it down; is_navigational: a brand), the 20 apps that rank now, and related keywords with their scores (related). user_tracking has only apps that track this keyword: for another one look for the app in ranking. Use it to judge one candidate; run_niche_analysis finds and compares many. Null scores mean: not measured yet; call again in a minute at the earliest. Each call of a keyword that the account does not track counts as one inspection of the month.',
  operation: 'inspectKeyword',
  effect: 'none',
  readsStore: true,
  leavesOut: ['data.ranking[].icon', 'data.related_keywords'],
});
