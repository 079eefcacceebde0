import { createHash, randomBytes } from 'node:crypto';

/** A new key: the text is shown once, hash and prefix are stored. */
export type ApiKey = { text: string; hash: string; prefix: string };

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 ** 43 is the first power above 256 ** 32. */
const digits = 43;
const keyPattern = /^sw_live_[0-9A-Za-z]{43}$/;
const prefixLength = 12;

/** A new key: `sw_live_` and 32 random bytes in base62. */
export function createApiKey(): ApiKey {
  let remaining = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    text = base62.charAt(Number(remaining % 62n)) + text;
    remaining /= 62n;
  }
  const key = `sw_live_${text}`;
  return { text: key, hash: hashApiKey(key), prefix: key.slice(0, prefixLength) };
}

/** Whether a text has the format of a key; other texts are refused without a lookup. */
export function hasKeyFormat(text: string): boolean {
  return keyPattern.test(text);
}

/** SHA-256 in hex. A key has 256 random bits, so a slow hash with a salt would add nothing. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
