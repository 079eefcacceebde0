import { autocompleteReply, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const complete = (fields: Record<string, string> = {}) =>
  api.call(
    'GET',
    `/api/v1/autocomplete?${new URLSearchParams({ prefix: 'habit', ...storefront, ...fields })}`,
  );

beforeEach(() => api.storeFetch.answer({ runAutocomplete: async () => autocompleteReply }));

test('a prefix shows the store’s suggestions, in the store’s order', async () => {
  const { body } = await complete();
  expect(body).toEqual({
    data: { suggestions: ['habit tracker', 'habit builder'], normalized_prefix: 'habit', ...storefront },
  });
  expect(api.storeFetch.requests).toMatchObject([
    { method: 'runAutocomplete', request: { account_id: api.accountId, storefront, prefix: 'habit' } },
  ]);
});

test('a prefix may have 1 to 60 characters, in any spelling; the service gets the normal form and the canonical storefront', async () => {
  for (const prefix of ['a', 'a'.repeat(60), '\u{1f600}', '習'])
    expect((await complete({ prefix })).status).toBe(200);
  await complete({ country: 'us', lang: 'EN-us', prefix: ' Habit ' });
  expect(api.storeFetch.requests.at(-1)?.request).toMatchObject({ storefront, prefix: 'habit' });
});

test('a warning of the endpoint and those of unknown parameters are in one list', async () => {
  api.storeFetch.answer({ runAutocomplete: async () => ({ ...autocompleteReply, is_saved: false }) });
  const { body } = await complete({ limit: '5' });
  expect(body.meta).toEqual({ warnings: ['history_save_failed', 'unknown_parameter: limit'] });
});

test('blanks around a prefix do not count', async () => {
  expect((await complete({ prefix: `${' '.repeat(3000)}habit` })).status).toBe(200);
  expect(api.storeFetch.requests.at(-1)?.request).toMatchObject({ prefix: 'habit' });
});

test('invisible characters of a prefix do not count', async () => {
  expect((await complete({ prefix: '\ufeffha\u200bbit\u0007' })).status).toBe(200);
  expect(api.storeFetch.requests.at(-1)?.request).toMatchObject({ prefix: 'habit' });
});

test.each([
  ['prefix=', 'prefix must have 1 to 60 characters'],
  ['prefix=%E2%80%8B', 'prefix must have 1 to 60 characters'],
  ['prefix=%EE%80%80', 'prefix must contain a visible character'],
  ['prefix[]=a', 'prefix must be one plain value, without brackets in its name'],
  ['prefix=a&prefix=b', 'prefix must be given once, as one value'],
  // Bytes that are not UTF-8.
  ['prefix=habit%ff', 'prefix must not contain broken Unicode'],
  ['prefix=%00', 'prefix must have 1 to 60 characters'],
])('a wrong prefix is reported in one sentence: %s', async (query, sentence) => {
  const answer = await api.call('GET', `/api/v1/autocomplete?${query}&${new URLSearchParams(storefront)}`);
  expect(answer).toMatchObject({ status: 400, body: { error: sentence } });
});

test('an empty list of suggestions is an answer, not an error', async () => {
  api.storeFetch.answer({ runAutocomplete: async () => ({ ...autocompleteReply, suggestions: [] }) });
  expect((await complete()).body.data.suggestions).toEqual([]);
});
