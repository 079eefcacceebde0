import { z } from 'zod';
import { secretKeyBytes } from './secret-box.ts';

/**
 * `SECRETS_KEY`: keys of 32 bytes in base64 or hex, separated by commas. The first seals, the others open what they
 * have sealed before. The messages contain no part of it.
 */
export const secretsKeySetting = z.string().transform((text, { issues }) => {
  const keys = text.split(',').map((one) => parseSecretKey(one.trim()));
  const found = keys.filter((key) => key !== null);
  if (found.length === keys.length) return found;
  issues.push({
    code: 'custom',
    message: 'must be 32 bytes in base64 or hex, such as those of: openssl rand -hex 32',
    input: undefined,
  });
  return z.NEVER;
});

/** Null when this is no key of 32 bytes in base64 (also base64url) or hex. */
export function parseSecretKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 characters, and one to fill up.
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === secretKeyBytes ? key : null;
}
