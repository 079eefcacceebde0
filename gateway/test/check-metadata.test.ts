import type { CheckedField, CheckMetadataReply } from '@shelfwise/proto/scoring/v1/scoring';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/metadata/check';

const checkedTitle: CheckedField = {
  field: 'title',
  store_field: 'App name',
  indexed: true,
  length: 34,
  limit: 30,
  remaining: -4,
  over: true,
  warnings: [
    { level: 'error', message: 'The App name has 34 characters, 4 more than the 30 that Google Play takes.' },
    {
      level: 'error',
      message: 'Google Play refuses words about price or promotions in the App name: "free".',
      rule: 'price',
    },
  ],
};
const refused: CheckMetadataReply = { valid: false, fields: [checkedTitle], notes: [], keywords: null };
const nothing: CheckMetadataReply = { valid: true, fields: [], notes: [], keywords: null };

test('a draft is answered field by field, with rule null for a limit and no keywords on Google Play', async () => {
  api.scoring.answer({ checkMetadata: async () => refused });
  const title = 'Free photo editor for every moment';
  const { body } = await api.call('POST', path, { body: { store: 'GPLAY', title } });
  const [limit, price] = checkedTitle.warnings;
  expect(body).toEqual({
    data: {
      store: 'GPLAY',
      valid: false,
      fields: [{ ...checkedTitle, warnings: [{ ...limit, rule: null }, price] }],
      notes: [],
    },
  });
});

test('the service receives exactly the texts that were sent', async () => {
  api.scoring.answer({ checkMetadata: async () => nothing });
  const texts = { title: '', description: ' Line\r\nbreaks 🎧 ' };
  await api.call('POST', path, { body: { store: 'ITUNES', ...texts } });
  expect(api.scoring.requests.map(({ method, request }) => [method, request])).toEqual([
    [
      'checkMetadata',
      {
        store: 'ITUNES',
        draft: { title: '', description: ' Line\r\nbreaks 🎧 ', subtitle: null, kw_field: null },
      },
    ],
  ]);
});

test('keywords are in the answer when the service has checked an App Store field', async () => {
  const keywords = {
    terms: ['photo', 'photo', 'x', 'photo editor'],
    duplicates: ['photo'],
    too_short: ['x'],
    phrases: ['photo editor'],
    wasted_on_spaces: 2,
    wasted_on_duplicates: 12,
  };
  api.scoring.answer({ checkMetadata: async () => ({ ...nothing, keywords }) });
  const { body } = await api.call('POST', path, { body: { store: 'ITUNES', kw_field: 'photo, photo' } });
  expect(body.data).toEqual({ store: 'ITUNES', valid: true, fields: [], notes: [], keywords });
});

test('notes say what was wrong with the request', async () => {
  const notes = ['kw_field was ignored: Google Play has no keywords field.'];
  api.scoring.answer({ checkMetadata: async () => ({ ...nothing, notes }) });
  const { body } = await api.call('POST', path, { body: { store: 'GPLAY', kw_field: 'photo' } });
  expect(body.data).toEqual({ store: 'GPLAY', valid: true, fields: [], notes });
});

test('a draft without a text is refused without a call of a service, even with other mistakes', async () => {
  const { status, body } = await api.call('POST', path, { body: { store: 'x' } });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'INVALID_PARAMS',
    details: {
      issues: {
        formErrors: ['The body must have at least one of title, subtitle, description and kw_field'],
        fieldErrors: { store: [expect.any(String)] },
      },
    },
  });
  expect(api.scoring.requests).toEqual([]);
});

test.each([
  ['a text over 20,000 units', { store: 'ITUNES', title: 'a'.repeat(20_001) }, ['title']],
  ['an unknown key', { store: 'ITUNES', title: 'a', keywords: 'b' }, ['keywords']],
  ['null for a text', { store: 'ITUNES', title: null }, ['title']],
])('%s is refused, and the answer names the field', async (_name, body, fields) => {
  const answer = await api.call('POST', path, { body });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.details.issues.fieldErrors)).toEqual(fields);
});

test('a reply with an unknown value is 500, never passed on', async () => {
  const warnings = [{ level: 'fatal', message: 'x' }];
  api.scoring.answer({
    checkMetadata: async () => ({ ...nothing, fields: [{ ...checkedTitle, warnings }] }),
  });
  const { status, body } = await api.call('POST', path, { body: { store: 'GPLAY', title: 'Notes' } });
  expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
});
