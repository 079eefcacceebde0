import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/keywords-field';
const put = (body: unknown) => api.call('PUT', path, { body });
const updatedAt = new Date('2026-06-14T08:00:00Z');

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.scoring.answer({
    setKeywordsField: async ({ kw_field: text }) => ({ kw_field: text, updated_at: updatedAt }),
  });
});

test('the field is kept for this account and app', async () => {
  const { status, body } = await put({ kw_field: 'routine,planner' });
  expect(status).toBe(200);
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

test('an app of Google Play is 400, as scoring says', async () => {
  api.scoring.answer({
    setKeywordsField: async () => {
      throw invalidParams({ kw_field: 'must not be sent for an app of Google Play' });
    },
  });
  expect(await put({ kw_field: 'routine' })).toMatchObject({
    status: 400,
    body: {
      code: 'INVALID_PARAMS',
      error: 'kw_field must not be sent for an app of Google Play',
      details: { issues: { fieldErrors: { kw_field: ['must not be sent for an app of Google Play'] } } },
    },
  });
});

test('an application that the account does not track is 404, and nothing is kept', async () => {
  api.tracking.answer({
    getTrackedListing: async () => {
      throw new AppError('APP_NOT_FOUND', 'This account does not track application 42.');
    },
  });
  expect(await put({ kw_field: 'routine' })).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});

test('keeping, reading and removing the field costs no API request', async () => {
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
  });
  api.scoring.answer({
    setKeywordsField: async ({ kw_field: text }) => ({ kw_field: text, updated_at: updatedAt }),
    getKeywordsField: async () => ({ updated_at: null }),
    deleteKeywordsField: async () => ({ already_removed: false }),
  });
  const usage = async () => (await api.call('GET', '/api/v1/account/usage')).body.data.usage.api_requests;
  const before = await usage();
  const statuses = [
    await put({ kw_field: 'routine' }),
    await api.call('GET', path),
    await api.call('DELETE', path),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await usage()).toBe(before);
});
