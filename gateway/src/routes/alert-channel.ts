import { maxAlertChannels, maxManualDeliveries } from '@shelfwise/facts/alerts/alert-channels';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { idParameter } from './route/fields.ts';
import {
  alertChannel,
  alertDelivery,
  channelIsEnabled,
  channelName,
  channelTiming,
  channelType,
  channelTypeMessages,
  channelUrl,
  sendDeadlineMs,
  shownSecret,
  toAlertChannel,
  toAlertDelivery,
  tooManyConfirmations,
  tooManyDeliveries,
} from './shapes/alert-channel.ts';

type CreateDeps = { notify: Pick<Clients['notify'], 'createAlertChannel'> };
type UpdateDeps = { notify: Pick<Clients['notify'], 'updateAlertChannel'> };
type DeleteDeps = { notify: Pick<Clients['notify'], 'deleteAlertChannel'> };
type TestDeps = { notify: Pick<Clients['notify'], 'testAlertChannel'> };

const channelId = idParameter('Id of the channel, from the list of channels.');
const channelNotFound = 'This account has no channel with that id.';

export const createAlertChannel = defineRoute({
  method: 'post',
  path: '/api/v1/alerts/channels',
  operationId: 'createAlertChannel',
  tag: 'Alerts',
  summary: 'Create a channel for alerts',
  description: `Where alerts are sent, besides the feed: to the receiver of a webhook, to a room of Slack or Discord, or by mail. Nothing is sent before a rule names the channel. An address for mail gets one mail first, with a link that confirms it; until its owner has done so, the channel is off and nothing else is sent there. A webhook has a secret, which this answer alone shows. An account has at most ${maxAlertChannels} channels. Repeating the call creates another channel.`,
  cost: 0,
  services: ['notify'],
  deadlineMs: sendDeadlineMs,
  body: z.strictObject({
    type: channelType,
    name: channelName,
    url: channelUrl,
    timing: channelTiming.optional(),
  }),
  sample: { body: { type: 'webhook', name: 'Team', url: 'https://hooks.example.com/shelfwise' } },
  data: alertChannel.extend({ secret: shownSecret }),
  errors: { PLAN_LIMIT: `An account has at most ${maxAlertChannels} channels. Delete one first.` },
  async handler(deps: CreateDeps, { account, body, call }) {
    const { channel, secret = null } = await deps.notify.createAlertChannel(
      {
        account_id: account.id,
        type: channelTypeMessages[body.type],
        name: body.name,
        url: body.url,
        timing: body.timing === 'instant' ? 'INSTANT' : 'HOURLY',
      },
      call,
    );
    return { data: { ...toAlertChannel(channel), secret } };
  },
});

export const updateAlertChannel = defineRoute({
  method: 'patch',
  path: '/api/v1/alerts/channels/{channel_id}',
  operationId: 'updateAlertChannel',
  tag: 'Alerts',
  summary: 'Change a channel for alerts',
  description:
    'Changes what is sent and keeps the rest. A channel keeps its type. is_enabled turns it on, also after it was turned off by its failures: what was found meanwhile is in the feed only. A new address for mail, and one that is not confirmed, gets a mail with a link instead. Turned off, a channel stays off until you turn it on: a link that waits ends. rotate_secret makes a new secret; the old one signs for a day, too.',
  cost: 0,
  services: ['notify'],
  deadlineMs: sendDeadlineMs,
  params: z.object({ channel_id: channelId }),
  body: z.strictObject({
    name: channelName.optional(),
    url: channelUrl.optional(),
    timing: channelTiming.optional(),
    is_enabled: channelIsEnabled.optional(),
    rotate_secret: z
      .boolean()
      .meta({ description: 'true: a webhook gets a new secret, which the answer shows.', examples: [true] })
      .optional(),
  }),
  sample: { params: { channel_id: 1 }, body: { timing: 'instant' } },
  data: alertChannel.extend({ secret: shownSecret }),
  errors: { NOT_FOUND: channelNotFound, PLAN_LIMIT: tooManyConfirmations },
  async handler(deps: UpdateDeps, { account, params, body, call }) {
    const { timing } = body;
    const { channel, secret = null } = await deps.notify.updateAlertChannel(
      {
        account_id: account.id,
        id: params.channel_id,
        name: body.name,
        url: body.url,
        timing: timing && (timing === 'instant' ? 'INSTANT' : 'HOURLY'),
        is_enabled: body.is_enabled,
        rotates_secret: body.rotate_secret ?? false,
      },
      call,
    );
    return { data: { ...toAlertChannel(channel), secret } };
  },
});

export const deleteAlertChannel = defineRoute({
  method: 'delete',
  path: '/api/v1/alerts/channels/{channel_id}',
  operationId: 'deleteAlertChannel',
  tag: 'Alerts',
  summary: 'Delete a channel for alerts',
  description:
    'Its deliveries are deleted, too; alerts stay in the feed. Rules that named it send to their other channels. Repeating the call is safe.',
  cost: 0,
  services: ['notify'],
  deadlineMs: 5000,
  params: z.object({ channel_id: channelId }),
  sample: { params: { channel_id: 1 } },
  data: z.object({
    id: alertChannel.shape.id,
    already_removed: z
      .boolean()
      .meta({ description: 'Whether the account had no such channel.', examples: [false] }),
  }),
  async handler(deps: DeleteDeps, { account, params, call }) {
    const request = { account_id: account.id, id: params.channel_id };
    const reply = await deps.notify.deleteAlertChannel(request, call);
    return { data: { id: reply.id, already_removed: reply.already_removed } };
  },
});

export const testAlertChannel = defineRoute({
  method: 'post',
  path: '/api/v1/alerts/channels/{channel_id}/test',
  operationId: 'testAlertChannel',
  tag: 'Alerts',
  summary: 'Send a test to a channel',
  description: `Sends a message without alerts, once, also to a channel that is off, unless it is an address for mail that is not confirmed, and shows what the receiver answered: a receiver that refuses is no error of this call. An account sends at most ${maxManualDeliveries} tests and repeated deliveries an hour. Repeating the call sends another test.`,
  cost: 0,
  services: ['notify'],
  deadlineMs: sendDeadlineMs,
  params: z.object({ channel_id: channelId }),
  sample: { params: { channel_id: 1 } },
  data: alertDelivery,
  errors: { NOT_FOUND: channelNotFound, PLAN_LIMIT: tooManyDeliveries },
  async handler(deps: TestDeps, { account, params, call }) {
    const request = { account_id: account.id, id: params.channel_id };
    const { delivery } = await deps.notify.testAlertChannel(request, call);
    return { data: toAlertDelivery(delivery) };
  },
});
