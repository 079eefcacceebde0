import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { createHarness, type Tracking, trackApp, trackCompetitor, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness();

async function deleteRows({ server }: Tracking, accountId: string) {
  const name = 'tracking';
  const { client, close } = createGrpcClient({
    service: AccountRowsServiceService,
    name,
    address: server.inProcess,
  });
  try {
    return await client.deleteAccountRows({ account_id: accountId }, callWithin());
  } finally {
    close();
  }
}

/** Deletes until no row is left; the events of a removal must be published before its row is deleted. */
async function deleteAllRows(tracking: Tracking, accountId: string): Promise<void> {
  await until(async () => (await deleteRows(tracking, accountId)).is_complete);
}

async function trackEverything(tracking: Tracking, accountId: string): Promise<number> {
  const id = await trackApp(tracking, accountId);
  await trackKeywords(tracking, accountId, id, ['one two', 'three']);
  await trackCompetitor(tracking, accountId, id, '2002');
  const note = { account_id: accountId, app_id: id, date: '2026-03-10', text: 'Ads began' };
  await tracking.client.addNote(note);
  const target = { app_id: id, storefront: null };
  await tracking.client.createJob({ account_id: accountId, target, texts: ['four'], max_open: 5 });
  return id;
}

const ownersOf = async (tracking: Tracking) => {
  const collections = ['tracked_apps', 'tracked_keywords', 'competitors', 'notes', 'jobs'];
  const rows = await Promise.all(collections.map((name) => tracking.rows(name)));
  const items = await tracking.rows('job_items');
  const owners = rows.flat().map(({ account_id: owner }) => owner);
  return [...new Set([...owners, ...items.map(({ _id: id }) => String(id).split(':')[0])])];
};

test('the rows of an account are deleted; those of others, and what they share, stay', async () => {
  const tracking = await startTracking();
  const id = await trackEverything(tracking, 'ann');
  await trackEverything(tracking, 'bob');
  const shared = async () =>
    [await tracking.rows('snapshots'), await tracking.rows('listings')].flat().length;
  const before = await shared();
  await deleteAllRows(tracking, 'ann');
  expect(await ownersOf(tracking)).toEqual(['bob']);
  expect(await shared()).toBe(before);
  const { keywords } = await tracking.client.listKeywords({
    account_id: 'bob',
    page: 1,
    per_page: 50,
    app_id: id,
    favorites_only: false,
  });
  expect(keywords).toHaveLength(2);
});

test('the other services learn that nothing is tracked any more before the rows are deleted', async () => {
  const tracking = await startTracking();
  const id = await trackEverything(tracking, 'ann');
  tracking.bus.fail = true;
  expect(await deleteRows(tracking, 'ann')).toMatchObject({ is_complete: false });
  expect(await ownersOf(tracking)).toEqual(['ann']);
  tracking.bus.fail = false;
  // The relay pauses after a failure.
  tracking.clock.advance(10_000);
  await deleteAllRows(tracking, 'ann');
  expect(await ownersOf(tracking)).toEqual([]);
  const published = messagesOf(tracking.bus.published, 'tracking.application-untracked.v1');
  expect(published).toMatchObject([{ account_id: 'ann', id }]);
  expect(messagesOf(tracking.bus.published, 'tracking.keyword-untracked.v1')).toHaveLength(2);
});

test('without an event bus the rows are deleted at once', async () => {
  const tracking = await startTracking({ hasBus: false });
  await trackEverything(tracking, 'ann');
  expect(await deleteRows(tracking, 'ann')).toEqual({ deleted: 7, is_complete: true });
  expect(await deleteRows(tracking, 'ann')).toEqual({ deleted: 0, is_complete: true });
});

test('an account id of another length is refused', async () => {
  const tracking = await startTracking();
  expect(await codeOf(deleteRows(tracking, ''))).toBe('INVALID_PARAMS');
});
