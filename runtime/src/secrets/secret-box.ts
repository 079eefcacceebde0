import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Whose secret it is, such as `['channel', accountId, channelId]`: a text moved to another row does not open there. */
export type SecretContext = readonly (string | number)[];

/** A text cannot be opened. The message contains nothing of the text and of the keys. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

export type SecretBox = {
  /** `v1.<key id>.<nonce>.<encrypted text with its tag>`, the last three in base64url */
  seal(text: string, context: SecretContext): string;
  /** @throws SecretError when the text was changed, belongs elsewhere, or needs a key that is not there */
  open(sealed: string, context: SecretContext): string;
  /** Whether the text is sealed with the first key: otherwise seal it again, so that the old key can go. */
  isCurrent(sealed: string): boolean;
  /** Whether there are keys after the first: only then can a text be sealed again. */
  readonly hasOldKeys: boolean;
};

const version = 'v1';
const algorithm = 'aes-256-gcm';
/** NIST SP 800-38D: random nonces of 12 bytes are good for 2^32 texts of a key. */
const nonceBytes = 12;
const tagBytes = 16;

export const secretKeyBytes = 32;

/**
 * Encrypts short texts with AES-256-GCM. The first key seals; each opens what it has sealed, so a key is rotated by
 * putting a new one before it.
 * @param keys of `secretKeyBytes`, at least one
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const [current, ...older] = keys.map(prepareKey);
  if (!current) throw new Error('a secret box needs a key');
  const known = [current, ...older];

  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, current.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(encode(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, current.id, nonce.toString('base64url'), encrypted.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [form, id, nonce = '', encrypted = '', ...rest] = sealed.split('.');
      if (form !== version || rest.length > 0) throw new SecretError('This is no sealed secret.');
      const found = known.find((key) => key.id === id);
      if (!found) throw new SecretError('The secret was sealed with another key than those of SECRETS_KEY.');
      try {
        const bytes = Buffer.from(encrypted, 'base64url');
        const decipher = createDecipheriv(algorithm, found.key, Buffer.from(nonce, 'base64url'), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(encode(context));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new SecretError('The secret was changed, or is that of another row.');
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${version}.${current.id}.`),
    hasOldKeys: older.length > 0,
  };
}

/** A `KeyObject` is printed and serialized without its bytes. The id says nothing of the key, and is the same everywhere. */
function prepareKey(bytes: Buffer): { id: string; key: KeyObject } {
  if (bytes.length !== secretKeyBytes) throw new Error(`a key has ${secretKeyBytes} bytes`);
  const id = Buffer.from(hkdfSync('sha256', bytes, '', 'id of a key of secrets', 6)).toString('base64url');
  return { id, key: createSecretKey(bytes) };
}

/** Two contexts never have the same encoding. */
function encode(context: SecretContext): Buffer {
  return Buffer.from(JSON.stringify(context));
}
