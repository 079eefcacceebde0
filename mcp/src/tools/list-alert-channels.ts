import { defineTool } from '../define-tool.ts';

export const listAlertChannels = defineTool({
  name: 'list_alert_channels',
  title: 'List channels for alerts',
  description:
    'Where alerts of the account are sent in addition to list_alerts, oldest first: webhooks, rooms of Slack or Discord, and mail. Channels are made, tested and deleted on the dashboard; addresses and secrets are not shown. off_reason says why one is off: the account, a receiver that is gone, no success for five days, a mail address that is unconfirmed, or a reader who unsubscribed; null: it is on. A null failing_since means that the last delivery succeeded, or none was made. While meta.has_more, call again with page + 1.',
  operation: 'listAlertChannels',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
