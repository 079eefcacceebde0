import { defineTool } from '../define-tool.ts';

export const deleteAlertRule = defineTool({
  name: 'delete_alert_rule',
  title: 'Delete an alert rule',
  description:
    'Deletes a rule; rule_id comes from list_alert_rules. What it found stays in list_alerts. already_removed: true means that there was none. Do it only when the user asks for it.',
  operation: 'deleteAlertRule',
  effect: 'removes',
  readsStore: false,
});
