import { defineTool } from '../define-tool.ts';

export const getRankDistribution = defineTool({
  name: 'get_rank_distribution',
  title: 'Get how many keywords rank where',
  description:
    'For each day, how many of the keywords of a tracked app that were tracked that day ranked first, 2 to 3, 4 to 10, 11 to 30, 31 to 100, or not at all, the last 30 days by default. unread keywords have no reading of that day: they say nothing about the app. traffic_share is the part (0 to 1) of their traffic for which the app was in the top 10; null: too little was read to say. Use it for the whole of an app, and get_keyword_rank_history for one keyword.',
  operation: 'getRankDistribution',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
});
