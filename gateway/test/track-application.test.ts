import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';
const body = { app_id: '281796108', store: 'ITUNES', country: 'US', lang: 'en-US' };
const tracked = { id: 42, app_id: '281796108', title: 'Evernote' };

test('an app is tracked and its internal id is in the answer', async () => {
  api.tracking.answer({ trackApplication: async () => tracked });
  const { status, body: answer } = await api.call('POST', path, { body });
  expect(status).toBe(200);
  expect(answer).toEqual({ data: { id: 42, app: { id: '281796108', title: 'Evernote' } } });
});

test('country and language may be in any letter case; the service gets the canonical spelling', async () => {
  api.tracking.answer({ trackApplication: async () => tracked });
  await api.call('POST', path, { body: { ...body, country: 'us', lang: 'EN-us', app_id: ' 281796108 ' } });
  expect(api.tracking.requests).toMatchObject([
    {
      method: 'trackApplication',
      request: {
        account_id: api.accountId,
        app_id: '281796108',
        storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
        max_apps: null,
      },
    },
  ]);
});

test.each<[ErrorCode, number]>([
  ['APP_NOT_FOUND', 404],
  ['DUPLICATE', 409],
  ['PLAN_LIMIT', 403],
  ['STORE_FETCH_FAILED', 502],
  ['CREATE_APP_FAILED', 500],
])('%s of the service is %s for the client, with the message of the service', async (code, status) => {
  api.tracking.answer({
    trackApplication: async () => {
      throw new AppError(code, 'This is why.');
    },
  });
  const answer = await api.call('POST', path, { body });
  expect(answer).toMatchObject({ status, body: { error: 'This is why.', code } });
});

test('a refusal of the service is passed on with its fields', async () => {
  api.tracking.answer({
    trackApplication: async () => {
      throw new AppError('INVALID_PARAMS', 'app_id is not one', {
        details: { issues: { formErrors: [], fieldErrors: { app_id: ['is not one'] } }, notes: ['a note'] },
      });
    },
  });
  const { status, body: answer } = await api.call('POST', path, { body });
  expect(status).toBe(400);
  expect(answer.details).toEqual({
    issues: { formErrors: [], fieldErrors: { app_id: ['is not one'] } },
    notes: ['a note'],
  });
});

test('an unexpected failure of the service is 500 and reveals no internals', async () => {
  api.tracking.answer({
    trackApplication: async () => {
      throw new Error('secret detail');
    },
  });
  const answer = await api.call('POST', path, { body });
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
  expect(JSON.stringify(answer.body)).not.toContain('secret');
});
