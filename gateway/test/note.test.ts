import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/notes';
const createdAt = new Date('2026-06-15T10:00:00Z');
const shown = { id: 7, date: '2026-01-31', text: 'Ads began', created_at: '2026-06-15T10:00:00.000Z' };

beforeEach(() => {
  api.tracking.answer({
    addNote: async ({ date, text }) => ({ id: 7, date, text, created_at: createdAt }),
    removeNote: async ({ id }) => ({ id, already_removed: false }),
  });
});

const add = (body: object) => api.call('POST', path, { body });

test('a note is written without the white space around its text', async () => {
  const { status, body } = await add({ date: '2026-01-31', text: '  Ads began\n' });
  expect([status, body]).toEqual([200, { data: shown }]);
  expect(api.tracking.requests.at(-1)).toMatchObject({
    method: 'addNote',
    request: { account_id: api.accountId, app_id: 42, date: '2026-01-31', text: 'Ads began' },
  });
});

test('a text has 1 to 500 characters of any plane', async () => {
  expect((await add({ date: '2026-01-31', text: '😀'.repeat(500) })).status).toBe(200);
  for (const text of ['', '  ', '😀'.repeat(501), 'a\u0000', 'a\ud800'])
    expect([text, refusalOf(await add({ date: '2026-01-31', text }))]).toEqual([text, '400 INVALID_PARAMS']);
});

test('a date is a day', async () => {
  for (const date of ['2026-02-30', '31.1.2026', '', undefined])
    expect(refusalOf(await add({ date, text: 'Ads' }))).toBe('400 INVALID_PARAMS');
});

test('a note is removed', async () => {
  const { body } = await api.call('DELETE', `${path}/7`);
  expect(body).toEqual({ data: { id: 7, already_removed: false } });
  expect(api.tracking.requests.at(-1)?.request).toEqual({ account_id: api.accountId, app_id: 42, id: 7 });
});
