import { defineTool } from '../define-tool.ts';

export const trackKeywords = defineTool({
  name: 'track_keywords',
  title: 'Track keywords',
  description:
    'Tracks 1 to 20 keywords (more: start_job) for one app and reads their first ranks, up to a minute for many. store, country and lang are those of the app (list_applications). Each keyword has its own result: its keyword_id and first rank (null: not among the depth results of the page), or an error (already tracked, not readable now) that leaves the others untouched. A keyword that was removed before comes back with its history. Traffic and difficulty follow in list_keywords within minutes. Changes what the account tracks: do it only when the user wants it.',
  operation: 'trackKeywords',
  effect: 'adds',
  readsStore: true,
});
