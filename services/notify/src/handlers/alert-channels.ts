import {
  type ChannelTiming,
  type ChannelType,
  channelTimings,
  channelTypes,
  maxAlertChannels,
  maxChannelNameLength,
  maxSigningSecrets,
  oldSecretHours,
} from '@shelfwise/facts/alerts/alert-channels';
import type {
  AlertChannel,
  CreateAlertChannelReply,
  CreateAlertChannelRequest,
  DeleteAlertChannelReply,
  DeleteAlertChannelRequest,
  ListAlertChannelsReply,
  ListAlertChannelsRequest,
  UpdateAlertChannelReply,
  UpdateAlertChannelRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkId, checkPage, checkText } from '@shelfwise/runtime/check-request';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { checkTarget, TargetError, type TargetOptions } from '@shelfwise/runtime/outgoing/target';
import { type SecretBox, SecretError } from '@shelfwise/runtime/secrets/secret-box';
import type { AskToConfirm } from '../delivery/ask-to-confirm.ts';
import { sealAgain } from '../delivery/seal-again.ts';
import { createWebhookSecret } from '../delivery/sign-webhook.ts';
import { type Channel, isConfirmed, type SealedSecret, secretContexts } from '../domain/channel.ts';
import { readMailAddress } from '../domain/mail-address.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { ChannelChange, ChannelStore, StoredChannel } from '../stores/channel-store.ts';
import type { DeliveryStore } from '../stores/delivery-store.ts';
import type { DigestStore } from '../stores/digest-store.ts';
import type { RuleStore } from '../stores/rule-store.ts';

type Deps = {
  channels: Pick<
    ChannelStore,
    | 'list'
    | 'find'
    | 'takeId'
    | 'create'
    | 'update'
    | 'turnOn'
    | 'turnOff'
    | 'unconfirm'
    | 'takeBack'
    | 'remove'
  >;
  deliveries: Pick<DeliveryStore, 'retryAt' | 'deleteChannel'>;
  rules: Pick<RuleStore, 'dropChannel'>;
  digests: Pick<DigestStore, 'removeOfChannel'>;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  target: TargetOptions;
  askToConfirm: AskToConfirm;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  /** Lets the worker of this process look again. */
  wake: () => void;
  now: () => Date;
};

/** Oldest first. Cost: one query. */
export async function listAlertChannels(
  { channels, now }: Pick<Deps, 'channels' | 'now'>,
  request: ListAlertChannelsRequest,
): Promise<ListAlertChannelsReply> {
  const accountId = checkAccountId(request.account_id);
  const { skip, limit } = checkPage(request);
  const all = await channels.list(accountId);
  return {
    channels: all.slice(skip, skip + limit).map((channel) => toMessage(channel, now())),
    total: all.length,
  };
}

/**
 * Nothing is sent before a rule names the channel, but the one mail that asks to confirm an address.
 * @throws INVALID_PARAMS, PLAN_LIMIT: the account has `maxAlertChannels`, or has asked too often, SERVICE_UNAVAILABLE: SECRETS_KEY or a
 * setting of mail is not set, or the mail could not be sent
 */
