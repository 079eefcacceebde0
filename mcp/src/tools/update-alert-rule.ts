import { defineTool } from '../define-tool.ts';

export const updateAlertRule = defineTool({
  name: 'update_alert_rule',
  title: 'Change an alert rule',
  description:
    'Changes an alert rule: its threshold, apps, keywords or channels, or turns it off (is_enabled: false) and on again. rule_id comes from list_alert_rules. What is left out stays as it is; app_id: null makes it a rule for all apps of the account, so leave app_id out to keep it. A rule keeps its kind: for another kind use create_alert_rule. A null threshold in the answer means that the kind has none. What it has found stays in list_alerts. Do it only when the user asks for it.',
  operation: 'updateAlertRule',
  effect: 'sets',
  readsStore: false,
});
