import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/keywords-field';
const put = (body: unknown) => api.call('PUT', path, { body });
const get = () => api.call('GET', path);
const remove = () => api.call('DELETE', path);
const updatedAt = new Date('2026-06-14T08:00:00Z');

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.scoring.answer({
    setKeywordsField: async ({ kw_field: text }) => ({ kw_field: text, updated_at: updatedAt }),
  });
});

test('the field is kept for this account and app', async () => {
  const { body } = await put({ kw_field: 'routine,planner' });
  expect(body).toEqual({
    data: { app_id: 42, kw_field: 'routine,planner', updated_at: '2026-06-14T08:00:00.000Z' },
  });
  expect(api.tracking.requests).toMatchObject([{ request: { account_id: api.accountId, id: 42 } }]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'setKeywordsField',
      request: { account_id: api.accountId, app: trackedListing, kw_field: 'routine,planner' },
    },
  ]);
});

test.each(['', 'a'.repeat(100), '😀'.repeat(50), `${'a'.repeat(98)}\r\nb`, '$where', '__proto__'])(
  '%j is accepted and passed on as it is',
  async (text) => {
    expect((await put({ kw_field: text })).status).toBe(200);
    expect(api.scoring.requests[0]?.request).toMatchObject({ kw_field: text });
  },
);

test.each([
  ['a'.repeat(101), 'kw_field must have at most 100 characters, as the App Store counts them (UTF-16 units)'],
  [
    `${'😀'.repeat(50)}a`,
    'kw_field must have at most 100 characters, as the App Store counts them (UTF-16 units)',
  ],
  ['a\0b', 'kw_field must not contain NUL or broken Unicode'],
  ['a\ud83db', 'kw_field must not contain NUL or broken Unicode'],
])('%j is 400, and the message says why', async (text, error) => {
  expect(await put({ kw_field: text })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PARAMS', error },
  });
  expect(api.tracking.requests).toEqual([]);
});

test.each(['routine,planner', ''])(
  'the kept field %j of this account is shown with its time',
  async (text) => {
    api.scoring.answer({ getKeywordsField: async () => ({ kw_field: text, updated_at: updatedAt }) });
    const { body } = await get();
    expect(body).toEqual({ data: { app_id: 42, kw_field: text, updated_at: '2026-06-14T08:00:00.000Z' } });
    expect(api.tracking.requests).toMatchObject([{ request: { account_id: api.accountId, id: 42 } }]);
    expect(api.scoring.requests).toMatchObject([
      { method: 'getKeywordsField', request: { account_id: api.accountId, app_id: 42 } },
    ]);
  },
);

test('a field that was never given is null, not 404', async () => {
  api.scoring.answer({ getKeywordsField: async () => ({ updated_at: null }) });
  const { status, body } = await get();
  expect([status, body]).toEqual([200, { data: { app_id: 42, kw_field: null, updated_at: null } }]);
});

test.each([false, true])('the kept field is removed; already removed: %s', async (alreadyRemoved) => {
  api.scoring.answer({ deleteKeywordsField: async () => ({ already_removed: alreadyRemoved }) });
  const { body } = await remove();
  expect(body).toEqual({ data: { app_id: 42, already_removed: alreadyRemoved } });
  expect(api.tracking.requests).toMatchObject([{ request: { account_id: api.accountId, id: 42 } }]);
  expect(api.scoring.requests).toMatchObject([
    { method: 'deleteKeywordsField', request: { account_id: api.accountId, app_id: 42 } },
  ]);
});

test.each([
  ['PUT', () => put({ kw_field: 'routine' })],
  ['GET', get],
  ['DELETE', remove],
])(
  '%s for an application that the account does not track is 404, and scoring is not asked',
  async (_, send) => {
    api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
    expect(await send()).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
    expect(api.scoring.requests).toEqual([]);
  },
);
