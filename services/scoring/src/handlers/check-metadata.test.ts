import { AppError } from '@shelfwise/runtime/errors';
import { checkMetadata } from './check-metadata.ts';

test('a draft is checked for its store', async () => {
  const reply = await checkMetadata({ store: 'GPLAY', draft: { title: 'Free Notes' } });
  expect(reply).toMatchObject({ valid: false, fields: [{ field: 'title', length: 10 }] });
});

test('texts of 20,000 UTF-16 units each are checked', async () => {
  const long = 'a'.repeat(20_000);
  const draft = { title: long, subtitle: long, description: long, kw_field: long };
  expect((await checkMetadata({ store: 'ITUNES', draft })).valid).toBe(false);
});

test.each([
  ['an unknown store', { store: 'UNSPECIFIED' as const, draft: { title: 'a' } }, 'store'],
  ['an unrecognized store', { store: 'UNRECOGNIZED' as const, draft: { title: 'a' } }, 'store'],
  ['no draft', { store: 'ITUNES' as const, draft: null }, 'draft'],
  ['a draft without a text', { store: 'ITUNES' as const, draft: {} }, 'draft'],
  [
    'a text that is too long',
    { store: 'ITUNES' as const, draft: { title: 'a', kw_field: 'a'.repeat(20_001) } },
    'kw_field',
  ],
])('%s is rejected, and the error names the field', async (_name, request, field) => {
  const refusal = await checkMetadata(request).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: expect.any(Array) } } },
  });
});
