import type { Alert } from '@shelfwise/proto/notify/v1/notify';
import { trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/alerts';
const drop: Alert = {
  id: 12,
  kind: 'RANK_DROP',
  at: new Date('2026-06-15T10:00:00Z'),
  rule_id: 1,
  app: { id: 42, app_id: '9005997251', title: 'Habits' },
  keyword_id: 7,
  keyword: 'habit tracker',
  before: 3,
  after: null,
  evidence: {
    day_before: '2026-06-13',
    day_after: '2026-06-15',
    threshold: 5,
    ranks: [{ app_id: '9005997251', before: 3, after: null }],
    other_app: null,
    fields: [],
    chart: null,
    is_confirmed: false,
  },
  text: 'Habits fell.',
};

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.notify.answer({ listAlerts: async () => ({ alerts: [drop], total: 3 }) });
});

test('an alert is shown with its evidence', async () => {
  const { body } = await api.call('GET', path);
  expect(body.data).toEqual([
    {
      id: 12,
      kind: 'rank_drop',
      at: '2026-06-15T10:00:00.000Z',
      rule_id: 1,
      app: { id: 42, app_id: '9005997251', title: 'Habits' },
      keyword_id: 7,
      keyword: 'habit tracker',
      before: 3,
      after: null,
      evidence: {
        days: { before: '2026-06-13', after: '2026-06-15' },
        threshold: 5,
        ranks: [{ app_id: '9005997251', before: 3, after: null }],
        other_app: null,
        fields: [],
        channel: null,
        chart: null,
        is_confirmed: false,
        unread_keywords: null,
        store: null,
      },
      text: 'Habits fell.',
    },
  ]);
  expect(api.notify.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    since: null,
    kind: null,
    app_id: null,
    page: 1,
    per_page: 50,
  });
});

test('a change of a listing names its fields and whose it is', async () => {
  const evidence = {
    ...drop.evidence,
    day_after: '2026-06-15',
    ranks: [],
    other_app: { id: 43, app_id: '9008188700' },
    fields: [{ field: 'title', before: 'Old', after: 'New' }, { field: 'icon' }],
    chart: null,
  };
  const change: Alert = { ...drop, kind: 'LISTING_CHANGED', keyword_id: null, keyword: null, evidence };
  api.notify.answer({ listAlerts: async () => ({ alerts: [change], total: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body.data[0]).toMatchObject({
    kind: 'listing_changed',
    keyword_id: null,
    keyword: null,
    evidence: {
      other_app: { id: 43, app_id: '9008188700', title: null },
      fields: [
        { field: 'title', before: 'Old', after: 'New' },
        { field: 'icon', before: null, after: null },
      ],
    },
  });
});

test('an audit has the ASO Health of both days', async () => {
  const change: Alert = {
    ...drop,
    kind: 'AUDIT_DROP',
    keyword_id: null,
    keyword: null,
    before: 80,
    after: 74,
    evidence: {
      day_before: '2026-06-13',
      day_after: '2026-06-15',
      threshold: 5,
      ranks: [],
      other_app: null,
      fields: [],
      chart: null,
    },
  };
  api.notify.answer({ listAlerts: async () => ({ alerts: [change], total: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body.data[0]).toMatchObject({ kind: 'audit_drop', keyword_id: null, before: 80, after: 74 });
});

test('an alert about a chart says which, and how many places were compared', async () => {
  const chart = { store: 'GPLAY', country: 'US', category: 'TOOLS', collection: 'FREE', depth: 100 } as const;
  const entered: Alert = {
    ...drop,
    kind: 'CHART_ENTERED',
    keyword_id: null,
    keyword: null,
    before: 150,
    after: 34,
    evidence: {
      day_before: '2026-06-13',
      day_after: '2026-06-15',
      threshold: 100,
      ranks: [{ app_id: 'com.example', before: 150, after: 34 }],
      other_app: null,
      fields: [],
      chart,
    },
  };
  api.notify.answer({ listAlerts: async () => ({ alerts: [entered], total: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body.data[0]).toMatchObject({
    kind: 'chart_entered',
    keyword_id: null,
    before: 150,
    after: 34,
    evidence: { chart: { ...chart, collection: 'free' } },
  });
});

test('an alert about a store has no application', async () => {
  const away: Alert = {
    ...drop,
    kind: 'STORE_BLOCKED',
    app: null,
    keyword_id: null,
    keyword: null,
    before: null,
    evidence: {
      day_before: '2026-06-14',
      day_after: '2026-06-15',
      ranks: [],
      other_app: null,
      fields: [],
      chart: null,
      store: 'ITUNES',
    },
  };
  api.notify.answer({ listAlerts: async () => ({ alerts: [away], total: 1 }) });
  const { body } = await api.call('GET', path);
  expect(body.data[0]).toMatchObject({ kind: 'store_blocked', app: null, evidence: { store: 'ITUNES' } });
});

test('a channel that is off was found by no rule', async () => {
  const off: Alert = {
    ...drop,
    kind: 'CHANNEL_OFF',
    rule_id: undefined,
    app: null,
    keyword_id: null,
    keyword: null,
    before: null,
    evidence: {
      day_before: '2026-06-10',
      day_after: '2026-06-15',
      ranks: [],
      other_app: null,
      fields: [],
      chart: null,
      channel_id: 3,
      channel_name: 'Team',
      off_reason: 'NO_SUCCESS',
    },
  };
  api.notify.answer({ listAlerts: async () => ({ alerts: [off], total: 1 }) });
  const { body } = await api.call('GET', `${path}?kind=channel_off`);
  expect(body.data[0]).toMatchObject({
    kind: 'channel_off',
    rule_id: null,
    app: null,
    evidence: { channel: { id: 3, name: 'Team', reason: 'no_success' } },
  });
  expect(api.notify.requests.at(-1)?.request).toMatchObject({ kind: 'CHANNEL_OFF' });
});

test('alerts after an id, of a kind and an application are asked for, in pages', async () => {
  const { body } = await api.call('GET', `${path}?since=0&kind=left_top&app_id=42&page=2&per_page=1`);
  expect(body.meta).toMatchObject({ total: 3, page: 2, total_pages: 3, has_more: true });
  expect(api.notify.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    since: 0,
    kind: 'LEFT_TOP',
    app_id: 42,
    page: 2,
    per_page: 1,
  });
});

test('an application that the account does not track is not found', async () => {
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  expect(refusalOf(await api.call('GET', `${path}?app_id=43`))).toBe('404 APP_NOT_FOUND');
});

test('as CSV, a row is an alert', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const [head, row] = String(body).split('\r\n');
  expect(head).toContain('id,kind,at,rule_id,app.id,app.app_id,app.title,keyword_id,keyword,before,after');
  expect(row).toContain('12,rank_drop,2026-06-15T10:00:00.000Z,1,42,9005997251,Habits,7,habit tracker,3,,');
});
