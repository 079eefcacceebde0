import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import type { Delivery, TryOutcome } from '../domain/channel.ts';
import { hasFailedForLong, nextTryAt } from '../domain/delivery-schedule.ts';
import type { NotifyMetrics } from '../notify-metrics.ts';
import type {
  ChannelProgress,
  ChannelStore,
  ClaimedChannel,
  DueChannel,
  OpenChannel,
  Pace,
} from '../stores/channel-store.ts';
import type { DeliveryStore } from '../stores/delivery-store.ts';
import { mailConnections } from './mailer.ts';
import type { PlanDelivery } from './plan-delivery.ts';
import { type SendDelivery, type SendOutcome, sendMs } from './send-delivery.ts';

/**
 * Sends at the same time in this process. Receivers that were slow or failed never take the slots of the others, nor do those that
 * have never answered: any number of accounts may name receivers that hang.
 */
const slots: Readonly<Record<Pace, number>> = { quick: 32, new: 8, slow: 16, mail: mailConnections };
const paces = Object.keys(slots) as Pace[];
const allPaces = paces.map((pace) => ({ pace }));
/** Of each pace, so that an account with many slow receivers delays its own deliveries only. */
const maxOfAccount = 2;
/** A receiver that takes longer is slow the next time. A quick one that begins to hang holds its slot for no longer. */
export const quickMs = 2000;
/** Sends that have lost their slot and have not ended. */
const maxOverdue = slots.quick * (Math.ceil(sendMs / quickMs) - 1);
/** Longer than sending and saving. If a copy crashes, its channels are due again after this time. */
const claimMs = 60_000;
/** What a send needs until its claim ends. */
const longestRunMs = 2 * sendMs;

/** Why and when a channel is turned off, and since when it failed. */
export type Off = {
  off_reason: 'gone' | 'no_success' | 'unsubscribed';
  off_at: Date;
  /** null: nothing failed */
  failing_since: Date | null;
};

/**
 * Sends what waits for channels. A channel is a job: one worker at a time sends its deliveries, one after the other, and
 * what it has sent is marked before its next one. So deliveries of a channel are in order, and after a crash the last one
 * comes again, with the same id. Channels take turns by when they became due.
 */
