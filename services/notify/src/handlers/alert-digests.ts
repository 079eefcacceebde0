import { type DigestEvery, digestEvery, maxDigests } from '@shelfwise/facts/alerts/digests';
import type {
  AlertDigest,
  CreateAlertDigestReply,
  CreateAlertDigestRequest,
  DeleteAlertDigestReply,
  DeleteAlertDigestRequest,
  ListAlertDigestsReply,
  ListAlertDigestsRequest,
  UpdateAlertDigestReply,
  UpdateAlertDigestRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkId, checkInteger, checkPage } from '@shelfwise/runtime/check-request';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { isTimeZone, nextDigestAt } from '../domain/digest-time.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { AlertStore } from '../stores/alert-store.ts';
import type { ChannelStore } from '../stores/channel-store.ts';
import type { DigestChange, DigestStore, StoredDigest } from '../stores/digest-store.ts';

type Deps = {
  digests: Pick<DigestStore, 'list' | 'find' | 'create' | 'update' | 'remove'>;
  channels: Pick<ChannelStore, 'findIds'>;
  alerts: Pick<AlertStore, 'findLastId'>;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  /** Lets the worker of digests look again. */
  wakeDigests: () => void;
  now: () => Date;
};

/** Oldest first. Cost: one query. */
export async function listAlertDigests(
  { digests }: Deps,
  request: ListAlertDigestsRequest,
): Promise<ListAlertDigestsReply> {
  const accountId = checkAccountId(request.account_id);
  const { skip, limit } = checkPage(request);
  const all = await digests.list(accountId);
  return { digests: all.slice(skip, skip + limit).map(toMessage), total: all.length };
}

/** The first one has what is found from now on. @throws INVALID_PARAMS, PLAN_LIMIT: the account has `maxDigests` */
export async function createAlertDigest(
  deps: Deps,
  request: CreateAlertDigestRequest,
): Promise<CreateAlertDigestReply> {
  const accountId = checkAccountId(request.account_id);
  const schedule = {
    every: checkEvery(request.every),
    hour: checkInteger('hour', request.hour, 0, 23),
    time_zone: checkTimeZone(request.time_zone),
  };
  const at = deps.now();
  const digest = await deps.digests.create({
    account_id: accountId,
    channel_id: await checkChannel(deps, accountId, request.channel_id),
    ...schedule,
    app_id: request.app_id == null ? null : checkId('app_id', request.app_id),
    created_at: at,
    last_alert: await deps.alerts.findLastId(accountId),
    next_at: nextDigestAt(schedule, at),
  });
  if (!digest)
    throw new AppError('PLAN_LIMIT', `An account has at most ${maxDigests} digests. Delete one first.`);
  const deleted = await deps.forgetDeletedAccounts([accountId]);
  if (deleted.length > 0) throw new AppError('NOT_FOUND', 'The account was deleted.');
  await removeOrphan(deps, digest);
  deps.wakeDigests();
  return { digest: toMessage(digest) };
}

/** @throws INVALID_PARAMS, NOT_FOUND */
export async function updateAlertDigest(
  deps: Deps,
  request: UpdateAlertDigestRequest,
): Promise<UpdateAlertDigestReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const stored = await deps.digests.find(accountId, id);
  if (!stored) throw digestNotFound();
  const { channel_id: channelId, every, hour, time_zone: timeZone, app } = request;
  const change: DigestChange = {};
  if (channelId != null) change.channel_id = await checkChannel(deps, accountId, channelId);
  if (every != null) change.every = checkEvery(every);
  if (hour != null) change.hour = checkInteger('hour', hour, 0, 23);
  if (timeZone != null) change.time_zone = checkTimeZone(timeZone);
  if (app) change.app_id = app.app_id == null ? null : checkId('app_id', app.app_id);
  if (every != null || hour != null || timeZone != null)
    change.next_at = nextDigestAt({ ...stored, ...change }, deps.now());
  const isUnchanged = Object.keys(change).length === 0;
  const digest = isUnchanged ? stored : await deps.digests.update(accountId, id, change);
  if (!digest) throw digestNotFound();
  if (channelId != null) await removeOrphan(deps, digest);
  deps.wakeDigests();
  return { digest: toMessage(digest) };
}

export async function deleteAlertDigest(
  { digests }: Deps,
  request: DeleteAlertDigestRequest,
): Promise<DeleteAlertDigestReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  return { id, already_removed: !(await digests.remove(accountId, id)) };
}

function digestNotFound(): AppError {
  return new AppError('NOT_FOUND', 'This account has no digest with that id.');
}

/** @throws INVALID_PARAMS unless it is a channel of the account */
async function checkChannel({ channels }: Deps, accountId: string, asked: number): Promise<number> {
  const id = checkId('channel', asked);
  if ((await channels.findIds(accountId, [id])).has(id)) return id;
  throw noSuchChannel();
}

/**
 * Deletes a digest whose channel was deleted while it was written: the digests of the channel had been deleted before.
 * @throws INVALID_PARAMS if so
 */
async function removeOrphan(
  { channels, digests }: Deps,
  { id, account_id: accountId, channel_id: channelId }: StoredDigest,
): Promise<void> {
  if ((await channels.findIds(accountId, [channelId])).has(channelId)) return;
  await digests.remove(accountId, id);
  throw noSuchChannel();
}

function noSuchChannel(): AppError {
  return invalidParams({ channel: 'is no channel of this account' });
}

/** @throws INVALID_PARAMS */
function checkEvery(every: AlertDigest['every']): DigestEvery {
  const known = digestEvery.find((one) => one.toUpperCase() === every);
  if (!known) throw invalidParams({ every: `must be one of ${digestEvery.join(', ')}` });
  return known;
}

/** @throws INVALID_PARAMS */
function checkTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw invalidParams({ time_zone: 'must be the name of a time zone, such as Europe/Berlin' });
}

function toMessage(digest: StoredDigest): AlertDigest {
  return {
    id: digest.id,
    channel_id: digest.channel_id,
    every: digest.every === 'day' ? 'DAY' : 'WEEK',
    hour: digest.hour,
    time_zone: digest.time_zone,
    app_id: digest.app_id,
    next_at: digest.next_at,
    last_due_at: digest.last_due_at,
    created_at: digest.created_at,
  };
}
