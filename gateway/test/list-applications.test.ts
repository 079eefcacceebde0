import type { Application, AsoHealth } from '@shelfwise/proto/tracking/v1/tracking';
import { listing, shownApp, shownListing, trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

const evernote: Application = { listing: trackedListing, keyword_count: 3, aso_health: null };

const scores = { global: 62, coverage: 71, targeting: 55, appeal: 0, tier: 2 };
const current = { computed_at: new Date('2026-06-15T03:00:00Z'), pending_at: null, is_partial: false };

test('an account sees its applications and their number', async () => {
  api.tracking.answer({ listApplications: async () => ({ applications: [evernote], total: 1 }) });
  const { body } = await api.call('GET', '/api/v1/applications');
  const shown = { ...shownApp, ...shownListing, keyword_count: 3, aso_health: null };
  expect(body).toEqual({ data: [shown], meta: { total: 1, warnings: ['audit_pending'] } });
  expect(api.tracking.requests).toMatchObject([
    { method: 'listApplications', request: { account_id: api.accountId, app_id: null } },
  ]);
});

test('an audited application shows its scores, the name of its tier, and their time', async () => {
  const asoHealth = { ...scores, ...current };
  api.tracking.answer({
    listApplications: async () => ({ applications: [{ ...evernote, aso_health: asoHealth }], total: 1 }),
  });
  const { body } = await api.call('GET', '/api/v1/applications');
  expect(body.meta).toEqual({ total: 1 });
  expect(body.data[0].aso_health).toEqual({
    ...scores,
    tier_label: 'Growing',
    computed_at: '2026-06-15T03:00:00.000Z',
  });
});

test('scores of an earlier listing are pending, and partial traffic is said, too', async () => {
  const meta = async (audit: Partial<AsoHealth>) => {
    const asoHealth = { ...scores, ...current, ...audit };
    api.tracking.answer({
      listApplications: async () => ({ applications: [{ ...evernote, aso_health: asoHealth }], total: 1 }),
    });
    return (await api.call('GET', '/api/v1/applications')).body.meta;
  };
  const pendingAt = new Date('2026-06-15T04:00:00Z');
  expect(await meta({ pending_at: pendingAt })).toEqual({ total: 1, warnings: ['audit_pending'] });
  expect(await meta({ is_partial: true })).toEqual({ total: 1, warnings: ['audit_partial'] });
});

test('a value that the store does not show is null, never absent', async () => {
  const bare = {
    ...evernote,
    listing: { ...trackedListing, listing: { ...listing, version: null, score: null, ratings: null } },
  };
  api.tracking.answer({ listApplications: async () => ({ applications: [bare], total: 1 }) });
  const { body } = await api.call('GET', '/api/v1/applications');
  expect(body.data[0]).toMatchObject({ version: null, score: null, ratings: null, aso_health: null });
});

test.each(['1.5', '1e3', '-1', '0', 'abc'])(
  'the filter app_id=%s is refused with the allowed values',
  async (id) => {
    const { status, body } = await api.call('GET', `/api/v1/applications?app_id=${id}`);
    expect([status, body.error]).toEqual([400, 'app_id must be a whole number from 1']);
  },
);

test('a listing that was read more than 36 hours ago is stale, and meta has the time of the oldest', async () => {
  const readAt = (hours: number) => new Date(api.clock.now().getTime() - hours * 3_600_000);
  const aged = (at: Date) => ({ ...evernote, listing: { ...trackedListing, read_at: at } });
  const [fresh, stale, staler] = [readAt(35), readAt(40), readAt(50)];
  api.tracking.answer({
    listApplications: async () => ({ applications: [fresh, stale, staler].map(aged), total: 3 }),
  });
  expect((await api.call('GET', '/api/v1/applications')).body.meta).toEqual({
    total: 3,
    warnings: ['stale_store_data', 'audit_pending'],
    stale_since: staler.toISOString(),
  });
});

test('a list that omits older rows says so', async () => {
  api.tracking.answer({ listApplications: async () => ({ applications: [evernote], total: 1001 }) });
  const { body } = await api.call('GET', '/api/v1/applications');
  expect(body.meta).toMatchObject({ total: 1001, has_more: true });
});

test('an account without applications has an empty list', async () => {
  api.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) });
  expect((await api.call('GET', '/api/v1/applications')).body).toEqual({ data: [], meta: { total: 0 } });
});
