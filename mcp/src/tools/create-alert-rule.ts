import { defineTool } from '../define-tool.ts';

export const createAlertRule = defineTool({
  name: 'create_alert_rule',
  title: 'Create an alert rule',
  description:
    'From now on, what the rule finds is added to the feed of list_alerts. Calling again makes another rule: unless the user knows that none does this, look at list_alert_rules first. A null app_id, or none, means all apps of the account; a null threshold that the kind has none. keywords: all, favorites, or up to 200 keyword ids from list_keywords. channels: ids from list_alert_channels that they are sent to as well; none by default. Do it only when the user asks to be notified.',
  operation: 'createAlertRule',
  effect: 'makes',
  readsStore: false,
});