export function createChannelJobs(deps: {
  channels: Pick<ChannelStore, 'queue' | 'findClaimed'>;
  deliveries: Pick<DeliveryStore, 'findFirstWaiting' | 'recordTry'>;
  planDelivery: PlanDelivery;
  sendDelivery: SendDelivery;
  /** Says in the feed that a channel is off. */
  notifyChannelOff: (channel: Pick<OpenChannel, 'id' | 'account_id' | 'name'>, off: Off) => Promise<void>;
  /** Lets the worker look again: channels that were held back may be claimed. */
  wake: () => void;
  metrics: Pick<NotifyMetrics, 'deliveryTries'>;
  now: () => Date;
  sleep: Sleep;
  /** A random number from 0 to 1. */
  random: () => number;
}): JobSource<ClaimedChannel> {
  const { channels, deliveries, planDelivery, sendDelivery, wake, metrics, now, sleep, random } = deps;
  const { queue } = channels;
  /** Claimed and unfinished, in this process. */
  const inFlight = new Set<ClaimedChannel>();
  /** Those of them that have lost their slot. */
  const overdue = new Set<ClaimedChannel>();

  const ofPace = (pace: Pace) => [...inFlight].filter((one) => one.pace === pace);
  const slotsTaken = (pace: Pace) => ofPace(pace).filter((one) => !overdue.has(one)).length;

  /** How many channels of each account are in flight, also without a slot: an account waits for its own that hang. */
  function countAccounts(pace: Pace): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { account_id: id } of ofPace(pace)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  }

  function leave(claimed: ClaimedChannel): void {
    const { pace, account_id: accountId } = claimed;
    const isFull = (countAccounts(pace).get(accountId) ?? 0) >= maxOfAccount;
    const isHeldBack = isFull || slotsTaken(pace) >= slots[pace];
    overdue.delete(claimed);
    if (inFlight.delete(claimed) && isHeldBack) wake();
  }

  /** Takes the slot from a send that does not end soon. @param sent fires when it has ended */
  async function takeSlotLater(claimed: ClaimedChannel, sent: AbortSignal): Promise<void> {
    await sleep(quickMs, sent);
    if (sent.aborted) return;
    const isHeldBack = slotsTaken(claimed.pace) >= slots[claimed.pace];
    overdue.add(claimed);
    if (isHeldBack) wake();
  }

  /**
   * Due channels of a pace that have a slot, longest due first, and no more of an account than it may have. An account that
   * has them all is left out of the next query, so that its channels hide no others.
   */
  async function list(pace: Pace, count: number): Promise<DueChannel[]> {
    const counts = countAccounts(pace);
    const room = Math.min(count, slots[pace] - slotsTaken(pace));
    const allowed = new Map<number, DueChannel>();
    while (allowed.size < room) {
      const full = [...counts].filter(([, some]) => some >= maxOfAccount).map(([id]) => id);
      const due = await queue.listDue({ pace, account_id: { $nin: full } }, now(), room);
      const before = allowed.size;
      for (const channel of due) {
        const { _id, account_id: id } = channel;
        const some = counts.get(id) ?? 0;
        if (allowed.has(_id) || some >= maxOfAccount || allowed.size >= room) continue;
        allowed.set(_id, channel);
        counts.set(id, some + 1);
      }
      if (due.length < room || allowed.size === before) break;
    }
    return [...allowed.values()];
  }

  async function listAll(count: number): Promise<DueChannel[]> {
    const due: DueChannel[] = [];
    for (const pace of paces) due.push(...(await list(pace, count - due.length)));
    return due;
  }

  async function deliver(
    claimed: ClaimedChannel,
    channel: OpenChannel,
    delivery: Delivery,
    signal: AbortSignal,
  ): Promise<void> {
    const sent = new AbortController();
    if (claimed.pace === 'quick') void takeSlotLater(claimed, sent.signal);
    const sending = sendDelivery(channel, delivery, signal).finally(() => sent.abort());
    const { isGone, ...outcome } = await sending;
    const at = now();
    metrics.deliveryTries.inc({ outcome: outcome.failure === null ? 'delivered' : 'failed' });
    if (outcome.failure === null) {
      await record(delivery, outcome, { state: 'delivered', next_try_at: null }, at);
      const isQuick = (outcome.duration_ms ?? 0) <= quickMs;
      const pace = paceOf(claimed, isQuick ? 'quick' : 'slow');
      const progress = { pace, is_retrying: false, last_success_at: at, failing_since: null } as const;
      // Due at once: it may have more to send.
      await queue.complete(claimed, at, progress);
    } else await retryLater(claimed, channel, delivery, { ...outcome, isGone }, at);
  }

  async function retryLater(
    claimed: ClaimedChannel,
    channel: OpenChannel,
    delivery: Delivery,
    { isGone, ...outcome }: SendOutcome,
    at: Date,
  ): Promise<void> {
    const next = isGone ? null : nextTryAt(delivery.tries + 1, at);
    const ended = next ? { state: 'waiting' as const } : { state: 'failed' as const };
    await record(delivery, outcome, { ...ended, next_try_at: next }, at);
    const since = channel.failing_since ?? at;
    const pace = paceOf(claimed, 'slow');
    const progress: ChannelProgress = { pace, is_retrying: next !== null, failing_since: since };
    if (!isGone && !hasFailedForLong(since, at)) await queue.complete(claimed, next ?? at, progress);
    else {
      const off: Off = { off_reason: isGone ? 'gone' : 'no_success', off_at: at, failing_since: since };
      // First: after a crash in between, the next try publishes it again, which is one alert.
      await deps.notifyChannelOff(channel, off);
      await queue.drop(claimed, { set: { ...progress, ...off } });
    }
  }

  const record = (
    { id, tries }: Delivery,
    outcome: TryOutcome,
    next: Pick<Delivery, 'state' | 'next_try_at'>,
    at: Date,
  ) => deliveries.recordTry(id, { ...outcome, ...next, tries: tries + 1, last_tried_at: at });

  return {
    name: 'alert channels',
    work: 'deliveries',
    maxConcurrency: slots.quick + maxOverdue + slots.new + slots.slow + slots.mail,
    isAdaptive: false,
    isAwaited: false,

    async claim(count, isTrial) {
      const claimed = await queue.claim(
        () => listAll(isTrial ? 1 : count),
        new Date(now().getTime() + claimMs),
      );
      for (const one of claimed) inFlight.add(one);
      return claimed;
    },

    async run(claimed, { signal }) {
      try {
        if (now().getTime() + longestRunMs > claimed.expiresAt.getTime()) return 'skipped';
        const channel = await channels.findClaimed(claimed);
        if (!channel) return 'skipped';
        const delivery =
          (await deliveries.findFirstWaiting(channel.id)) ?? (await planDelivery(claimed, channel));
        if (!delivery) return 'skipped';
        if (delivery.next_try_at && delivery.next_try_at > now()) {
          await queue.complete(claimed, delivery.next_try_at);
          return 'skipped';
        }
        await deliver(claimed, channel, delivery, signal);
        return 'done';
      } finally {
        leave(claimed);
      }
    },

    async fail(claimed, isToBlame) {
      await queue.fail(claimed, isToBlame, { at: now(), random });
    },

    partsOf: (claimed) => [claimed],

    nextDueAt: () => queue.nextDueAt(allPaces),

    readBacklog: () => queue.readBacklog(allPaces, now()),

    async requeue(claimed) {
      for (const one of claimed) leave(one);
      await queue.requeue(claimed);
    },
  };
}

/** Mail keeps its lane. */
const paceOf = ({ pace }: DueChannel, next: 'quick' | 'slow'): Pace => (pace === 'mail' ? pace : next);
