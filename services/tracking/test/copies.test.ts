import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { createHarness, type Tracking, trackApp, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

/** Two copies of the service on one database. */
async function startCopies(): Promise<[Tracking, Tracking]> {
  const first = await startTracking();
  return [first, await startTracking({ database: first.database, clock: first.clock })];
}

/** Makes 20 calls at the same time, in turn over the copies. Returns how often each code was answered. */
const callAll = (copies: readonly Tracking[], call: (copy: Tracking, index: number) => Promise<unknown>) =>
  countCodes(
    Array.from({ length: 20 }, (_, index) => call(copies[index % copies.length] as Tracking, index)),
  );

const addApp = ({ client }: Tracking, appId: string, maxApps?: number) =>
  client.trackApplication({ account_id: 'ann', storefront: us, app_id: appId, max_apps: maxApps });

test('the same application, added 20 times at once over two copies, is added once; 19 are DUPLICATE', async () => {
  const copies = await startCopies();
  const [{ rows }] = copies;
  expect(await callAll(copies, (copy) => addApp(copy, '1001'))).toEqual({ OK: 1, DUPLICATE: 19 });
  const [added, ...others] = await rows('tracked_apps');
  expect([Object.keys(added?.outbox).length, others]).toEqual([1, []]);
  expect(await rows('listings')).toHaveLength(1);
  // With room for one more only, too.
  expect(await callAll(copies, (copy) => addApp(copy, '1002', 2))).toEqual({ OK: 1, DUPLICATE: 19 });
  expect(await rows('tracked_apps')).toHaveLength(2);
});

test('of 20 applications, added at once over two copies, the plan admits exactly as many as it allows', async () => {
  const copies = await startCopies();
  expect(await callAll(copies, (copy, index) => addApp(copy, `${2000 + index}`, 10))).toEqual({
    OK: 10,
    PLAN_LIMIT: 10,
  });
  const [{ client, rows }] = copies;
  expect(await rows('tracked_apps')).toHaveLength(10);
  expect((await client.getTotals({ account_id: 'ann' })).apps).toBe(10);
  const [first] = await rows('tracked_apps');
  await client.untrackApplication({ account_id: 'ann', id: Number(first?.listing_id) });
  await addApp(copies[1], '3000', 10);
  expect(await codeOf(addApp(copies[0], '3001', 10))).toBe('PLAN_LIMIT');
});

test('of 20 calls with two keywords each, over two copies, the plan admits exactly as many keywords as it allows', async () => {
  const copies = await startCopies();
  const appId = await trackApp(copies[0], 'ann');
  let tracked = 0;
  await callAll(copies, async ({ client }, index) => {
    const keywords = [`first ${index}`, `second ${index}`];
    const { results } = await client.trackKeywords({
      account_id: 'ann',
      app_id: appId,
      storefront: us,
      keywords,
      max_keywords: 11,
    });
    tracked += results.filter(({ outcome }) => outcome?.$case === 'success').length;
  });
  expect([tracked, (await copies[0].rows('tracked_keywords')).length]).toEqual([11, 11]);
});

test('of 20 competitors of two applications, added at once over two copies, the plan admits as many as it allows', async () => {
  const copies = await startCopies();
  const appIds = [await trackApp(copies[0], 'ann'), await trackApp(copies[0], 'ann', '1002')];
  const outcomes = await callAll(copies, ({ client }, index) =>
    client.trackCompetitor({
      account_id: 'ann',
      app_id: appIds[(index >> 1) % 2] ?? 0,
      storefront: us,
      competitor_app_id: `${4000 + index}`,
      max_competitors: 10,
    }),
  );
  expect(outcomes).toEqual({ OK: 10, PLAN_LIMIT: 10 });
  expect(await copies[0].rows('competitors')).toHaveLength(10);
});

test('while it is not known whether another call has written the last row of a plan, calls shall try again: no PLAN_LIMIT', async () => {
  // The other call does not end while these wait for it.
  const tracking = await startTracking({ sleepForRoom: async () => {} });
  const { client, clock, connection } = tracking;
  /** A reservation that a call left when the database did not confirm its write. */
  const leaveReservation = (_id: string) => {
    const lost = { count: 1, expires_at: new Date(clock.at.getTime() + 10_000) };
    return connection
      .collection<{ _id: string; version: number; reserved: object }>('reservations')
      .insertOne({ _id, version: 1, reserved: { lost } });
  };
  const appOf = async (accountId: string) => ({
    account_id: accountId,
    app_id: await trackApp(tracking, accountId),
    storefront: us,
  });
  // Three accounts, because the calls of one wait for each other.
  const [bob, cleo] = [await appOf('bob'), await appOf('cleo')];
  for (const id of ['ann apps', 'bob keywords', 'cleo competitors']) await leaveReservation(id);
  const app = () => addApp(tracking, '1001', 1);
  const keywords = () => client.trackKeywords({ ...bob, keywords: ['photo editor'], max_keywords: 1 });
  const competitor = () => client.trackCompetitor({ ...cleo, competitor_app_id: '1002', max_competitors: 1 });
  const message = 'Another call may take the last place of your plan. Try again in a few seconds.';
  await Promise.all([
    expect(app()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message }),
    expect(competitor()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message }),
    expect(keywords()).resolves.toMatchObject({ results: [{ outcome: { $case: 'error', value: message } }] }),
  ]);

  clock.advance(10_000);
  await app();
  await competitor();
  expect(await keywords()).toMatchObject({ results: [{ outcome: { $case: 'success' } }] });
  expect(await codeOf(addApp(tracking, '1003', 1))).toBe('PLAN_LIMIT');
});
