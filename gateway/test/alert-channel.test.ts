import { invalidParams } from '@shelfwise/runtime/errors';
import { channelReply, deliveryReply, shownChannel, shownDelivery } from './harness/alert-channels.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/channels';
const body = { type: 'webhook', name: ' Team ', url: 'https://hooks.example.com/shelfwise' };

beforeEach(() => {
  api.notify.answer({
    createAlertChannel: async () => ({ channel: channelReply, secret: 'whsec_x' }),
    updateAlertChannel: async () => ({ channel: { ...channelReply, off_reason: 'GONE' } }),
    deleteAlertChannel: async ({ id }) => ({ id, already_removed: false }),
    testAlertChannel: async () => ({
      delivery: {
        ...deliveryReply,
        state: 'FAILED',
        is_test: true,
        alert_ids: [],
        app_id: null,
        status: null,
      },
    }),
  });
});

const lastRequest = () => api.notify.requests.at(-1)?.request;

test('a channel is hourly unless it says otherwise, and its secret is shown once', async () => {
  const { status, body: answer } = await api.call('POST', path, { body });
  expect([status, answer]).toEqual([200, { data: { ...shownChannel, secret: 'whsec_x' } }]);
  expect(lastRequest()).toEqual({
    account_id: api.accountId,
    type: 'WEBHOOK',
    name: 'Team',
    url: body.url,
    timing: 'HOURLY',
  });
  await api.call('POST', path, { body: { ...body, type: 'slack', timing: 'instant' } });
  expect(lastRequest()).toMatchObject({ type: 'SLACK', timing: 'INSTANT' });
  await api.call('POST', path, { body: { ...body, type: 'email', url: 'mailto:ann@example.com' } });
  expect(lastRequest()).toMatchObject({ type: 'EMAIL', url: 'mailto:ann@example.com' });
});

test.each([
  ['type', 'pager'],
  ['name', ' '],
  ['url', 'ftp://hooks.example.com'],
  ['url', 'hooks.example.com'],
  ['timing', 'daily'],
])('%s: %s is refused', async (field, value) => {
  const refused = await api.call('POST', path, { body: { ...body, [field]: value } });
  expect(refused).toMatchObject({
    status: 400,
    body: { details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } } },
  });
  expect(api.notify.requests).toEqual([]);
});

test('what notify refuses of an address is shown at its field', async () => {
  api.notify.answer({
    createAlertChannel: async () => {
      throw invalidParams({ url: 'leads to a private address' });
    },
  });
  expect(await api.call('POST', path, { body })).toMatchObject({
    status: 400,
    body: { details: { issues: { fieldErrors: { url: ['leads to a private address'] } } } },
  });
});

test('a change sends only what was sent', async () => {
  const { body: answer } = await api.call('PATCH', `${path}/3`, { body: { is_enabled: true } });
  expect(answer).toEqual({ data: { ...shownChannel, is_enabled: false, off_reason: 'gone', secret: null } });
  expect(lastRequest()).toMatchObject({
    account_id: api.accountId,
    id: 3,
    is_enabled: true,
    rotates_secret: false,
  });
  const sent = lastRequest() as Record<string, unknown>;
  for (const field of ['name', 'url', 'timing']) expect(sent[field] ?? null).toBeNull();
  await api.call('PATCH', `${path}/3`, { body: { rotate_secret: true, timing: 'instant' } });
  expect(lastRequest()).toMatchObject({ rotates_secret: true, timing: 'INSTANT' });
});

test('a channel is deleted', async () => {
  expect((await api.call('DELETE', `${path}/3`)).body).toEqual({ data: { id: 3, already_removed: false } });
  expect(lastRequest()).toEqual({ account_id: api.accountId, id: 3 });
});

test('a test whose receiver does not answer is an answer', async () => {
  const { status, body: answer } = await api.call('POST', `${path}/3/test`);
  expect([status, answer]).toEqual([
    200,
    { data: { ...shownDelivery, state: 'failed', is_test: true, alert_ids: [], app_id: null, status: null } },
  ]);
  expect(refusalOf(await api.call('POST', `${path}/none/test`))).toBe('400 INVALID_PARAMS');
});
