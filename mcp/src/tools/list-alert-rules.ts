import { defineTool } from '../define-tool.ts';

export const listAlertRules = defineTool({
  name: 'list_alert_rules',
  title: 'List alert rules',
  description:
    'The rules that decide what list_alerts shows, oldest first. A null app_id means all apps of the account, a null threshold that the kind has none. While meta.has_more, call again with page + 1.',
  operation: 'listAlertRules',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
