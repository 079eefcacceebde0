import {
  channelOffReasons,
  channelTimings,
  channelTypes,
  deliveryStates,
  maxChannelNameLength,
  maxChannelUrlLength,
  maxConfirmationMails,
  maxDeliveryAlerts,
  maxManualDeliveries,
} from '@shelfwise/facts/alerts/alert-channels';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { countCharacters } from '@shelfwise/facts/text/keyword';
import type { AlertChannel, AlertDelivery } from '@shelfwise/proto/notify/v1/notify';
import { z } from 'zod';
import { toTimestamp } from '../answers/from-proto.ts';
import * as shapes from './shapes.ts';

/** A receiver has ten seconds to answer. */
export const sendDeadlineMs = 15_000;

export const tooManyConfirmations = `An account asks at most ${maxConfirmationMails.ofAccount} times an hour to confirm a mail address. Try again in the next hour.`;

export const tooManyDeliveries = `An account sends at most ${maxManualDeliveries} tests and repeated deliveries an hour. Try again in the next hour.`;

export const channelType = z.enum(channelTypes).meta({
  description:
    'webhook: a signed POST as standardwebhooks.com describes it. slack: the body of an incoming webhook of Slack; Discord takes it at the address of a webhook with /slack at its end. email: a mail, with a link that unsubscribes.',
  examples: ['webhook'],
});

/** As the contract spells them. */
export const channelTypeMessages = { webhook: 'WEBHOOK', slack: 'SLACK', email: 'EMAIL' } as const;

export const channelTiming = z.enum(channelTimings).meta({
  description:
    'hourly: an alert waits up to an hour, and those of an application are sent together. instant: each is sent as soon as it is found.',
  examples: ['hourly'],
});

export const channelName = z
  .string()
  .refine(
    (text) => text.trim() !== '' && countCharacters(text) <= maxChannelNameLength,
    `must have 1 to ${maxChannelNameLength} characters`,
  )
  .refine((text) => !hasInvalidCharacters(text), 'must not contain NUL or broken Unicode')
  .meta({
    description: `A name of 1 to ${maxChannelNameLength} characters, by which you know the channel. White space around it is removed.`,
    examples: ['Team'],
    minLength: 1,
    maxLength: maxChannelNameLength,
    pattern: '^[^\\u0000\\ufffd]*[^\\s\\u0000\\ufffd][^\\u0000\\ufffd]*$',
  })
  .overwrite((text) => text.trim());

export const channelUrl = z
  .string()
  .max(maxChannelUrlLength, { abort: true })
  .regex(
    /^(https?:\/\/|mailto:)\S+$/,
    'must be an address that begins with https://, or with mailto: for email',
  )
  .meta({
    description:
      'Where it is sent: https, a public host, port 443 or from 1024 up; for email mailto: and one address. It is encrypted and never shown again. Redirects are not followed.',
    examples: ['https://hooks.example.com/shelfwise'],
    pattern: '^(https?://|mailto:)\\S+$',
  });

export const channelIsEnabled = z
  .boolean()
  .meta({ description: 'Whether alerts are sent; false: they are in the feed only.', examples: [true] });

/** A channel, without its address and secrets. */
export const alertChannel = z.object({
  id: shapes.rowId('Id of the channel.', 1),
  type: channelType,
  name: z.string().meta({ description: 'Its name.', examples: ['Team'] }),
  host: z.string().meta({
    description: 'Host of the address, with the port unless it is 443; for email its domain.',
    examples: ['hooks.example.com'],
  }),
  url_end: z.string().meta({ description: 'The last four characters of the address.', examples: ['wise'] }),
  timing: channelTiming,
  is_enabled: channelIsEnabled,
  is_confirmed: z.boolean().meta({
    description:
      'false: an address for mail that its owner has not confirmed, or has unsubscribed. Other types need no confirmation.',
    examples: [true],
  }),
  off_reason: z
    .enum(channelOffReasons)
    .nullable()
    .meta({
      description:
        'Why it is off. account: you turned it off. gone: the receiver answered 410, or the mail server that there is no such address. no_success: no delivery succeeded for five days. unconfirmed: the owner of the mail address has not confirmed it yet. unsubscribed: the reader of the mails wants no more. Null: it is on.',
      examples: ['gone'],
    }),
  off_at: shapes.timestamp.nullable().meta({ description: 'Since when it is off; null: it is on.' }),
  last_success_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When a delivery last succeeded; null: none did yet.' }),
  failing_since: shapes.timestamp.nullable().meta({
    description: 'When the first delivery since the last success failed; null: none did.',
  }),
  old_secret_until: shapes.timestamp.nullable().meta({
    description: 'Until when the secret before the last rotation signs, too; null: there is none.',
  }),
  created_at: shapes.timestamp.meta({ description: 'When it was created.' }),
});

