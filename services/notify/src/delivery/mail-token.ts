import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretPrefix } from '@shelfwise/runtime/log/redact-keys';

const secretBytes = 32;
/** The path of a link has its token. */
const prefix: SecretPrefix = 'sw_mail_';
const form = /^sw_mail_([1-9]\d{0,14})-([\w-]{43})$/;

/** In links of mails: whose channel, and a secret in base64url. */
export type MailToken = { id: number; secret: string };

/** A new secret for the link that confirms an address. Only its hash is kept. */
export function createLinkSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

export function hashLinkSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** The secret of the links that unsubscribe: the same in all mails of a channel. */
export function unsubscribeSecret(channelSecret: string): string {
  return createHmac('sha256', channelSecret).update('unsubscribe').digest('base64url');
}

/** Whether two texts are equal, compared in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const writeToken = ({ id, secret }: MailToken): string => `${prefix}${id}-${secret}`;

/** Null: no channel has such a token. */
export function readToken(token: string): MailToken | null {
  const [, id, secret] = form.exec(token) ?? [];
  return id === undefined || secret === undefined ? null : { id: Number(id), secret };
}
