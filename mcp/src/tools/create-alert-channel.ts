import { defineTool } from '../define-tool.ts';

export const createAlertChannel = defineTool({
  name: 'create_alert_channel',
  title: 'Create a channel for alerts',
  description:
    'Adds an address that alerts can be sent to; nothing is sent before create_alert_rule names it. url is the address of a receiver, the incoming webhook that Slack or Discord gave to the user, or for email mailto: and an address of the user: never invent one. An address for mail stays off until its owner has used the link that is mailed to it. The answer shows the secret of a webhook once, so give it to the user and keep it nowhere else; null for the other types. Look at list_alert_channels first: calling again makes another channel. Do it only when the user asks for it.',
  operation: 'createAlertChannel',
  effect: 'makes',
  readsStore: false,
});
