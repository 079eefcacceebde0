import { AppError } from '@shelfwise/runtime/errors';
import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/keywords-field';

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
});

test.each(['routine,planner', ''])(
  'the kept field %j of this account is shown with its time',
  async (text) => {
    const updatedAt = new Date('2026-06-14T08:00:00Z');
    api.scoring.answer({ getKeywordsField: async () => ({ kw_field: text, updated_at: updatedAt }) });
    const { status, body } = await api.call('GET', path);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { app_id: 42, kw_field: text, updated_at: '2026-06-14T08:00:00.000Z' } });
    expect(api.tracking.requests).toMatchObject([{ request: { account_id: api.accountId, id: 42 } }]);
    expect(api.scoring.requests).toMatchObject([
      { method: 'getKeywordsField', request: { account_id: api.accountId, app_id: 42 } },
    ]);
  },
);

test('a field that was never given is null, not 404', async () => {
  api.scoring.answer({ getKeywordsField: async () => ({ updated_at: null }) });
  const { status, body } = await api.call('GET', path);
  expect([status, body]).toEqual([200, { data: { app_id: 42, kw_field: null, updated_at: null } }]);
});

test('an application that the account does not track is 404, and scoring is not asked', async () => {
  api.tracking.answer({
    getTrackedListing: async () => {
      throw new AppError('APP_NOT_FOUND', 'This account does not track application 42.');
    },
  });
  expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});
