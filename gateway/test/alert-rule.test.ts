import type { AlertRule } from '@shelfwise/proto/notify/v1/notify';
import { AppError } from '@shelfwise/runtime/errors';
import { trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts/rules';
const rule: AlertRule = {
  id: 4,
  kind: 'RANK_DROP',
  app_id: null,
  threshold: 5,
  keywords: { which: 'ALL', ids: [] },
  is_enabled: true,
  created_at: new Date('2026-06-15T10:00:00Z'),
  channel_ids: [],
};
const shown = {
  id: 4,
  app_id: null,
  kind: 'rank_drop',
  threshold: 5,
  keywords: 'all',
  channels: [],
  is_enabled: true,
  created_at: '2026-06-15T10:00:00.000Z',
};

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.notify.answer({
    createAlertRule: async () => ({ rule }),
    updateAlertRule: async () => ({ rule: { ...rule, keywords: { which: 'SOME', ids: [7, 8] } } }),
  });
});

const create = (body: object) => api.call('POST', path, { body });

test('a rule has the defaults of its kind, and of all keywords and applications', async () => {
  const { status, body } = await create({ kind: 'rank_drop' });
  expect([status, body]).toEqual([200, { data: shown }]);
  expect(api.notify.requests.at(-1)).toMatchObject({
    method: 'createAlertRule',
    request: {
      account_id: api.accountId,
      kind: 'RANK_DROP',
      keywords: { which: 'ALL', ids: [] },
      is_enabled: true,
    },
  });
  expect(api.tracking.requests.filter(({ method }) => method === 'getTrackedListing')).toEqual([]);
});

test('a rule names an application that the account tracks, and keywords', async () => {
  await create({
    kind: 'left_top',
    app_id: 42,
    threshold: 3,
    keywords: [7, 8],
    channels: [],
    is_enabled: false,
  });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({
    kind: 'LEFT_TOP',
    app_id: 42,
    threshold: 3,
    keywords: { which: 'SOME', ids: [7, 8] },
    is_enabled: false,
  });
  api.tracking.answer({
    getTrackedListing: async () => {
      throw new AppError('APP_NOT_FOUND', 'This account does not track an application with that id.');
    },
  });
  const asked = api.notify.requests.length;
  expect(refusalOf(await create({ kind: 'left_top', app_id: 43 }))).toBe('404 APP_NOT_FOUND');
  expect(api.notify.requests).toHaveLength(asked);
});

test('a rule names channels; a change without them keeps them', async () => {
  api.notify.answer({ createAlertRule: async () => ({ rule: { ...rule, channel_ids: [3, 4] } }) });
  const { body } = await create({ kind: 'rank_drop', channels: [3, 4] });
  expect(body).toEqual({ data: { ...shown, channels: [3, 4] } });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({ channel_ids: [3, 4] });
  await api.call('PATCH', `${path}/4`, { body: { threshold: 8 } });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({ channels: null });
  await api.call('PATCH', `${path}/4`, { body: { channels: [] } });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({ channels: { ids: [] } });
});

test('a value of keywords that is none names the three that are', async () => {
  const { status, body } = await create({ kind: 'rank_drop', keywords: ['habit tracker'] });
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringContaining('must be all, favorites, or a list of 1 to 200 keyword ids'),
  ]);
});

test('a change sends only what was sent; an application of null means all', async () => {
  const { body } = await api.call('PATCH', `${path}/4`, { body: { keywords: [7, 8] } });
  expect(body).toEqual({ data: { ...shown, keywords: [7, 8] } });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({
    account_id: api.accountId,
    id: 4,
    keywords: { which: 'SOME', ids: [7, 8] },
    app: null,
  });
  await api.call('PATCH', `${path}/4`, { body: { app_id: null, threshold: 8, is_enabled: false } });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({
    threshold: 8,
    is_enabled: false,
    keywords: null,
    app: {},
  });
});
