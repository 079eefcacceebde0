import type { ChannelType } from '@shelfwise/facts/alerts/alert-channels';
import { CallError } from '@shelfwise/runtime/outgoing/explain-failure';
import type { postOnce } from '@shelfwise/runtime/outgoing/post';
import { TargetError, type TargetOptions } from '@shelfwise/runtime/outgoing/target';
import { type SecretBox, SecretError } from '@shelfwise/runtime/secrets/secret-box';
import { type Delivery, isConfirmed, secretContexts, type TryOutcome } from '../domain/channel.ts';
import { readMailAddress } from '../domain/mail-address.ts';
import type { AlertStore } from '../stores/alert-store.ts';
import type { StoredChannel } from '../stores/channel-store.ts';
import { hideAddress } from './hide-address.ts';
import { alertMail } from './mail-texts.ts';
import { unsubscribeSecret, writeToken } from './mail-token.ts';
import type { Mailer } from './mailer.ts';
import type { Message } from './message.ts';
import { signWebhook } from './sign-webhook.ts';
import { slackBody } from './slack-body.ts';
import { webhookBody } from './webhook-body.ts';

/** For the whole call. */
export const sendMs = 10_000;
/** Of an answer, what is kept. */
const answerBytes = 1024;

export type PostOnce = typeof postOnce;
/** How a try went, and whether the receiver is gone for good: the channel ends. */
export type SendOutcome = TryOutcome & { isGone: boolean };
export type SendDelivery = ReturnType<typeof createSendDelivery>;

const goneStatus = 410;

/**
 * Sends a delivery once. Whatever the receiver does is an outcome: only an error of the database, or the signal's reason, is
 * thrown.
 */
export function createSendDelivery(deps: {
  alerts: Pick<AlertStore, 'findByIds'>;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  post: PostOnce;
  /** Null: settings of mail are missing. */
  mailer: Pick<Mailer, 'send' | 'publicUrl'> | null;
  target: TargetOptions;
  now: () => Date;
}) {
  const { alerts, secretBox, post, mailer, target, now } = deps;

  /** @throws SecretError */
  function open(channel: StoredChannel): { url: string; secrets: string[] } {
    if (!secretBox) throw new SecretError('SECRETS_KEY is not set.');
    const contexts = secretContexts(channel);
    const valid = channel.secrets.filter(({ until }) => until === null || until > now());
    return {
      url: secretBox.open(channel.sealed_url, contexts.url),
      secrets: valid.map(({ sealed }) => secretBox.open(sealed, contexts.secret)),
    };
  }

  /** @throws SecretError, CallError, TargetError, the reason of the signal */
  async function sendPost(
    type: ChannelType,
    { url, secrets }: { url: string; secrets: string[] },
    { id, ...message }: SentMessage,
    signal: AbortSignal | undefined,
  ): Promise<SendOutcome> {
    const body = type === 'webhook' ? webhookBody(message) : slackBody(message);
    const signed = type === 'webhook' ? signWebhook({ id, at: now(), body }, secrets) : {};
    const headers = { 'content-type': 'application/json', ...signed };
    const sent = await post({
      url,
      headers,
      body,
      timeoutMs: sendMs,
      answerBytes,
      signal,
      options: target,
    });
    const { status, durationMs, isWhole } = sent;
    const answer = sent.answer === null ? null : hideAddress(sent.answer, url, isWhole);
    const isSuccess = status >= 200 && status < 300;
    const failure = isSuccess ? null : `The receiver answered with the status ${status}.`;
    return { status, duration_ms: durationMs, failure, answer, isGone: status === goneStatus };
  }

  /** @throws SecretError, the reason of the signal */
  async function sendMail(
    { id: channelId, ...channel }: Pick<StoredChannel, 'id' | 'type' | 'confirmed_at'>,
    { url, secrets: [secret] }: { url: string; secrets: string[] },
    { id, ...message }: SentMessage,
    signal: AbortSignal | undefined,
  ): Promise<SendOutcome> {
    const to = readMailAddress(url)?.address;
    if (to === undefined || secret === undefined) throw new SecretError('The channel has no mail address.');
    if (!mailer) return { ...notSent('This installation sends no mail any more.'), isGone: false };
    // Whatever the channel's state says: address and confirmation are of one read.
    if (!isConfirmed(channel)) return { ...notSent('The mail address is not confirmed.'), isGone: false };
    const token = writeToken({ id: channelId, secret: unsubscribeSecret(secret) });
    const unsubscribe = `${mailer.publicUrl}/mail/unsubscribe/${token}`;
    const links = { feed: `${mailer.publicUrl}/dashboard/alerts`, unsubscribe };
    const text = alertMail(message, links);
    const sent = await mailer.send({ ...text, to, id, unsubscribeUrl: unsubscribe }, signal);
    const { status, durationMs, failure, isGone } = sent;
    // The server is the operator's: what it says is not for accounts.
    return { status, duration_ms: durationMs, failure, answer: null, isGone };
  }

  return async (
    channel: StoredChannel,
    delivery: Pick<Delivery, 'webhook_id' | 'is_test' | 'digest' | 'alert_ids'>,
    signal?: AbortSignal,
  ): Promise<SendOutcome> => {
    const { account_id, type, name } = channel;
    const { is_test, digest, alert_ids: ids, webhook_id: id } = delivery;
    const found = is_test ? [] : await alerts.findByIds(account_id, ids);
    const message = { id, account_id, name, is_test, digest, alerts: found };
    try {
      const opened = open(channel);
      return type === 'email'
        ? await sendMail(channel, opened, message, signal)
        : await sendPost(type, opened, message, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return { ...notSent(explain(error)), isGone: false };
    }
  };
}

/** With the id that is the same at every try. */
type SentMessage = Message & { id: string };

const notSent = (failure: string): TryOutcome => ({ status: null, duration_ms: null, failure, answer: null });

function explain(error: unknown): string {
  if (error instanceof CallError || error instanceof TargetError) return error.message;
  if (error instanceof SecretError)
    return 'The stored address of the channel cannot be decrypted. Set it again.';
  throw error;
}
