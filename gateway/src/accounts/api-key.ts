import { createHash, randomBytes } from 'node:crypto';

/** A key as it is made: the text is shown once, the rest is stored. */
export type ApiKey = { text: string; hash: string; prefix: string };

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62 ** 43 is the first power above 256 ** 32. */
const digits = 43;
const shape = /^sw_live_[0-9A-Za-z]{43}$/;
const prefixLength = 12;

/** A new key: `sw_live_` and 32 random bytes in base62. */
export function createApiKey(): ApiKey {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let place = 0; place < digits; place++) {
    text = base62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  const key = `sw_live_${text}`;
  return { text: key, hash: hashApiKey(key), prefix: key.slice(0, prefixLength) };
}

/** Whether a text could be a key at all; what could not is refused without a look-up. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 in hex. A key has 256 random bits, so that a slow hash with a salt would add nothing. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
