import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { digestReply, shownDigest } from './harness/alert-digests.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/digests';
const body = { channel: 3, every: 'week', hour: 7, time_zone: 'Europe/Berlin' };

beforeEach(() => {
  api.notify.answer({
    createAlertDigest: async () => ({ digest: digestReply }),
    updateAlertDigest: async () => ({ digest: digestReply }),
  });
});

const lastRequest = () => api.notify.requests.at(-1)?.request as Record<string, unknown>;

test('a digest is created for all applications', async () => {
  const { status, body: answer } = await api.call('POST', path, { body });
  expect([status, answer]).toEqual([200, { data: shownDigest }]);
  expect(lastRequest()).toMatchObject({
    account_id: api.accountId,
    channel_id: 3,
    every: 'WEEK',
    hour: 7,
    time_zone: 'Europe/Berlin',
  });
  expect(lastRequest().app_id ?? null).toBeNull();
});

test('an application that the account does not track is refused before notify is asked', async () => {
  api.tracking.answer({
    getTrackedListing: async () => {
      throw new AppError('APP_NOT_FOUND', 'no');
    },
  });
  for (const [method, at] of [
    ['POST', path],
    ['PATCH', `${path}/2`],
  ] as const)
    expect(refusalOf(await api.call(method, at, { body: { ...body, app_id: 9 } }))).toBe('404 APP_NOT_FOUND');
  expect(api.notify.requests).toEqual([]);
});

test.each([
  ['every', 'month'],
  ['hour', 24],
  ['hour', 7.5],
  ['time_zone', '+01:00'],
  ['channel', 0],
])('%s: %s is refused', async (field, value) => {
  const refused = await api.call('POST', path, { body: { ...body, [field]: value } });
  expect(refused).toMatchObject({
    status: 400,
    body: { details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } } },
  });
  expect(api.notify.requests).toEqual([]);
});

test('a time zone that notify does not know is shown at its field', async () => {
  api.notify.answer({
    createAlertDigest: async () => {
      throw invalidParams({ time_zone: 'must be the name of a time zone' });
    },
  });
  expect(await api.call('POST', path, { body: { ...body, time_zone: 'Europe/Atlantis' } })).toMatchObject({
    status: 400,
    body: { details: { issues: { fieldErrors: { time_zone: ['must be the name of a time zone'] } } } },
  });
});

test('a change sends only what was sent; null means all applications', async () => {
  await api.call('PATCH', `${path}/2`, { body: { hour: 8 } });
  expect(lastRequest()).toMatchObject({ account_id: api.accountId, id: 2, hour: 8 });
  for (const field of ['channel_id', 'every', 'time_zone', 'app'])
    expect(lastRequest()[field] ?? null).toBeNull();
  await api.call('PATCH', `${path}/2`, { body: { app_id: null, every: 'day' } });
  expect(lastRequest()).toMatchObject({ every: 'DAY', app: expect.any(Object) });
});