export async function createAlertChannel(
  deps: Deps,
  request: CreateAlertChannelRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<CreateAlertChannelReply> {
  const accountId = checkAccountId(request.account_id);
  const type = checkType(request.type);
  const name = checkName(request.name);
  const timing = checkTiming(request.timing);
  const address = checkAddress(deps, type, request.url);
  const mailAddress = type === 'email' ? readMailAddress(request.url)?.address : undefined;
  const box = requireBox(deps);
  const asked = mailAddress === undefined ? null : await deps.askToConfirm(accountId, mailAddress);
  const id = await deps.channels.takeId();
  const contexts = secretContexts({ account_id: accountId, id });
  const secret = type === 'slack' ? null : createWebhookSecret();
  const at = deps.now();
  const isCreated = await deps.channels.create({
    id,
    account_id: accountId,
    type,
    name,
    ...address,
    sealed_url: box.seal(request.url, contexts.url),
    secrets: secret === null ? [] : [{ sealed: box.seal(secret, contexts.secret), until: null }],
    timing,
    off_reason: asked ? 'unconfirmed' : null,
    off_at: asked ? at : null,
    created_at: at,
    ...asked?.link,
  });
  if (!isCreated)
    throw new AppError(
      'PLAN_LIMIT',
      `An account has at most ${maxAlertChannels} channels. Delete one first.`,
    );
  const deleted = await deps.forgetDeletedAccounts([accountId]);
  if (deleted.length > 0) throw new AppError('NOT_FOUND', 'The account was deleted.');
  await asked?.send(id, signal).catch(async (error) => {
    await deps.channels.remove(accountId, id);
    throw error;
  });
  const channel = await deps.channels.find(accountId, id);
  if (!channel) throw channelNotFound();
  return { channel: toMessage(channel, deps.now()), secret: type === 'webhook' ? secret : null };
}

/** Of calls that rotate a secret at the same time one writes first; the others read what it wrote and rotate again. */
const maxAttempts = 2;

/**
 * A new mail address, and one that is turned on without being confirmed, is asked to confirm. A new one that comes with the channel
 * turned off is stored only; a link that waits ends when the channel is turned off. Every secret that a reply shows signs.
 * @throws INVALID_PARAMS, NOT_FOUND, PLAN_LIMIT and SERVICE_UNAVAILABLE: as `createAlertChannel`; PLAN_LIMIT also when the secret was
 * rotated too often, SERVICE_UNAVAILABLE also when other calls have changed the channel meanwhile. When the mail was not sent, nothing
 * has changed
 */
export async function updateAlertChannel(
  deps: Deps,
  request: UpdateAlertChannelRequest,
  call: Pick<CallContext, 'signal'>,
): Promise<UpdateAlertChannelReply> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const reply = await tryUpdate(deps, request, call);
    if (reply) return reply;
  }
  throw changedMeanwhile();
}

/** Null: another call has changed the secrets meanwhile, and nothing is changed. */
async function tryUpdate(
  deps: Deps,
  sent: UpdateAlertChannelRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<UpdateAlertChannelReply | null> {
  const accountId = checkAccountId(sent.account_id);
  const id = checkId('id', sent.id);
  const stored = await deps.channels.find(accountId, id);
  if (!stored) throw channelNotFound();
  const request = isConfirmedAddress(deps, stored, sent.url) ? { ...sent, url: undefined } : sent;
  const { change, secret } = toChange(deps, stored, request);
  const mailAddress = addressToConfirm(deps, stored, request);
  if (mailAddress === null) {
    const hasChange = Object.keys(change).length > 0;
    if (hasChange && !(await deps.channels.update(stored, change))) return null;
    await changeState(deps, stored, request);
  } else if (request.is_enabled === false) {
    if (!(await deps.channels.unconfirm(stored, change, null, deps.now()))) throw changedMeanwhile();
  } else await askAgain(deps, stored, { change, mailAddress, signal });
  const channel = await deps.channels.find(accountId, id);
  if (!channel) throw channelNotFound();
  return { channel: toMessage(channel, deps.now()), secret };
}

/** Changes a channel whose address is to be confirmed, and mails the link. */
async function askAgain(
  { channels, secretBox, askToConfirm, forgetDeletedAccounts, wake, now }: Deps,
  stored: StoredChannel,
  { change, mailAddress, signal }: { change: ChannelChange; mailAddress: string; signal: AbortSignal },
): Promise<void> {
  const { id, account_id: accountId } = stored;
  const { link, send } = await askToConfirm(accountId, mailAddress);
  const isChanged = await channels.unconfirm(stored, change, link, now());
  // The mail is counted in a row of the account.
  await forgetDeletedAccounts([accountId]);
  if (!isChanged) throw changedMeanwhile();
  await send(id, signal).catch(async (error) => {
    const fields = Object.keys(change) as (keyof ChannelChange)[];
    // Sealed with the first key: the pass that seals again may have ended since the channel was read.
    const earlier = secretBox ? { ...stored, ...sealAgain(secretBox, stored) } : stored;
    const before = Object.fromEntries(fields.map((field) => [field, earlier[field]])) as ChannelChange;
    await channels.takeBack(stored, before, link, now());
    wake();
    throw error;
  });
}

function changedMeanwhile(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Another call has changed the channel. Try again in a few seconds.',
  );
}

