import { defineTool } from '../define-tool.ts';

export const deleteAlertChannel = defineTool({
  name: 'delete_alert_channel',
  title: 'Delete a channel for alerts',
  description:
    'Nothing is sent to it any more, and what waited for it is lost; alerts stay in list_alerts. channel_id comes from list_alert_channels. already_removed: true means that there was none. Do it only when the user asks for it.',
  operation: 'deleteAlertChannel',
  effect: 'removes',
  readsStore: false,
});
