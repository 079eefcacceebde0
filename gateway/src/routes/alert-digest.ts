import { maxDeliveryAlerts } from '@shelfwise/facts/alerts/alert-channels';
import { maxDigests } from '@shelfwise/facts/alerts/digests';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import {
  alertDigest,
  digestAppId,
  digestChannel,
  digestEverySchema,
  digestHour,
  digestTimeZone,
  toAlertDigest,
} from './shapes/alert-digest.ts';

type TrackedApps = { tracking: Pick<Clients['tracking'], 'getTrackedListing'> };
type CreateDeps = TrackedApps & { notify: Pick<Clients['notify'], 'createAlertDigest'> };
type UpdateDeps = TrackedApps & { notify: Pick<Clients['notify'], 'updateAlertDigest'> };

const digestId = idParameter('Id of the digest, from the list of digests.');
const digestNotFound = 'This account has no digest with that id.';

/** In the contract's spelling. */
const everyMessages = { day: 'DAY', week: 'WEEK' } as const;

export const createAlertDigest = defineRoute({
  method: 'post',
  path: '/api/v1/alerts/digests',
  operationId: 'createAlertDigest',
  tag: 'Alerts',
  summary: 'Create a digest',
  description: `What the feed has had since the digest before, in one message to a channel: ranks that moved, what entered or left the top or a chart, changes of listings, and what could not be read; the first ${maxDeliveryAlerts} alerts, and how many more there are. It has what the rules find, also those without a channel. Nothing is sent when there was nothing. An account has at most ${maxDigests} digests. Repeating the call creates another digest.`,
  cost: 0,
  services: ['notify', 'tracking'],
  deadlineMs: 5000,
  body: z.strictObject({
    channel: digestChannel,
    every: digestEverySchema,
    hour: digestHour,
    time_zone: digestTimeZone,
    app_id: digestAppId.optional(),
  }),
  sample: { body: { channel: 1, every: 'day', hour: 7, time_zone: 'UTC' } },
  data: alertDigest,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: `An account has at most ${maxDigests} digests. Delete one first.`,
  },
  async handler(deps: CreateDeps, { account, body, call }) {
    if (body.app_id != null)
      await findTrackedListing(deps, { account_id: account.id, id: body.app_id }, call);
    const { digest } = await deps.notify.createAlertDigest(
      {
        account_id: account.id,
        channel_id: body.channel,
        every: everyMessages[body.every],
        hour: body.hour,
        time_zone: body.time_zone,
        app_id: body.app_id,
      },
      call,
    );
    return { data: toAlertDigest(digest) };
  },
});

export const updateAlertDigest = defineRoute({
  method: 'patch',
  path: '/api/v1/alerts/digests/{digest_id}',
  operationId: 'updateAlertDigest',
  tag: 'Alerts',
  summary: 'Change a digest',
  description:
    'Changes what is sent and keeps the rest. The next one begins where the last one ended. Repeating the call is safe.',
  cost: 0,
  services: ['notify', 'tracking'],
  deadlineMs: 5000,
  params: z.object({ digest_id: digestId }),
  body: z.strictObject({
    channel: digestChannel.optional(),
    every: digestEverySchema.optional(),
    hour: digestHour.optional(),
    time_zone: digestTimeZone.optional(),
    app_id: digestAppId.optional(),
  }),
  sample: { params: { digest_id: 1 }, body: { hour: 8 } },
  data: alertDigest,
  errors: { APP_NOT_FOUND: appNotTracked, NOT_FOUND: digestNotFound },
  async handler(deps: UpdateDeps, { account, params, body, call }) {
    const { app_id: appId, every } = body;
    if (appId != null) await findTrackedListing(deps, { account_id: account.id, id: appId }, call);
    const { digest } = await deps.notify.updateAlertDigest(
      {
        account_id: account.id,
        id: params.digest_id,
        channel_id: body.channel,
        every: every && everyMessages[every],
        hour: body.hour,
        time_zone: body.time_zone,
        app: appId === undefined ? null : { app_id: appId },
      },
      call,
    );
    return { data: toAlertDigest(digest) };
  },
});
