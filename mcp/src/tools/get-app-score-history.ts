import { defineTool } from '../define-tool.ts';

export const getAppScoreHistory = defineTool({
  name: 'get_app_score_history',
  title: 'Get an app’s visibility history',
  description:
    'The daily visibility score of a tracked app (how visible it is in search, over at most 50 terms: its tracked keywords first, then words of its listing, without terms that name a brand; the terms are chosen anew once a month, so a keyword that is tracked today may count later) and its number of ratings, the last 30 days by default. A null score or ratings means: not known for that day, not zero. The reason of a null score is that there are fewer than five terms (track more keywords), or that too few of their pages were read.',
  operation: 'getScoreHistory',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
});
