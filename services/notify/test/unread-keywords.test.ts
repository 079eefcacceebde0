import { until } from '../../../testing/until.ts';
import { allAlerts, createHarness, listingOf, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

const wanted = { account_id: 'ann', kind: 'KEYWORD_UNREAD', keywords: null, is_enabled: true } as const;

/** ann tracks two keywords of application 1 and one of application 2, and has a rule of unread keywords. */
async function start() {
  const notify = await startNotify();
  const publish = publisher(notify);
  for (const id of [1, 2]) await publish.trackApp({ listing: listingOf(id) as never });
  for (const [keywordId, appId] of [
    [7, 1],
    [8, 1],
    [9, 2],
  ] as const)
    await publish.trackKeyword({ keyword_id: keywordId, app_id: appId });
  await notify.client.createAlertRule({ ...wanted, channel_ids: [] });
  const feed = async () => (await notify.client.listAlerts({ ...allAlerts, since: 0 })).alerts;
  /** Goes to 02:00 on a day of March 2026 and waits for the sweep of that day. */
  const goTo = async (day: number) => {
    const moment = `2026-03-${String(day).padStart(2, '0')}T02:00:00Z`;
    const sleeping = notify.clock.sleeping();
    notify.clock.moveTo(moment);
    await until(() => notify.clock.sleeping() === sleeping);
  };
  const read = (day: number, keywordId: number, size = 100) =>
    publish.takePage(day, {}, { keyword_id: keywordId, size });
  return { ...publish, notify, feed, goTo, read };
}

test('unread keywords are one alert for their application, again only after all were read', async () => {
  const { feed, goTo, read } = await start();
  for (const keywordId of [7, 8, 9]) await read(10, keywordId);
  await read(11, 9);
  await goTo(12);
  expect(await feed()).toEqual([]);
  await read(12, 9, 0);
  await goTo(13);
  expect(await feed()).toMatchObject([
    {
      kind: 'KEYWORD_UNREAD',
      app: { id: 1 },
      keyword: null,
      before: null,
      after: null,
      evidence: { day_before: '2026-03-10', day_after: '2026-03-13', threshold: 2, unread_keywords: 2 },
      text: '2 keywords of App 1 have not been read since 2026-03-10.',
    },
  ]);
  await read(13, 7);
  await read(13, 9);
  for (const day of [14, 15]) {
    await read(day, 9);
    await goTo(day);
  }
  expect(await feed()).toHaveLength(1);
  for (const keywordId of [7, 8, 9]) await read(15, keywordId);
  await goTo(16);
  await read(16, 9);
  await read(17, 9);
  await goTo(18);
  expect(await feed()).toHaveLength(2);
});

test('a store that is away is no unread keyword, and the days are counted anew once it is back', async () => {
  const { feed, goTo, read, changeStore } = await start();
  for (const keywordId of [7, 8, 9]) await read(10, keywordId);
  await changeStore(true, 11);
  await goTo(15);
  await changeStore(false, 16);
  await goTo(17);
  await goTo(18);
  expect((await feed()).map(({ kind }) => kind)).toEqual(['STORE_BLOCKED']);
  await goTo(19);
  expect((await feed()).map(({ kind }) => kind)).toEqual([
    'STORE_BLOCKED',
    'KEYWORD_UNREAD',
    'KEYWORD_UNREAD',
  ]);
});

test('without an event bus nothing is known of readings, so nothing is published', async () => {
  const first = await start();
  for (const keywordId of [7, 8, 9]) await first.read(10, keywordId);
  await first.notify.stop();
  const deaf = await startNotify({ database: first.notify.database, hasBus: false });
  const sleeping = deaf.clock.sleeping();
  deaf.clock.moveTo('2026-04-10T02:00:00Z');
  await until(() => deaf.clock.sleeping() === sleeping);
  const { alerts } = await deaf.client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts).toEqual([]);
});