/** Its rules stay and name it no more; its digests are deleted. */
export async function deleteAlertChannel(
  { channels, deliveries, rules, digests }: Deps,
  request: DeleteAlertChannelRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<DeleteAlertChannelReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const isRemoved = await channels.remove(accountId, id);
  // Also when it was removed before: that call may have ended in between.
  await rules.dropChannel(accountId, id);
  await digests.removeOfChannel(accountId, id);
  await deliveries.deleteChannel(accountId, id, signal);
  return { id, already_removed: !isRemoved };
}

function toChange(
  deps: Deps,
  stored: StoredChannel,
  request: UpdateAlertChannelRequest,
): { change: ChannelChange; secret: string | null } {
  const contexts = secretContexts(stored);
  const change: ChannelChange = {};
  if (request.name != null) change.name = checkName(request.name);
  if (request.timing != null) change.timing = checkTiming(request.timing);
  if (request.url != null) {
    Object.assign(change, checkAddress(deps, stored.type, request.url));
    change.sealed_url = requireBox(deps).seal(request.url, contexts.url);
    // Links in mails to the old address end nothing of the new one.
    if (stored.type === 'email')
      change.secrets = [
        { sealed: requireBox(deps).seal(createWebhookSecret(), contexts.secret), until: null },
      ];
  }
  if (!request.rotates_secret) return { change, secret: null };
  if (stored.type !== 'webhook')
    throw invalidParams({ rotate_secret: 'is for webhooks: other channels have no secret' });
  const secret = createWebhookSecret();
  change.secrets = [
    { sealed: requireBox(deps).seal(secret, contexts.secret), until: null },
    ...oldSecrets(stored, deps.now()),
  ];
  return { change, secret };
}

/**
 * The secrets before a new one, newest first. Each signs for its whole day, also when the secret is rotated twice.
 * @throws PLAN_LIMIT: there is no room for a new one
 */
function oldSecrets({ secrets }: StoredChannel, at: Date): SealedSecret[] {
  const ending = new Date(at.getTime() + oldSecretHours * 3_600_000);
  const old = secrets
    .filter(({ until }) => until === null || until > at)
    .map(({ sealed, until }) => ({ sealed, until: until ?? ending }));
  if (old.length < maxSigningSecrets) return old;
  throw new AppError(
    'PLAN_LIMIT',
    `The secret was rotated ${maxSigningSecrets - 1} times within ${oldSecretHours} hours, and all of these secrets still sign. Try again when the oldest one has ended.`,
  );
}

/** The mail address that must be confirmed before the channel is on; null: none. */
function addressToConfirm(
  deps: Deps,
  stored: StoredChannel,
  { url, is_enabled: isEnabled }: UpdateAlertChannelRequest,
): string | null {
  if (stored.type !== 'email') return null;
  if (url != null) return readMailAddress(url)?.address ?? null;
  if (isEnabled !== true || isConfirmed(stored)) return null;
  return readMailAddress(openAddress(deps, stored))?.address ?? null;
}

