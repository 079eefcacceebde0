import { callWithin } from '../../../testing/call-within.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { createHarness, type Tracking, trackApp, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

function asRead({ clock }: Tracking, id: number) {
  return {
    id,
    storefront: us,
    revision: 1,
    read_at: clock.at,
    source: 'sample',
    unlisted_since: null,
    listing: fakeListing('1001'),
  };
}

test('a tracked listing is complete, with its revision, the time of its reading and its source', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const { listing } = await tracking.client.getTrackedListing({ account_id: 'ann', id }, callWithin());
  expect(listing).toEqual(asRead(tracking, id));
});

test('the event of a tracked application carries its listing, also when the listing was known before', async () => {
  const tracking = await startTracking({ hasBus: true });
  const id = await trackApp(tracking, 'ann');
  await trackApp(tracking, 'bob');
  await tracking.client.untrackApplication({ account_id: 'ann', id }, callWithin());
  await trackApp(tracking, 'ann');
  await tracking.stop();
  const listing = asRead(tracking, id);
  const published = messagesOf(tracking.bus.published, 'tracking.application-tracked.v1');
  expect(published.map((message) => message.account_id).sort()).toEqual(['ann', 'ann', 'bob']);
  for (const message of published) expect(message).toMatchObject({ listing });
});

test('a listing is not found when it is removed, untracked or tracked by another account only', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  const removed = await trackApp(tracking, 'ann', '2002');
  await tracking.client.untrackApplication({ account_id: 'ann', id: removed }, callWithin());
  for (const request of [
    { account_id: 'bob', id },
    { account_id: 'ann', id: 999 },
    { account_id: 'ann', id: removed },
  ])
    await expect(tracking.client.getTrackedListing(request, callWithin())).rejects.toMatchObject({
      code: 'APP_NOT_FOUND',
    });
});

test('a missing listing is an error', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  await tracking.connection.collection('listings').deleteMany({});
  await expect(
    tracking.client.getTrackedListing({ account_id: 'ann', id }, callWithin()),
  ).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
  });
});

test.each([
  ['account_id', { account_id: '', id: 1 }],
  ['id', { account_id: 'ann', id: 0 }],
])('a bad %s is refused, naming the field', async (field, bad) => {
  const { client } = await startTracking();
  await expect(client.getTrackedListing(bad, callWithin())).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
  });
});