/** With the secret, which is shown once. */
export const shownSecret = z
  .string()
  .nullable()
  .meta({
    description:
      'The new secret that signs the webhooks, for a library of standardwebhooks.com. It is not shown again. Null: there is no new one.',
    examples: [`whsec_${'x'.repeat(43)}=`],
  });

/** A message to a channel, and what its last try came to. */
export const alertDelivery = z.object({
  id: shapes.rowId('Id of the delivery.', 8),
  channel_id: shapes.rowId('Id of the channel.', 1),
  webhook_id: z.string().meta({
    description:
      'The header webhook-id, the same at every try: a receiver that remembers it handles none twice. A mail has it in its Message-ID.',
    examples: ['msg_7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  }),
  state: z.enum(deliveryStates).meta({
    description: 'waiting: it is tried, or tried again later. failed: it is not tried any more.',
    examples: ['delivered'],
  }),
  is_test: z.boolean().meta({ description: 'Whether it is a test, which has no alerts.', examples: [false] }),
  digest_id: shapes
    .rowId('Id of the digest.', 1)
    .nullable()
    .meta({ description: 'Id of the digest that it is; null: it is none.', examples: [null] }),
  app_id: shapes.internalId.nullable().meta({
    description: 'Id of the application in Shelfwise; null: a test, or alerts about no application.',
    examples: [42],
  }),
  alert_ids: z
    .array(shapes.rowId('Id of an alert.', 12))
    .max(maxDeliveryAlerts)
    .meta({
      description: 'Ids of its alerts in the feed, the first ones of a digest; empty for a test.',
      examples: [[12, 13]],
    }),
  tries: shapes.count.meta({
    description: 'Scheduled tries, without those on request; nine at most.',
    examples: [1],
  }),
  created_at: shapes.timestamp.meta({ description: 'When it was created.' }),
  last_tried_at: shapes.timestamp.nullable().meta({ description: 'When it was last tried; null: not yet.' }),
  next_try_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When it is tried again; null: not any more.' }),
  status: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .meta({
      description: 'HTTP status of the last try, or the reply code of the mail server; null: no answer.',
      examples: [200],
    }),
  duration_ms: shapes.count
    .nullable()
    .meta({ description: 'Milliseconds until the answer; null: no answer.', examples: [120] }),
  failure: z
    .string()
    .nullable()
    .meta({
      description: 'Why the last try failed, for people; null: it succeeded, or was not made yet.',
      examples: ['The receiver refused the connection.'],
    }),
  answer: z
    .string()
    .nullable()
    .meta({
      description:
        'The first kilobyte of the answer, with [cut] for parts of the address; null: none, a mail, or the installation allows private addresses, where no answer is kept.',
      examples: ['ok'],
    }),
});

/** @throws when the reply has no channel, or none that is complete */
export function toAlertChannel(channel: AlertChannel | null): z.output<typeof alertChannel> {
  if (channel === null) throw new Error('the reply of notify has no channel');
  const { off_reason: offReason = null } = channel;
  return {
    id: channel.id,
    type: channelType.parse(channel.type.toLowerCase()),
    name: channel.name,
    host: channel.host,
    url_end: channel.url_end,
    timing: channelTiming.parse(channel.timing.toLowerCase()),
    is_enabled: offReason === null,
    is_confirmed: channel.is_confirmed,
    off_reason: alertChannel.shape.off_reason.parse(offReason && offReason.toLowerCase()),
    off_at: channel.off_at && toTimestamp(channel.off_at),
    last_success_at: channel.last_success_at && toTimestamp(channel.last_success_at),
    failing_since: channel.failing_since && toTimestamp(channel.failing_since),
    old_secret_until: channel.old_secret_until && toTimestamp(channel.old_secret_until),
    created_at: toTimestamp(channel.created_at),
  };
}

/** @throws when the reply has no delivery, or none that is complete */
export function toAlertDelivery(delivery: AlertDelivery | null): z.output<typeof alertDelivery> {
  if (delivery === null) throw new Error('the reply of notify has no delivery');
  return {
    id: delivery.id,
    channel_id: delivery.channel_id,
    webhook_id: delivery.webhook_id,
    state: alertDelivery.shape.state.parse(delivery.state.toLowerCase()),
    is_test: delivery.is_test,
    digest_id: delivery.digest_id ?? null,
    app_id: delivery.app_id ?? null,
    alert_ids: delivery.alert_ids,
    tries: delivery.tries,
    created_at: toTimestamp(delivery.created_at),
    last_tried_at: delivery.last_tried_at && toTimestamp(delivery.last_tried_at),
    next_try_at: delivery.next_try_at && toTimestamp(delivery.next_try_at),
    status: delivery.status ?? null,
    duration_ms: delivery.duration_ms ?? null,
    failure: delivery.failure ?? null,
    answer: delivery.answer ?? null,
  };
}
