import { randomUUID } from 'node:crypto';
import type { Delivery } from '../domain/channel.ts';
import { dueAt, type FeedEntry, planDeliveries } from '../domain/plan-deliveries.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { AlertStore } from '../stores/alert-store.ts';
import type { ChannelStore, ClaimedChannel, OpenChannel, PlannedDelivery } from '../stores/channel-store.ts';
import type { DeliveryStore } from '../stores/delivery-store.ts';

/** Of one plan. */
const alertsPerPlan = 1000;

/** A channel without alerts looks at the feed after this time, in case a crash kept it from being made due. */
const idleMs = 6 * 3_600_000;

export type PlanDelivery = ReturnType<typeof createPlanDelivery>;

/**
 * Takes the alerts that wait for a channel out of the feed and makes deliveries of them. The feed says which alerts are for the
 * channel; the channel says how far it has read. Both are one write with what they belong to, so that no crash loses an alert:
 * the place in the feed and the plan are written first, then the rows of the plan, which have their ids already.
 */
export function createPlanDelivery(deps: {
  channels: Pick<ChannelStore, 'queue' | 'makeDue' | 'savePlan' | 'clearPlan'>;
  deliveries: Pick<DeliveryStore, 'takeIds' | 'insert' | 'findFirstWaiting'>;
  alerts: Pick<AlertStore, 'listAfter'>;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  wake: () => void;
  now: () => Date;
}) {
  const { channels, deliveries, alerts, forgetDeletedAccounts, wake, now } = deps;

  /** Returns null, and ends the claim, when nothing is to be sent now. */
  async function plan(
    claimed: ClaimedChannel,
    channel: OpenChannel,
  ): Promise<readonly PlannedDelivery[] | null> {
    const read = await alerts.listAfter(channel.account_id, channel.last_alert, alertsPerPlan);
    const last = read.at(-1)?.id ?? channel.last_alert;
    const waiting = read.filter(({ channels: ids }) => ids.includes(channel.id));
    const first = waiting[0];
    if (!first) await endRead(claimed, channel, last, read.length === alertsPerPlan);
    else if (dueAt(channel.timing, first.at) > now()) {
      await channels.queue.complete(claimed, dueAt(channel.timing, first.at), {
        is_retrying: false,
        last_alert: first.id - 1,
      });
      if (await deliveries.findFirstWaiting(channel.id)) await makeDueNow(channel.id);
    } else return savePlan(claimed, waiting, last);
    return null;
  }

  /** For a digest or an alert that came between the read and the end of the claim: neither has made the claimed channel due. */
  async function makeDueNow(channelId: number): Promise<void> {
    await channels.makeDue([channelId], now());
    wake();
  }

  /** Nothing waits for the channel up to the alert `last`. */
  async function endRead(
    claimed: ClaimedChannel,
    { id, account_id: accountId }: OpenChannel,
    last: number,
    hasMore: boolean,
  ): Promise<void> {
    const at = now();
    const idleUntil = new Date(at.getTime() + idleMs);
    await channels.queue.complete(claimed, hasMore ? at : idleUntil, {
      is_retrying: false,
      last_alert: last,
    });
    if (hasMore) return;
    const missed = await alerts.listAfter(accountId, last, 1);
    if (missed.length > 0 || (await deliveries.findFirstWaiting(id))) await makeDueNow(id);
  }

  async function savePlan(
    claimed: ClaimedChannel,
    waiting: readonly FeedEntry[],
    last: number,
  ): Promise<readonly PlannedDelivery[] | null> {
    const planned = planDeliveries(waiting);
    const firstId = await deliveries.takeIds(planned.length);
    const rows = planned.map((delivery, index) => ({
      ...delivery,
      id: firstId + index,
      webhook_id: createWebhookId(),
    }));
    return (await channels.savePlan(claimed, rows, last)) ? rows : null;
  }

  /** The delivery that is next, now that none waits. Null when there is none to send now, or the claim is lost. */
  return async (claimed: ClaimedChannel, channel: OpenChannel): Promise<Delivery | null> => {
    const planned = channel.planned.length > 0 ? channel.planned : await plan(claimed, channel);
    if (!planned) return null;
    const rows = planned.map((delivery) => toDelivery(channel, delivery, now()));
    await deliveries.insert(rows);
    const isClaimed = await channels.clearPlan(claimed);
    await forgetDeletedAccounts([channel.account_id]);
    return (isClaimed && rows[0]) || null;
  };
}

/** Also unique among other installations, because a receiver may serve several. */
export function createWebhookId(): string {
  return `msg_${randomUUID()}`;
}

function toDelivery(
  { id: channelId, account_id: accountId }: OpenChannel,
  planned: PlannedDelivery,
  at: Date,
): Delivery {
  return {
    ...planned,
    account_id: accountId,
    channel_id: channelId,
    state: 'waiting',
    is_test: false,
    digest: null,
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