/** Whether a mail address is the one that the channel has, and that its owner has confirmed: then nothing changes. */
function isConfirmedAddress(deps: Deps, stored: StoredChannel, url: string | null | undefined): boolean {
  const address = stored.type === 'email' && url != null ? readMailAddress(url)?.address : undefined;
  if (address === undefined || !isConfirmed(stored)) return false;
  try {
    return readMailAddress(openAddress(deps, stored))?.address === address;
  } catch {
    // Without the right key it is not known, so it is stored again.
    return false;
  }
}

/** @throws SERVICE_UNAVAILABLE: SECRETS_KEY is not set, INVALID_PARAMS: it is another one now */
function openAddress(deps: Deps, stored: StoredChannel): string {
  try {
    return requireBox(deps).open(stored.sealed_url, secretContexts(stored).url);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw invalidParams({ url: 'cannot be decrypted any more: send it again' });
  }
}

/** Turns the channel on or off. A new address is tried at once. */
async function changeState(
  { channels, deliveries, wake, now }: Deps,
  stored: StoredChannel,
  { is_enabled: isEnabled, url }: UpdateAlertChannelRequest,
): Promise<void> {
  const { id, account_id: accountId } = stored;
  if (isEnabled === false) return channels.turnOff(accountId, id, now());
  const isOn = stored.off_reason === null;
  const isTurnedOn = isEnabled === true && !isOn;
  if (!isTurnedOn && (url == null || !isOn)) return;
  await deliveries.retryAt(id, now());
  await channels.turnOn(stored, now());
  wake();
}

/** @throws SERVICE_UNAVAILABLE */
function requireBox({ secretBox }: Pick<Deps, 'secretBox'>): SecretBox {
  if (secretBox) return secretBox;
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'This installation keeps no channels, because SECRETS_KEY is not set for its notify service.',
  );
}

export function channelNotFound(): AppError {
  return new AppError('NOT_FOUND', 'This account has no channel with that id.');
}

/** @throws INVALID_PARAMS */
function checkAddress(
  { target }: Pick<Deps, 'target'>,
  type: ChannelType,
  url: string,
): Pick<Channel, 'host' | 'url_end'> {
  if (type === 'email') {
    const mail = readMailAddress(url);
    if (!mail) throw invalidParams({ url: 'must be one mail address, such as mailto:ann@example.com' });
    return { host: mail.domain, url_end: url.slice(-4) };
  }
  try {
    const { host } = checkTarget(url, target);
    return { host, url_end: url.slice(-4) };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw invalidParams({ url: error.message.replace(/^The URL /, '').replace(/\.$/, '') });
  }
}

/** @throws INVALID_PARAMS */
function checkName(name: string): string {
  return checkText('name', name.trim(), 1, 2 * maxChannelNameLength);
}

/** @throws INVALID_PARAMS */
function checkType(type: AlertChannel['type']): ChannelType {
  const known = channelTypes.find((one) => one.toUpperCase() === type);
  if (!known) throw invalidParams({ type: `must be one of ${channelTypes.join(', ')}` });
  return known;
}

/** @throws INVALID_PARAMS */
function checkTiming(timing: AlertChannel['timing']): ChannelTiming {
  const known = channelTimings.find((one) => one.toUpperCase() === timing);
  if (!known) throw invalidParams({ timing: `must be one of ${channelTimings.join(', ')}` });
  return known;
}

/** Without its address and its secrets. */
function toMessage(channel: StoredChannel, at: Date): AlertChannel {
  const old = channel.secrets.find(({ until }) => until !== null && until > at);
  return {
    id: channel.id,
    type: toUpper(channel.type),
    name: channel.name,
    host: channel.host,
    url_end: channel.url_end,
    timing: toUpper(channel.timing),
    off_reason: channel.off_reason === null ? null : toUpper(channel.off_reason),
    off_at: channel.off_at,
    last_success_at: channel.last_success_at,
    failing_since: channel.failing_since,
    old_secret_until: old?.until ?? null,
    created_at: channel.created_at,
    is_confirmed: isConfirmed(channel),
  };
}

/** The contract's spelling. */
function toUpper<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>;
}
