import { codeOf } from '../../../testing/call-within.ts';
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
  const { listing } = await tracking.client.getTrackedListing({ account_id: 'ann', id });
  expect(listing).toEqual(asRead(tracking, id));
});

test('the event of a tracked application carries its listing, also when the listing was known before', async () => {
  const tracking = await startTracking({ hasBus: true });
  const id = await trackApp(tracking, 'ann');
  await trackApp(tracking, 'bob');
  await tracking.client.untrackApplication({ account_id: 'ann', id });
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
  await tracking.client.untrackApplication({ account_id: 'ann', id: removed });
  for (const request of [
    { account_id: 'bob', id },
    { account_id: 'ann', id: 999 },
    { account_id: 'ann', id: removed },
  ])
    expect(await codeOf(tracking.client.getTrackedListing(request))).toBe('APP_NOT_FOUND');
});

test('a missing listing is an error', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  await tracking.connection.collection('listings').deleteMany({});
  expect(await codeOf(tracking.client.getTrackedListing({ account_id: 'ann', id }))).toBe('INTERNAL_ERROR');
});
