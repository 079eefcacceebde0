import { CallError } from '@shelfwise/runtime/outgoing/explain-failure';
import type { postOnce } from '@shelfwise/runtime/outgoing/post';
import { TargetError, type TargetOptions } from '@shelfwise/runtime/outgoing/target';
import { type SecretBox, SecretError } from '@shelfwise/runtime/secrets/secret-box';
import { type Delivery, secretContexts, type TryOutcome } from '../domain/channel.ts';
import type { AlertStore } from '../stores/alert-store.ts';
import type { StoredChannel } from '../stores/channel-store.ts';
import { signWebhook } from './sign-webhook.ts';
import { slackBody } from './slack-body.ts';
import { webhookBody } from './webhook-body.ts';

/** For the whole call. */
export const sendMs = 10_000;
/** Of an answer, what is kept. */
const answerBytes = 1024;

export type PostOnce = typeof postOnce;
export type SendDelivery = ReturnType<typeof createSendDelivery>;

/**
 * Sends a delivery once. Whatever the receiver does is an outcome: only an error of the database, or the signal's reason, is
 * thrown.
 */
export function createSendDelivery(deps: {
  alerts: Pick<AlertStore, 'findByIds'>;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  post: PostOnce;
  target: TargetOptions;
  now: () => Date;
}) {
  const { alerts, secretBox, post, target, now } = deps;

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

  return async (
    channel: StoredChannel,
    delivery: Pick<Delivery, 'webhook_id' | 'is_test' | 'alert_ids'>,
    signal?: AbortSignal,
  ): Promise<TryOutcome> => {
    const { account_id: accountId, type, name } = channel;
    const { is_test, alert_ids: ids, webhook_id: id } = delivery;
    const found = is_test ? [] : await alerts.findByIds(accountId, ids);
    try {
      const { url, secrets } = open(channel);
      const body =
        type === 'webhook'
          ? webhookBody({ account_id: accountId, is_test, alerts: found })
          : slackBody({ name, is_test, alerts: found });
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
      const { status, durationMs, answer } = sent;
      const isSuccess = status >= 200 && status < 300;
      const failure = isSuccess ? null : `The receiver answered with the status ${status}.`;
      return { status, duration_ms: durationMs, failure, answer };
    } catch (error) {
      signal?.throwIfAborted();
      return { status: null, duration_ms: null, failure: explain(error), answer: null };
    }
  };
}

function explain(error: unknown): string {
  if (error instanceof CallError || error instanceof TargetError) return error.message;
  if (error instanceof SecretError)
    return 'The stored address of the channel cannot be decrypted. Set it again.';
  throw error;
}
