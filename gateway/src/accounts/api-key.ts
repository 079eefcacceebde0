import { createHash, randomBytes } from 'node:crypto';
import type { SecretPrefix } from '@shelfwise/runtime/log/redact-keys';

/** A new key: the text is shown once, hash and prefix are stored. */
export type ApiKey = Secret & { prefix: string };

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 ** 43 is the first power above 256 ** 32. */
const digits = 43;
const keyPattern = /^sw_live_[0-9A-Za-z]{43}$/;
const prefixLength = 12;

/** A secret that is shown once; its hash is stored. */
export type Secret = { text: string; hash: string };

/** The prefix and 32 random bytes in base62. */
export function createSecret(prefix: SecretPrefix): Secret {
  const text = `${prefix}${createRandomText()}`;
  return { text, hash: hashSecret(text) };
}

/** 32 random bytes in base62, 43 characters. */
export function createRandomText(): string {
  let remaining = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    text = base62.charAt(Number(remaining % 62n)) + text;
    remaining /= 62n;
  }
  return text;
}

/** A new key: `sw_live_` and 32 random bytes in base62. */
export function createApiKey(): ApiKey {
  const key = createSecret('sw_live_');
  return { ...key, prefix: key.text.slice(0, prefixLength) };
}

/** Whether a text has the format of a key; other texts are refused without a lookup. */
export function hasKeyFormat(text: string): boolean {
  return keyPattern.test(text);
}

/** SHA-256 in hex. A secret has 256 random bits, so a slow hash with a salt would add nothing. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
