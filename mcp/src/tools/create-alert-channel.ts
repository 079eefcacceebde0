import { defineTool } from '../define-tool.ts';

export const createAlertChannel = defineTool({
  name: 'create_alert_channel',
  title: 'Create a channel for alerts',
  description:
    'Adds an address that alerts can be sent to; nothing is sent before create_alert_rule names it. url is the address of a receiver, or the incoming webhook that Slack or Discord gave to the user: never invent one. The answer shows the secret of a webhook once, so give it to the user and keep it nowhere else; null for slack. Look at list_alert_channels first: calling again makes another channel. Do it only when the user asks for it.',
  operation: 'createAlertChannel',
  effect: 'makes',
  readsStore: false,
});
