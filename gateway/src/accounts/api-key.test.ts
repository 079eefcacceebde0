import { createApiKey, hashSecret, hasKeyFormat } from './api-key.ts';

test('a key has 43 random characters after its prefix, and no two are equal', () => {
  const keys = Array.from({ length: 200 }, createApiKey);
  for (const { text } of keys) expect(text).toMatch(/^sw_live_[0-9A-Za-z]{43}$/);
  expect(new Set(keys.map(({ text }) => text)).size).toBe(200);
});

test('the stored values are the hash and the first 12 characters', () => {
  const { text, hash, prefix } = createApiKey();
  expect(hash).toBe(hashSecret(text));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(prefix).toBe(text.slice(0, 12));
});

test.each([
  '',
  'sw_live_',
  `sw_live_${'a'.repeat(42)}`,
  `sw_live_${'a'.repeat(44)}`,
  `sw_test_${'a'.repeat(43)}`,
  `sw_live_${'-'.repeat(43)}`,
])('"%s" does not have the format of a key', (text) => {
  expect(hasKeyFormat(text)).toBe(false);
});
