import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { createSecretBox, SecretError } from './secret-box.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const context = ['channel', 'account-1', 7] as const;
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD – ü';

test('a sealed text opens in its context, also after a restart', () => {
  const sealed = createSecretBox([first]).seal(secret, context);
  expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
  expect(createSecretBox([Buffer.from(first)]).open(sealed, context)).toBe(secret);
  expect(createSecretBox([first]).open(createSecretBox([first]).seal('', context), context)).toBe('');
});

test('the same text is sealed differently each time', () => {
  const box = createSecretBox([first]);
  expect(new Set(Array.from({ length: 50 }, () => box.seal(secret, context))).size).toBe(50);
});

test.each([
  [['channel', 'account-2', 7]],
  [['channel', 'account-1', 8]],
  [['channel', 'account-1', '7']],
  [['channel', 'account-1,7']],
  [[]],
])('a text of another row does not open in %j', (elsewhere) => {
  const box = createSecretBox([first]);
  const sealed = box.seal(secret, context);
  expect(() => box.open(sealed, elsewhere)).toThrow(
    new SecretError('The secret was changed, or is that of another row.'),
  );
});

test('no changed character opens, and no shortened text', () => {
  const box = createSecretBox([first]);
  const sealed = box.seal(secret, context);
  const start = sealed.split('.').slice(0, 2).join('.').length + 1;
  // The last character of base64url may carry bits that no byte has.
  for (let index = start; index < sealed.length - 1; index++) {
    if (sealed[index] === '.') continue;
    const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
    expect(() => box.open(changed, context)).toThrow(SecretError);
  }
  for (const length of [0, 1, 2, 10, start, start + 17, sealed.length - 4])
    expect(() => box.open(sealed.slice(0, length), context)).toThrow(SecretError);
});

test.each(['', 'whsec_plain', 'v2.a.b.c', 'v1.a.b', 'v1.a.b.c.d'])('%j is no sealed text', (text) => {
  expect(() => createSecretBox([first]).open(text, context)).toThrow(SecretError);
});

test('a key is rotated: the new one seals, the old one still opens, and then goes', () => {
  const before = createSecretBox([first]);
  const during = createSecretBox([second, first]);
  const after = createSecretBox([second]);
  const old = before.seal(secret, context);
  expect(during.open(old, context)).toBe(secret);
  expect(during.isCurrent(old)).toBe(false);
  expect([before, during, after].map(({ hasOldKeys }) => hasOldKeys)).toEqual([false, true, false]);
  const renewed = during.seal(during.open(old, context), context);
  expect(during.isCurrent(renewed)).toBe(true);
  expect(after.open(renewed, context)).toBe(secret);
  expect(() => after.open(old, context)).toThrow('sealed with another key than those of SECRETS_KEY');
});

test('neither a box nor its errors nor a sealed text contain a key or the secret', () => {
  const box = createSecretBox([first, second]);
  const sealed = box.seal(secret, context);
  const shown = [inspect(box, { depth: 9, showHidden: true }), JSON.stringify(box), sealed];
  for (const [text, where] of [
    [sealed, ['elsewhere']],
    [createSecretBox([randomBytes(32)]).seal(secret, context), context],
  ] as const)
    try {
      box.open(text, where);
    } catch (error) {
      shown.push(inspect(error));
    }
  expect(shown).toHaveLength(5);
  const secrets = [first, second].flatMap((key) => [
    key.toString('hex'),
    key.toString('base64').slice(0, 20),
  ]);
  for (const text of shown) for (const part of [...secrets, 'whsec_C2FV']) expect(text).not.toContain(part);
});

test('a key of another length is refused, and no key, too', () => {
  expect(() => createSecretBox([Buffer.alloc(16)])).toThrow('a key has 32 bytes');
  expect(() => createSecretBox([])).toThrow('a secret box needs a key');
});
