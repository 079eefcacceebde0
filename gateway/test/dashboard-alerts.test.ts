import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Alert, AlertRule } from '@shelfwise/proto/notify/v1/notify';
import { createDashboardPages } from '../src/dashboard/pages/dashboard-pages.ts';
import { channelReply } from './harness/alert-channels.ts';
import { digestReply } from './harness/alert-digests.ts';
import { openBrowser } from './harness/browser.ts';
import { pageHead } from './harness/page-head.ts';
import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  dashboard: {
    publicUrl: undefined,
    createPages: createDashboardPages({
      assets: {
        head: pageHead(),
        recall: () => null,
        find: async () => null,
      },
      readStoreState: async () => ({ isSample: true, troubles: [] }),
      listSessions: async () => [],
      listConnections: async () => [],
      canAssistantsConnect: false,
      findDraft: async () => null,
      publicUrl: () => 'https://aso.example.com',
      now: () => new Date('2026-06-15T12:00:00Z'),
    }),
  },
});

const at = new Date('2026-06-15T10:00:00Z');
const app = { id: 42, app_id: '281796108', title: 'Evernote' };
const drop: Alert = {
  id: 12,
  kind: 'RANK_DROP',
  at,
  rule_id: 1,
  app,
  keyword_id: 7,
  keyword: 'notes',
  before: 3,
  after: null,
  evidence: {
    day_before: '2026-06-13',
    day_after: '2026-06-15',
    threshold: 5,
    ranks: [],
    other_app: null,
    fields: [],
    chart: null,
    is_confirmed: false,
  },
  text: 'Evernote fell.',
};
const change: Alert = {
  ...drop,
  id: 11,
  kind: 'LISTING_CHANGED',
  keyword_id: null,
  keyword: null,
  before: null,
  evidence: {
    day_after: '2026-06-14',
    ranks: [],
    other_app: { id: 43, app_id: '5', title: 'A rival' },
    fields: [{ field: 'title', before: 'Old', after: 'New' }],
    chart: null,
  },
};
const away: Alert = {
  ...change,
  id: 10,
  kind: 'STORE_BLOCKED',
  app: null,
  evidence: {
    day_before: '2026-06-12',
    day_after: '2026-06-13',
    ranks: [],
    other_app: null,
    fields: [],
    chart: null,
    store: 'GPLAY',
  },
};
const charted: Alert = {
  ...change,
  id: 9,
  kind: 'CHART_ENTERED',
  before: null,
  after: 34,
  evidence: {
    day_before: '2026-06-12',
    day_after: '2026-06-13',
    ranks: [{ app_id: '281796108', after: 34 }],
    other_app: null,
    fields: [],
    chart: { store: 'ITUNES', country: 'US', category: '6007', collection: 'FREE', depth: 95 },
  },
};
const rule: AlertRule = {
  id: 1,
  kind: 'RANK_DROP',
  threshold: 5,
  keywords: { which: 'ALL', ids: [] },
  is_enabled: true,
  created_at: at,
  channel_ids: [3],
};

beforeEach(() => {
  api.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 2, aso_health: null }],
      total: 1,
    }),
  });
  api.notify.answer({
    listAlerts: async () => ({ alerts: [drop, change, away, charted], total: 120 }),
    listAlertRules: async () => ({
      rules: [
        rule,
        {
          ...rule,
          id: 4,
          kind: 'OVERTAKEN',
          app_id: 42,
          threshold: null,
          keywords: { which: 'SOME', ids: [7, 8] },
          is_enabled: false,
        },
        { ...rule, id: 5, kind: 'STORE_BLOCKED', threshold: null },
      ],
      total: 3,
    }),
    listAlertChannels: async () => ({ channels: [channelReply], total: 1 }),
  });
});

async function open(path: string) {
  const { key } = await api.createKey();
  const browser = openBrowser(api);
  await browser.signInByKey(key);
  const { status, body } = await browser.sendAs({ accept: 'application/json' }, 'GET', path);
  expect(status).toBe(200);
  return (body as Extract<PageData, { page: 'alerts' }>).model;
}

