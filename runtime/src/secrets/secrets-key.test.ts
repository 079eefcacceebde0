import { inspect } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../process/config.ts';
import { parseSecretsKey, secretsKeySetting } from './secrets-key.ts';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
const other = Buffer.alloc(32, 7);

test.each([
  bytes.toString('hex'),
  bytes.toString('hex').toUpperCase(),
  bytes.toString('base64'),
  bytes.toString('base64url'),
])('32 bytes as %s', (text) => {
  expect(parseSecretsKey(text)).toEqual([bytes]);
});

test('several keys are in the order of the setting', () => {
  const { SECRETS_KEY } = readConfig(z.object({ SECRETS_KEY: secretsKeySetting }), {
    SECRETS_KEY: ` ${other.toString('hex')}, ${bytes.toString('base64')} `,
  });
  expect(SECRETS_KEY).toEqual([other, bytes]);
});

test.each([
  ['too short', 'a1b2c3'],
  ['31 bytes', bytes.subarray(1).toString('hex')],
  ['31 bytes in base64', bytes.subarray(1).toString('base64')],
  ['33 bytes in base64', Buffer.concat([bytes, bytes]).subarray(0, 33).toString('base64')],
  ['a password', 'correct horse battery staple, in the number of 43'],
  ['an empty second key', `${bytes.toString('hex')},`],
])('%s is refused, without a word of the value', (_, text) => {
  const read = () => readConfig(z.object({ SECRETS_KEY: secretsKeySetting }), { SECRETS_KEY: text });
  expect(read).toThrow('SECRETS_KEY: must be 32 bytes in base64 or hex');
  try {
    read();
  } catch (error) {
    expect(inspect(error)).not.toContain(text.slice(0, 6));
  }
});
