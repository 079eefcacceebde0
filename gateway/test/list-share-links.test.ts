import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/share-links';
const dayMs = 86_400_000;

beforeEach(() => api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) }));

test('the links of this app are listed, newest first, until their day, without their addresses', async () => {
  const { key } = await api.createKey();
  for (const [label, days] of [
    ['Week', 7],
    ['Month', 30],
  ])
    await api.call('POST', path, { key, body: { label, days } });
  await api.call('POST', path.replace('42', '43'), { key, body: { label: 'Another app', days: 1 } });
  const { body } = await api.call('GET', path, { key });
  expect(body.data).toMatchObject([{ label: 'Month' }, { label: 'Week' }]);
  expect(Object.keys(body.data[0]).sort()).toEqual(['created_at', 'expires_at', 'id', 'label']);
  expect(Date.parse(body.data[1].expires_at) - Date.parse(body.data[1].created_at)).toBe(7 * dayMs);
  expect(body.meta).toEqual({ total: 2 });

  api.clock.setBy(7 * dayMs);
  expect((await api.call('GET', path, { key })).body.data).toMatchObject([{ label: 'Month' }]);
});

test('the list is also CSV', async () => {
  const { key } = await api.createKey();
  await api.call('POST', path, { key, body: { label: 'For, "us"', days: 1 } });
  const { body } = await api.call('GET', path, { key, headers: { accept: 'text/csv' } });
  expect(body).toMatch(/^id,label,created_at,expires_at\r\n\d+,"For, ""us""",2026-/);
});

test('another account sees none, and an app that is not tracked is 404', async () => {
  const { key } = await api.createKey();
  await api.call('POST', path, { key, body: { label: 'Mine', days: 1 } });
  expect((await api.call('GET', path)).body.data).toEqual([]);
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  expect(await api.call('GET', path, { key })).toMatchObject({
    status: 404,
    body: { code: 'APP_NOT_FOUND' },
  });
});
