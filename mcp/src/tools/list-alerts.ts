import { defineTool } from '../define-tool.ts';

export const listAlerts = defineTool({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    'What the alert rules of the account found in the daily readings: ranks that fell or rose, competitors that overtook, listings that changed, ratings and ASO Health that fell, charts that were entered or left, a store or keywords that could not be read, the quota; and channels that are off. Newest first; with since, the last id seen, only what came after it, oldest first. A null rank means not in the top 100, or not in the chart (evidence.chart); before and after are null for a changed listing. app is null when it is about a store (evidence.store), a channel or the quota. What a store did not show while it was away is missing, no loss of rank. evidence has the two days that were compared; is_confirmed false: read once only, so say that it may be a fault of the store. None for an app means that its rules found nothing. While meta.has_more, call again with page + 1.',
  operation: 'listAlerts',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
