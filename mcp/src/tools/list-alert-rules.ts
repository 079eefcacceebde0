import { defineTool } from '../define-tool.ts';

export const listAlertRules = defineTool({
  name: 'list_alert_rules',
  title: 'List alert rules',
  description:
    'The rules that decide what list_alerts shows: what each looks for (kind), from which threshold on, for which apps and keywords, where else it is sent (channels), and whether it is on. Oldest first; a new account has four. A null app_id means all apps of the account, a null threshold that the kind has none. While meta.has_more, call again with page + 1.',
  operation: 'listAlertRules',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
