import { maxDeliveryAlerts } from '@shelfwise/facts/alerts/alert-channels';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import type { Delivery } from '../domain/channel.ts';
import { digestKinds } from '../domain/digest.ts';
import { nextDigestAt } from '../domain/digest-time.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { AlertStore } from '../stores/alert-store.ts';
import type { ChannelStore } from '../stores/channel-store.ts';
import type { DeliveryStore } from '../stores/delivery-store.ts';
import type { ClaimedDigest, DigestStore, OpenDigest } from '../stores/digest-store.ts';
import { createWebhookId } from './plan-delivery.ts';

/** At the same time, in this process. Each is five queries and two writes. */
const maxConcurrency = 4;
/** Longer than the queries of a run. If a copy crashes, its digests are due again after this time. */
const claimMs = 60_000;

/**
 * Makes a delivery of what the feed had since the digest before, when there was something. The delivery waits in the order of its
 * channel. It is written with its id into the digest first, so that after a crash the same one is made, and no second one.
 */
export function createDigestJobs(deps: {
  digests: Pick<DigestStore, 'queue' | 'findClaimed' | 'savePlan'>;
  channels: Pick<ChannelStore, 'findOn' | 'makeDue'>;
  deliveries: Pick<DeliveryStore, 'takeIds' | 'insert'>;
  alerts: Pick<AlertStore, 'listForDigest' | 'countForDigest' | 'findLastId'>;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  /** Lets the worker of channels look again. */
  wakeChannels: () => void;
  now: () => Date;
  /** A random number from 0 to 1. */
  random: () => number;
}): JobSource<ClaimedDigest> {
  const { digests, channels, deliveries, alerts, forgetDeletedAccounts, wakeChannels, now, random } = deps;
  const { queue } = digests;

  /** Null: nothing is to be sent, or the claim is lost. */
  async function plan(claimed: ClaimedDigest, digest: OpenDigest): Promise<Delivery | null> {
    const { account_id: accountId, app_id: appId, channel_id: channelId } = digest;
    // A digest that is late has what came until now.
    const at = now();
    // Read before the alerts: one that is added meanwhile is in the next digest.
    const last = Math.max(digest.last_alert, await alerts.findLastId(accountId));
    const range = { after: digest.last_alert, until: last, app_id: appId, kinds: digestKinds };
    const [ids, total] = await Promise.all([
      alerts.listForDigest(accountId, range, maxDeliveryAlerts),
      alerts.countForDigest(accountId, range),
    ]);
    const isOn = (await channels.findOn([channelId])).has(channelId);
    const planned =
      ids.length === 0 || !isOn
        ? null
        : toDelivery(digest, { id: await deliveries.takeIds(1), alert_ids: ids, total, at });
    const isKept = await digests.savePlan(claimed, { planned, last_alert: last, read_until: at });
    return isKept ? planned : null;
  }

  /** One that exists stays as it is. */
  async function send(planned: Delivery): Promise<void> {
    await deliveries.insert([planned]);
    await channels.makeDue([planned.channel_id], now());
    wakeChannels();
    await forgetDeletedAccounts([planned.account_id]);
  }

  return {
    name: 'alert digests',
    work: 'digests',
    maxConcurrency,
    isAdaptive: false,
    isAwaited: false,

    claim: (count) => queue.claim(() => queue.listDue({}, now(), count), new Date(now().getTime() + claimMs)),

    async run(claimed) {
      const digest = await digests.findClaimed(claimed);
      if (!digest) return 'skipped';
      const kept = digest.planned;
      if (kept) await send(kept);
      // A plan of an earlier time is left over from a change of the digest while it was being sent.
      const isOfNow = kept?.digest != null && kept.digest.to >= digest.next_at;
      const planned = isOfNow ? kept : await plan(claimed, digest);
      if (planned && !isOfNow) await send(planned);
      // After a long stop one digest has all of it.
      const after = new Date(Math.max(now().getTime(), digest.next_at.getTime()));
      const next = nextDigestAt(digest, after);
      await queue.complete(claimed, next, { planned: null, last_due_at: digest.next_at, next_at: next });
      return planned ? 'done' : 'skipped';
    },

    async fail(claimed, isToBlame) {
      await queue.fail(claimed, isToBlame, { at: now(), random });
    },

    partsOf: (claimed) => [claimed],
    nextDueAt: () => queue.nextDueAt([{}]),
    readBacklog: () => queue.readBacklog([{}], now()),
    requeue: (claimed) => queue.requeue(claimed),
  };
}

function toDelivery(
  { id: digestId, account_id, channel_id, app_id, read_until: from }: OpenDigest,
  { id, alert_ids, total, at }: { id: number; alert_ids: readonly number[]; total: number; at: Date },
): Delivery {
  return {
    id,
    account_id,
    channel_id,
    webhook_id: createWebhookId(),
    state: 'waiting',
    is_test: false,
    digest: { digest_id: digestId, from, to: at, total },
    listing_id: app_id,
    alert_ids: [...alert_ids],
    tries: 0,
    created_at: at,
    last_tried_at: null,
    next_try_at: at,
    status: null,
    duration_ms: null,
    failure: null,
    answer: null,
  };
}
