import { z } from 'zod';
import { secretKeyBytes } from './secret-box.ts';

/**
 * `SECRETS_KEY`: keys of 32 bytes in base64 or hex, separated by commas. The first seals, the others open what they
 * have sealed before. The message contains no part of it.
 */
export const secretsKeySetting = z
  .string()
  .refine(
    (text) => parseSecretsKey(text) !== null,
    'must be 32 bytes in base64 or hex, such as those of: openssl rand -hex 32',
  )
  .transform((text) => parseSecretsKey(text) ?? []);

/** Null when one of the keys is not of 32 bytes in base64 (also base64url) or hex. */
export function parseSecretsKey(text: string): Buffer[] | null {
  const keys = text.split(',').map((key) => parseKey(key.trim()));
  return keys.every((key) => key !== null) ? keys : null;
}

function parseKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 characters; a 44th fills up.
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === secretKeyBytes ? key : null;
}
