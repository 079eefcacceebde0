import { AppError } from '@shelfwise/runtime/errors';
import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/keywords-field';

test.each([false, true])('the kept field is removed; already removed: %s', async (alreadyRemoved) => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.scoring.answer({ deleteKeywordsField: async () => ({ already_removed: alreadyRemoved }) });
  const { status, body } = await api.call('DELETE', path);
  expect(status).toBe(200);
  expect(body).toEqual({ data: { app_id: 42, already_removed: alreadyRemoved } });
  expect(api.tracking.requests).toMatchObject([{ request: { account_id: api.accountId, id: 42 } }]);
  expect(api.scoring.requests).toMatchObject([
    { method: 'deleteKeywordsField', request: { account_id: api.accountId, app_id: 42 } },
  ]);
});

test('an application that the account does not track is 404, and nothing is removed', async () => {
  api.tracking.answer({
    getTrackedListing: async () => {
      throw new AppError('APP_NOT_FOUND', 'This account does not track application 42.');
    },
  });
  expect(await api.call('DELETE', path)).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});
