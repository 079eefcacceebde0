import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { callWithin, codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { until } from '../../../testing/until.ts';
import {
  createHarness,
  listAll,
  type Tracking,
  trackApp,
  trackCompetitor,
  trackKeywords,
  us,
} from './start-tracking.ts';
import { untrackHeld } from './untrack-held.ts';

const { startTracking } = createHarness({ hasBus: false });

/** The only copy of the service, which remembers that ann tracks an app with a keyword. */
async function start({ hasBus = false } = {}) {
  const tracking = await startTracking({ isOnlyCopy: true, hasBus });
  const appId = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  tracking.clock.advance(1000);
  const list = () => tracking.client.listKeywords({ ...listAll, app_id: appId });
  const add = (keyword: string) =>
    tracking.client.trackKeywords({
      account_id: 'ann',
      app_id: appId,
      storefront: us,
      keywords: [keyword],
    });
  const remove = () => tracking.client.untrackApplication({ account_id: 'ann', id: appId });
  return { ...tracking, tracking, appId, list, add, remove };
}

/** Scoring has audited the listing. */
const audit = ({ bus, clock }: Tracking, id: number, global: number) =>
  bus.deliver('scoring.listing-audited.v1', String(id), {
    id,
    global,
    coverage: 1,
    targeting: 2,
    appeal: 3,
    tier: 1,
    scoring_version: 2,
    computed_at: clock.at,
    pending_at: null,
    is_partial: false,
  });

const activeRows = async (tracking: Tracking) =>
  (await tracking.rows('tracked_keywords')).filter(({ active }) => active);

test('a keyword whose page of today is known is tracked, and listed, without a look at the application', async () => {
  const { tracking, client, connection, appId, list, add } = await start();
  const other = await trackApp(tracking, 'bob');
  await trackKeywords(tracking, 'bob', other, ['lens']);
  await list();
  const commands = recordCommands(connection);
  await add('lens');
  expect(commands.splice(0)).toEqual([
    ...['find keyword_markets', 'find tracked_keywords'],
    ...['update keyword_markets', 'insert tracked_keywords'],
  ]);
  expect((await list()).total).toBe(2);
  expect(commands.splice(0).filter((command) => / (tracked_apps|listings)$/.test(command))).toEqual([]);
  for (const expected of [['find listings'], []]) {
    await client.getTrackedListing({ account_id: 'ann', id: appId });
    expect(commands.splice(0)).toEqual(expected);
  }
});

test('an application that is removed is not remembered, and is found again when it is tracked again', async () => {
  const { tracking, appId, list, add, remove } = await start();
  await list();
  await remove();
  expect(await codeOf(list())).toBe('APP_NOT_FOUND');
  expect(await codeOf(add('lens'))).toBe('APP_NOT_FOUND');
  expect((await tracking.client.listKeywords(listAll)).total).toBe(0);
  tracking.clock.advance(1000);
  expect(await trackApp(tracking, 'ann')).toBe(appId);
  expect((await list()).total).toBe(0);
  await add('lens');
  expect((await tracking.client.listKeywords(listAll)).total).toBe(1);
});

test('an application that is removed while a page is read gets no keyword', async () => {
  const { tracking, store, add, remove } = await start();
  const open = store.holdSearches();
  const adding = add('lens');
  await until(() => store.searches.includes('lens'));
  await remove();
  open();
  expect(await codeOf(adding)).toBe('APP_NOT_FOUND');
  expect(await activeRows(tracking)).toEqual([]);
});

test('calls at the same time never leave a keyword on a removed application', async () => {
  const { tracking, list, add, remove } = await start();
  for (let round = 0; round < 8; round++) {
    await Promise.allSettled([add(`round ${round}`), list(), remove(), add(`again ${round % 3}`), list()]);
    expect(await activeRows(tracking)).toEqual([]);
    expect(await codeOf(list())).toBe('APP_NOT_FOUND');
    tracking.clock.advance(1000);
    await trackApp(tracking, 'ann');
    await add('camera');
    expect((await list()).total).toBe(1);
  }
});

test('what an account tracks is counted again after each change, and only then', async () => {
  const { tracking, client, connection, appId, add, remove } = await start();
  const commands = recordCommands(connection);
  const count = async () => {
    const { apps, keywords, competitors } = await client.getTotals({ account_id: 'ann' });
    return [apps, keywords, competitors];
  };
  expect(await count()).toEqual([1, 1, 0]);
  await trackApp(tracking, 'ann', '2002');
  await add('lens');
  expect(await count()).toEqual([2, 2, 0]);
  const { id } = await trackCompetitor(tracking, 'ann', appId, '3003');
  await trackCompetitor(tracking, 'ann', appId, '4004');
  expect(await count()).toEqual([2, 2, 2]);
  commands.length = 0;
  expect(await count()).toEqual([2, 2, 2]);
  expect(commands).toEqual(['aggregate tracked_keywords']);
  await client.untrackCompetitor({ account_id: 'ann', id });
  expect(await count()).toEqual([2, 2, 1]);
  await remove();
  expect(await count()).toEqual([1, 0, 0]);
});

test('while the removal of an application is pending, its keywords and competitors are in no list and no count', async () => {
  const { tracking, client, appId, list, add } = await start();
  await add('lens');
  await trackApp(tracking, 'ann', '2002');
  await trackCompetitor(tracking, 'ann', appId, '3003');
  const shown = async () => {
    const { apps, keywords, competitors } = await client.getTotals({ account_id: 'ann' });
    const lists = [await client.listKeywords(listAll), await client.listCompetitors({ account_id: 'ann' })];
    return [apps, keywords, competitors, ...lists.map(({ total }) => total)];
  };
  expect(await shown()).toEqual([2, 2, 1, 2, 1]);
  const { release } = await untrackHeld(tracking, appId);
  expect(await activeRows(tracking)).toHaveLength(2);
  expect(await shown()).toEqual([1, 0, 0, 0, 0]);
  expect(await codeOf(list())).toBe('APP_NOT_FOUND');
  release();
  expect(await trackApp(tracking, 'ann')).toBe(appId);
  expect(await shown()).toEqual([2, 0, 0, 0, 0]);
  await add('lens');
  expect(await shown()).toEqual([2, 1, 0, 1, 0]);
});

test('nothing is counted, listed or found any more of an account that is deleted', async () => {
  const { tracking, client, server, appId, list } = await start();
  await trackCompetitor(tracking, 'ann', appId, '3003');
  await list();
  const totals = () => client.getTotals({ account_id: 'ann' });
  expect(await totals()).toMatchObject({ apps: 1, keywords: 1, competitors: 1 });
  const rows = createGrpcClient({
    service: AccountRowsServiceService,
    name: 'tracking',
    address: server.inProcess,
  });
  const { is_complete: isComplete } = await rows.client.deleteAccountRows(
    { account_id: 'ann' },
    callWithin(),
  );
  rows.close();
  expect(isComplete).toBe(true);
  expect(await totals()).toMatchObject({ apps: 0, keywords: 0, competitors: 0 });
  expect(await codeOf(list())).toBe('APP_NOT_FOUND');
});

test('lists and the listing show the newest reading, and whether it is audited', async () => {
  const { tracking, client, store, appId, list } = await start({ hasBus: true });
  const readListing = async () => (await client.getTrackedListing({ account_id: 'ann', id: appId })).listing;
  const readApp = async () => (await client.listApplications({ account_id: 'ann' })).applications[0];
  expect((await list()).keywords).toMatchObject([{ app_title: 'Title of 1001' }]);
  expect(await readListing()).toMatchObject({ revision: 1, listing: { title: 'Title of 1001' } });
  expect(await readApp()).toMatchObject({ aso_health: null });
  const { getListing } = store.answers;
  store.answers.getListing = async (...args) => {
    const found = await getListing(...args);
    if (found.listing) found.listing.title = 'Another title';
    return found;
  };
  await trackApp(tracking, 'bob');
  expect((await list()).keywords).toMatchObject([{ app_title: 'Another title' }]);
  expect(await readListing()).toMatchObject({ revision: 2, listing: { title: 'Another title' } });
  await audit(tracking, appId, 61);
  expect(await readApp()).toMatchObject({ aso_health: { global: 61 } });
});
