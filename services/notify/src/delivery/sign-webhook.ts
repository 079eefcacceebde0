import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** standardwebhooks.com: 24 to 64. */
const secretBytes = 32;

/** A new secret in the form that libraries of standardwebhooks.com read. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/**
 * The headers of a webhook (standardwebhooks.com): a version 1 signature of each secret, so that a receiver may still know
 * the old one.
 * @param secrets as `createWebhookSecret` makes them
 * @param at when it is sent: receivers refuse old messages
 */
export function signWebhook(
  message: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(message.at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    const signed = createHmac('sha256', key).update(`${message.id}.${seconds}.${message.body}`);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