test('alerts are shown newest first, with what is not known as such', async () => {
  const model = await open('/alerts');
  expect(model.alerts).toMatchObject([
    {
      id: '12',
      kind: 'rank_drop',
      day: '2026-06-15',
      dayBefore: '2026-06-13',
      app: { id: '42', storeId: '281796108', title: 'Evernote' },
      keyword: { id: '7', text: 'notes' },
      before: { state: 'known', value: 3 },
      after: { state: 'not_ranked', depth: 100 },
      isReadOnce: true,
    },
    {
      id: '11',
      kind: 'listing_changed',
      dayBefore: null,
      keyword: null,
      other: { title: 'A rival' },
      before: { state: 'not_applicable' },
      after: { state: 'not_applicable' },
      fields: ['title'],
      isReadOnce: false,
    },
    { id: '10', app: null, keyword: null, store: 'GPLAY', before: { state: 'not_applicable' }, chart: null },
    {
      id: '9',
      keyword: null,
      chart: 'Productivity',
      before: { state: 'not_ranked', depth: 95 },
      after: { state: 'known', value: 34 },
    },
  ]);
  expect([model.newer, model.older]).toEqual([null, '/dashboard/alerts?page=2']);
});

test('rules name their app, threshold and keywords', async () => {
  const { rules, kinds } = await open('/alerts');
  expect(rules).toMatchObject([
    { id: '1', kind: 'rank_drop', app: null, threshold: { value: 5 }, which: 'all', isEnabled: true },
    {
      id: '4',
      kind: 'overtaken',
      app: { id: '42', title: 'Evernote' },
      threshold: { state: 'not_applicable' },
      keywords: { value: 2 },
      keywordIds: ['7', '8'],
      which: 'some',
      isEnabled: false,
    },
    // It is about no keyword.
    { id: '5', app: null, keywords: { state: 'not_applicable' }, which: null },
  ]);
  expect(rules?.map(({ channels }) => channels)).toEqual([['3'], ['3'], ['3']]);
  expect(kinds).toContainEqual({
    kind: 'rating_drop',
    threshold: { usual: '0.1', min: '0.01', max: '4', step: '0.01' },
    isAboutAll: false,
    hasKeywords: false,
  });
  // The range of each kind is the one that the service accepts.
  const days = { usual: '2', min: '1', max: '30', step: '1' };
  expect(kinds).toContainEqual({
    kind: 'keyword_unread',
    threshold: days,
    isAboutAll: false,
    hasKeywords: true,
  });
  expect(kinds.filter(({ threshold }) => threshold === null).map(({ kind }) => kind)).toEqual([
    'overtaken',
    'listing_changed',
    'store_blocked',
    'store_recovered',
  ]);
  expect(kinds.filter(({ isAboutAll }) => isAboutAll).map(({ kind }) => kind)).toEqual([
    'store_blocked',
    'store_recovered',
    'quota_used',
  ]);
});

test('channels are shown without their addresses', async () => {
  const { channels, channelTypes, channelTimings } = await open('/alerts');
  expect(channels).toEqual([
    {
      id: '3',
      type: 'webhook',
      name: 'Team',
      host: 'hooks.example.com',
      urlEnd: 'wise',
      timing: 'hourly',
      offReason: null,
      lastSuccessAt: '2026-06-15T10:00:00.000Z',
      failingSince: null,
    },
  ]);
  expect([channelTypes, channelTimings[0]]).toEqual([['webhook', 'slack', 'email'], 'hourly']);
  api.notify.fail('listAlertChannels', 'SERVICE_UNAVAILABLE');
  expect((await open('/alerts')).channels).toBeNull();
});

test('digests are shown with the next time', async () => {
  api.notify.answer({
    listAlertDigests: async () => ({ digests: [{ ...digestReply, app_id: 42 }], total: 1 }),
  });
  expect((await open('/alerts')).digests).toEqual([
    {
      id: '2',
      channel: '3',
      every: 'week',
      hour: { state: 'known', value: 7 },
      timeZone: 'Europe/Berlin',
      app: { id: '42', title: 'Evernote', storeId: '281796108' },
      nextAt: '2026-06-22T05:00:00.000Z',
    },
  ]);
  api.notify.fail('listAlertDigests', 'SERVICE_UNAVAILABLE');
  expect((await open('/alerts')).digests).toBeNull();
});

test('the address names the page of alerts; nonsense is the first one', async () => {
  const model = await open('/alerts?page=2');
  expect([model.newer, model.older]).toEqual(['/dashboard/alerts', '/dashboard/alerts?page=3']);
  expect((await open('/alerts?page=x')).newer).toBeNull();
});

test('without alerts or rules the page says what could not be read, and shows the rest', async () => {
  api.notify.fail('listAlerts', 'SERVICE_UNAVAILABLE');
  const model = await open('/alerts');
  expect(model.alerts).toBeNull();
  expect(model.rules).toHaveLength(3);
});
