import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications';
const body = { app_id: '281796108', store: 'ITUNES', country: 'US', lang: 'en-US' };
const tracked = { id: 42, app_id: '281796108', title: 'Evernote' };

test('an app is tracked and its internal id is in the answer', async () => {
  api.tracking.answer({ trackApplication: async () => tracked });
  const { body: answer } = await api.call('POST', path, { body });
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
        storefront,
        max_apps: null,
      },
    },
  ]);
});

test.each([
  '281796108',
  'id281796108',
  'ID281796108',
  ' id281796108\n',
  '\u200b281796108\ufeff',
  '\u200eid281\u00ad796108\u00a0',
])('the id %j is 281796108 for the service', async (appId) => {
  api.tracking.answer({ trackApplication: async () => tracked });
  expect((await api.call('POST', path, { body: { ...body, app_id: appId } })).status).toBe(200);
  expect(api.tracking.requests).toMatchObject([{ request: { app_id: '281796108' } }]);
});

test.each(['idea.app', 'id2.app', 'com.example.id281796108', 'id'])(
  'the id %j stays as it is',
  async (appId) => {
    api.tracking.answer({ trackApplication: async () => tracked });
    await api.call('POST', path, { body: { ...body, app_id: appId } });
    expect(api.tracking.requests).toMatchObject([{ request: { app_id: appId } }]);
  },
);

test.each([
  ['https://apps.apple.com/us/app/evernote-notes/id281796108?mt=8', '281796108'],
  ['https://play.google.com/store/apps/details?id=com.x', 'com.x'],
])('for the address %s the 400 names the id in it', async (address, id) => {
  const { status, body: answer } = await api.call('POST', path, { body: { ...body, app_id: address } });
  expect([status, answer.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(answer.error).toBe(
    `app_id must be the id alone, not the address of a page; the id in this address is ${id}`,
  );
  expect(answer.details.issues.fieldErrors).toEqual({ app_id: [expect.stringContaining(id)] });
});

test.each([
  ['GPLAY', 'US', 'en', 'en-US'],
  ['GPLAY', 'us', 'EN-latn-us', 'en-US'],
  ['GPLAY', 'US', 'en-GB', 'en-GB'],
  ['GPLAY', 'GB', 'en', 'en'],
  ['GPLAY', 'US', 'zh-Hant', 'zh-TW'],
  ['ITUNES', 'US', 'en', 'en-US'],
  ['ITUNES', 'TW', 'zh-TW', 'zh-Hant-TW'],
])('in %s %s the service gets %s as %s: one tag per language', async (store, country, lang, canonical) => {
  api.tracking.answer({ trackApplication: async () => tracked });
  expect((await api.call('POST', path, { body: { ...body, store, country, lang } })).status).toBe(200);
  const storefront = { store, country: country.toUpperCase(), lang: canonical };
  expect(api.tracking.requests).toMatchObject([{ request: { storefront } }]);
});

test('every wrong part of a storefront is named, although the language depends on the others', async () => {
  const wrong = { ...body, store: 'GPLAY', country: 'CN', lang: 'english' };
  const { body: answer } = await api.call('POST', path, { body: wrong });
  expect(Object.keys(answer.details.issues.fieldErrors).sort()).toEqual(['country', 'lang']);
  const { body: other } = await api.call('POST', path, { body: { ...wrong, lang: 'zh' } });
  expect(Object.keys(other.details.issues.fieldErrors)).toEqual(['country']);
});

test.each<[ErrorCode, number]>([
  ['APP_NOT_FOUND', 404],
  ['DUPLICATE', 409],
  ['PLAN_LIMIT', 403],
  ['STORE_FETCH_FAILED', 502],
  ['CREATE_APP_FAILED', 500],
])('%s of the service is %s for the client, with the message of the service', async (code, status) => {
  api.tracking.fail('trackApplication', code);
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
