import { maxManualDeliveries } from '@shelfwise/facts/alerts/alert-channels';
import type {
  AlertDelivery,
  ListAlertDeliveriesReply,
  ListAlertDeliveriesRequest,
  RedeliverAlertsReply,
  RedeliverAlertsRequest,
  TestAlertChannelReply,
  TestAlertChannelRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkId, checkPage } from '@shelfwise/runtime/check-request';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createWebhookId } from '../delivery/plan-delivery.ts';
import type { SendDelivery } from '../delivery/send-delivery.ts';
import { type Channel, type Delivery, isConfirmed } from '../domain/channel.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { ChannelStore } from '../stores/channel-store.ts';
import type { DeliveryStore } from '../stores/delivery-store.ts';
import { channelNotFound } from './alert-channels.ts';

type ListDeps = {
  channels: Pick<ChannelStore, 'find'>;
  deliveries: Pick<DeliveryStore, 'list' | 'count'>;
};

type SendDeps = {
  channels: Pick<ChannelStore, 'find' | 'recordSuccess'>;
  deliveries: Pick<DeliveryStore, 'find' | 'takeIds' | 'insert' | 'recordManualTry'>;
  accounts: Pick<AccountStore, 'takeManualDelivery'>;
  sendDelivery: SendDelivery;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  now: () => Date;
};

type Call = Pick<CallContext, 'signal'>;

/** Newest first. Cost: a query for the channel, one for the page, and a count. @throws NOT_FOUND */
export async function listAlertDeliveries(
  { channels, deliveries }: ListDeps,
  request: ListAlertDeliveriesRequest,
): Promise<ListAlertDeliveriesReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('channel_id', request.channel_id);
  const page = checkPage(request);
  if (!(await channels.find(accountId, id))) throw channelNotFound();
  const [rows, total] = await Promise.all([
    deliveries.list(accountId, id, page),
    deliveries.count(accountId, id),
  ]);
  return { deliveries: rows.map(toMessage), total };
}

/**
 * Sends a message without alerts, once, also to a channel that is off. What the receiver answers is the reply.
 * @throws NOT_FOUND, PLAN_LIMIT, INVALID_PARAMS: the mail address is not confirmed
 */
export async function testAlertChannel(
  deps: SendDeps,
  request: TestAlertChannelRequest,
  { signal }: Call,
): Promise<TestAlertChannelReply> {
  const accountId = checkAccountId(request.account_id);
  const channel = await deps.channels.find(accountId, checkId('id', request.id));
  if (!channel) throw channelNotFound();
  requireConfirmed(channel);
  await takeManualDelivery(deps, accountId);
  const at = deps.now();
  const message = { webhook_id: createWebhookId(), is_test: true, digest: null, alert_ids: [] };
  const { isGone: _, ...outcome } = await deps.sendDelivery(channel, message, signal);
  const delivery: Delivery = {
    ...message,
    ...outcome,
    id: await deps.deliveries.takeIds(1),
    account_id: accountId,
    channel_id: channel.id,
    state: outcome.failure === null ? 'delivered' : 'failed',
    listing_id: null,
    tries: 0,
    created_at: at,
    last_tried_at: at,
    next_try_at: null,
  };
  await deps.deliveries.insert([delivery]);
  await deps.forgetDeletedAccounts([accountId]);
  if (outcome.failure === null) await deps.channels.recordSuccess(channel.id, deps.now());
  return { delivery: toMessage(delivery) };
}

/**
 * Sends a delivery again, once, whatever its state. One that waits stays scheduled unless this succeeds.
 * @throws NOT_FOUND, PLAN_LIMIT, INVALID_PARAMS: the mail address is not confirmed
 */
export async function redeliverAlerts(
  deps: SendDeps,
  request: RedeliverAlertsRequest,
  { signal }: Call,
): Promise<RedeliverAlertsReply> {
  const accountId = checkAccountId(request.account_id);
  const delivery = await deps.deliveries.find(accountId, checkId('id', request.id));
  const channel = delivery && (await deps.channels.find(accountId, delivery.channel_id));
  if (!channel) throw deliveryNotFound();
  requireConfirmed(channel);
  await takeManualDelivery(deps, accountId);
  const { isGone: _, ...outcome } = await deps.sendDelivery(channel, delivery, signal);
  const tried = await deps.deliveries.recordManualTry(delivery.id, outcome, deps.now());
  if (!tried) throw deliveryNotFound();
  if (outcome.failure === null) await deps.channels.recordSuccess(channel.id, deps.now());
  return { delivery: toMessage(tried) };
}

/** @throws INVALID_PARAMS: only its owner may say that mail is sent to an address */
function requireConfirmed(channel: Channel): void {
  if (!isConfirmed(channel))
    throw invalidParams({ channel_id: 'is a mail address that its owner has not confirmed' });
}

/** @throws PLAN_LIMIT */
async function takeManualDelivery({ accounts, now }: SendDeps, accountId: string): Promise<void> {
  const hour = now().toISOString().slice(0, 13);
  if (await accounts.takeManualDelivery(accountId, hour, maxManualDeliveries)) return;
  throw new AppError(
    'PLAN_LIMIT',
    `An account sends at most ${maxManualDeliveries} tests and repeated deliveries an hour. Try again in the next hour.`,
  );
}

function deliveryNotFound(): AppError {
  return new AppError('NOT_FOUND', 'This account has no delivery with that id.');
}

function toMessage(delivery: Delivery): AlertDelivery {
  return {
    id: delivery.id,
    channel_id: delivery.channel_id,
    webhook_id: delivery.webhook_id,
    state: delivery.state.toUpperCase() as Uppercase<Delivery['state']>,
    is_test: delivery.is_test,
    digest_id: delivery.digest?.digest_id,
    app_id: delivery.listing_id,
    alert_ids: [...delivery.alert_ids],
    tries: delivery.tries,
    created_at: delivery.created_at,
    last_tried_at: delivery.last_tried_at,
    next_try_at: delivery.next_try_at,
    status: delivery.status,
    duration_ms: delivery.duration_ms,
    failure: delivery.failure,
    answer: delivery.answer,
  };
}
