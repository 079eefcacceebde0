import { codeOf } from '../../../testing/call-within.ts';
import { allAlerts, createHarness, listingOf, type Notify, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

/** ann tracks keyword 7 for application 1, with the default rules. */
async function start(options?: Parameters<typeof startNotify>[0]) {
  const notify = await startNotify(options);
  const publish = publisher(notify);
  await publish.trackApp();
  await publish.trackKeyword();
  return { notify, client: notify.client, ...publish };
}

async function kindsOf({ client }: Pick<Notify, 'client'>, accountId = 'ann'): Promise<string[]> {
  const { alerts } = await client.listAlerts({ ...allAlerts, account_id: accountId, since: 0 });
  return alerts.map(({ kind, evidence }) => `${kind} ${evidence?.day_after}`);
}

test('a drop between two days is published with its ranks, its days and a sentence', async () => {
  const { client, notify, takePage } = await start();
  await takePage(8, { 'app-1': 3 });
  await takePage(9, { 'app-1': 14 });
  const { alerts, total } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(total).toBe(2);
  expect(alerts[0]).toEqual({
    id: 1,
    kind: 'RANK_DROP',
    at: notify.clock.at,
    rule_id: expect.any(Number),
    app: { id: 1, app_id: 'app-1', title: 'App 1' },
    keyword_id: 7,
    keyword: 'planner',
    before: 3,
    after: 14,
    evidence: {
      day_before: '2026-03-08',
      day_after: '2026-03-09',
      threshold: 5,
      ranks: [{ app_id: 'app-1', before: 3, after: 14 }],
      other_app: null,
      fields: [],
      channel_id: null,
      channel_name: null,
      off_reason: null,
      is_confirmed: null,
      store: null,
      unread_keywords: null,
      chart: null,
    },
    text: 'App 1 fell for “planner”: from rank 3 to rank 14 between 2026-03-08 and 2026-03-09.',
  });
  expect(alerts[1]).toMatchObject({ id: 2, kind: 'LEFT_TOP', evidence: { threshold: 10 } });
});

test('a day with an empty page is compared with nothing; the next one with the last that was read', async () => {
  const { notify, takePage } = await start();
  await takePage(7, { 'app-1': 3 });
  await takePage(8, {}, { size: 0 });
  await takePage(9, { 'app-1': 4 });
  expect(await kindsOf(notify)).toEqual([]);
  await takePage(10, {}, { size: 0 });
  await takePage(10, { 'app-1': 40 }, { revision: 2 });
  expect(await kindsOf(notify)).toEqual(['RANK_DROP 2026-03-10', 'LEFT_TOP 2026-03-10']);
});

test('a page that has lost two thirds of its results is compared with nothing, for a week; the next one with the last whole one', async () => {
  const { notify, client, takePage } = await start();
  await takePage(7, { 'app-1': 40 });
  await takePage(8, {}, { size: 33, was_read_twice: true });
  await takePage(9, { 'app-1': 41 });
  expect(await kindsOf(notify)).toEqual([]);
  for (const day of [10, 13, 16]) await takePage(day, {}, { size: 33, was_read_twice: true });
  expect(await kindsOf(notify)).toEqual([]);
  await takePage(17, {}, { size: 33, was_read_twice: true });
  const { alerts } = await client.listAlerts(allAlerts);
  expect(alerts.map(({ kind, evidence }) => [kind, evidence?.day_before, evidence?.day_after])).toEqual([
    ['RANK_DROP', '2026-03-09', '2026-03-17'],
  ]);
});

test('a page of a suspect storefront is read and compared with nothing; the next one with the last page before it', async () => {
  const { notify, client, takePage } = await start();
  const readDay = async () => (await notify.connection.collection('keyword_pages').findOne({}))?.read_day;
  await takePage(7, { 'app-1': 90 }, { is_suspect: true });
  await takePage(8, { 'app-1': 3 });
  for (const day of [9, 10]) await takePage(day, { 'app-1': 60 }, { is_suspect: true });
  expect(await kindsOf(notify)).toEqual([]);
  expect(await readDay()).toBe('2026-03-10');
  await takePage(11, { 'app-1': 4 });
  expect(await kindsOf(notify)).toEqual([]);
  await takePage(12, { 'app-1': 60 }, { is_suspect: true });
  await takePage(13, { 'app-1': 30 });
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ kind, evidence }) => [kind, evidence?.day_before, evidence?.day_after])).toEqual([
    ['RANK_DROP', '2026-03-11', '2026-03-13'],
    ['LEFT_TOP', '2026-03-11', '2026-03-13'],
  ]);
});

test('a surprising drop is confirmed when tracking has read the page twice', async () => {
  const { client, takePage } = await start();
  const confirmed = async () =>
    (await client.listAlerts({ ...allAlerts, kind: 'RANK_DROP' })).alerts[0]?.evidence?.is_confirmed;
  await takePage(7, { 'app-1': 3 });
  await takePage(8, { 'app-1': 40 });
  expect(await confirmed()).toBe(false);
  await takePage(9, { 'app-1': 3 });
  await takePage(10, { 'app-1': 40 }, { was_read_twice: true });
  expect(await confirmed()).toBe(true);
  await takePage(11, { 'app-1': 3 });
  await takePage(12, { 'app-1': 14 }, { was_read_twice: true });
  expect(await confirmed()).toBeNull();
});

test('an event that comes again, or a page of a past day, gives no alert', async () => {
  const { notify, takePage } = await start();
  await takePage(8, { 'app-1': 3 });
  const event = await takePage(9, { 'app-1': 40 });
  await notify.bus.redeliver(event);
  await takePage(5, { 'app-1': 90 });
  expect(await kindsOf(notify)).toHaveLength(2);
});

test('after a crash before the page was kept, the same alerts are published once', async () => {
  const { notify, takePage } = await start();
  await takePage(8, { 'app-1': 3 });
  const [kept] = await notify.connection.collection('keyword_pages').find({}).toArray();
  const event = await takePage(9, { 'app-1': 40 });
  await notify.connection.collection('keyword_pages').replaceOne({}, { ...kept });
  await notify.bus.redeliver(event);
  expect(await kindsOf(notify)).toHaveLength(2);
});

test('an account is notified only of changes since it tracks the keyword, and no more once it stopped', async () => {
  const { notify, takePage, trackKeyword, untrackKeyword, trackApp } = await start();
  await trackApp({ account_id: 'bob' });
  await trackKeyword({ account_id: 'bob', at: new Date('2026-03-09T10:00:00Z') });
  await takePage(8, { 'app-1': 3 });
  await takePage(9, { 'app-1': 40 });
  expect(await kindsOf(notify, 'bob')).toEqual([]);
  await untrackKeyword({ at: new Date('2026-03-09T12:00:00Z') });
  await takePage(10, { 'app-1': 100 });
  await takePage(11, { 'app-1': 2 });
  await takePage(12, { 'app-1': 20 });
  expect(await kindsOf(notify)).toEqual(['RANK_DROP 2026-03-09', 'LEFT_TOP 2026-03-09']);
  expect(await kindsOf(notify, 'bob')).toEqual([
    'RANK_DROP 2026-03-10',
    'RANK_DROP 2026-03-12',
    'LEFT_TOP 2026-03-12',
  ]);
});

test('favorites and competitors are known from events', async () => {
  const { notify, client, takePage, setFavorite, trackCompetitor } = await start();
  await client.createAlertRule({
    account_id: 'ann',
    kind: 'OVERTAKEN',
    keywords: { which: 'FAVORITES', ids: [] },
    is_enabled: true,
    channel_ids: [],
  });
  await trackCompetitor();
  await takePage(8, { 'app-1': 3, 'app-2': 4 });
  await takePage(9, { 'app-1': 4, 'app-2': 3 });
  expect(await kindsOf(notify)).toEqual([]);
  await takePage(10, { 'app-1': 3, 'app-2': 4 });
  await setFavorite();
  await takePage(11, { 'app-1': 4, 'app-2': 3 });
  const { alerts } = await client.listAlerts(allAlerts);
  expect(alerts).toMatchObject([
    {
      kind: 'OVERTAKEN',
      evidence: {
        other_app: { id: 2, app_id: 'app-2', title: 'App 2' },
        ranks: [
          { app_id: 'app-1', before: 3, after: 4 },
          { app_id: 'app-2', before: 4, after: 3 },
        ],
      },
    },
  ]);
});

test('changes of the own listing and of a competitor’s are published, a lower rating by a rule', async () => {
  const { client, changeListing, trackCompetitor } = await start();
  await trackCompetitor();
  await client.createAlertRule({
    account_id: 'ann',
    kind: 'RATING_DROP',
    threshold: 0.3,
    keywords: null,
    is_enabled: true,
    channel_ids: [],
  });
  const at = (day: string, revision: number) => ({ day: `2026-03-${day}`, revision });
  const renamed = listingOf(1, { ...at('09', 2), title: 'New', score: 4.6 });
  await changeListing(['title', 'score'], renamed);
  await changeListing(['title', 'score'], renamed);
  await changeListing(['version'], listingOf(2, { ...at('09', 2), version: '2.0' }));
  await changeListing(['score'], listingOf(1, { ...at('10', 3), title: 'New', score: 4.4 }));
  await changeListing(['score'], listingOf(1, { ...at('11', 4), title: 'New' }));
  await changeListing(['score'], listingOf(1, { ...at('12', 5), title: 'New', score: 4.1 }));
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ text }) => text)).toEqual([
    'The listing of New changed between 2026-03-01 and 2026-03-09: title.',
    'The listing of App 2, a competitor of New, changed between 2026-03-01 and 2026-03-09: version.',
    'The rating of New fell from 4.4 to 4.1 between 2026-03-10 and 2026-03-12.',
  ]);
});

test('a change that another account’s new application or competitor shows first is told, to those who were there before', async () => {
  const { notify, client, trackApp, trackCompetitor, changeListing } = await start();
  await trackCompetitor();
  const read = { day: '2026-03-09', revision: 2, title: 'New' };
  const bob = { account_id: 'bob', at: new Date('2026-03-09T06:00:01Z') };
  // Topics are handled side by side, so these may come before the change that their readings showed.
  await trackApp({ ...bob, listing: listingOf(1, read) as never });
  await trackCompetitor({ ...bob, listing: listingOf(2, read) as never });
  for (const id of [1, 2]) await changeListing(['title'], listingOf(id, read));
  expect(await kindsOf(notify)).toEqual(Array(2).fill('LISTING_CHANGED 2026-03-09'));
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ evidence }) => evidence?.fields[0])).toMatchObject(
    [1, 2].map((id) => ({ field: 'title', before: `App ${id}`, after: 'New' })),
  );
  expect(await kindsOf(notify, 'bob')).toEqual([]);
});

test('an app that the store does not list any more is told with the first day without it, also right after another change', async () => {
  const { client, changeListing, trackCompetitor } = await start();
  await trackCompetitor();
  const gone = { unlisted_since: new Date('2026-03-10T05:00:00Z') };
  const renamed = { day: '2026-03-09', title: 'New' };
  await changeListing(['title'], listingOf(1, { ...renamed, revision: 2 }));
  // With the last reading, which may be that of before it was tracked.
  await changeListing(['unlisted_since'], Object.assign(listingOf(1, { ...renamed, revision: 3 }), gone));
  await changeListing(['unlisted_since'], Object.assign(listingOf(2, { revision: 2 }), gone));
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ text }) => text)).toEqual([
    'The listing of New changed between 2026-03-01 and 2026-03-09: title.',
    'The listing of New changed between 2026-03-09 and 2026-03-10: whether the store lists it.',
    'The listing of App 2, a competitor of New, changed between 2026-03-01 and 2026-03-10: whether the store lists it.',
  ]);
});

test('the feed is filtered and paged; a client that remembers an id gets what came after it, oldest first', async () => {
  const { client, takePage } = await start();
  for (const day of [8, 9, 10, 11]) await takePage(day, { 'app-1': day % 2 ? 40 : 3 });
  const ids = async (change: object) =>
    (await client.listAlerts({ ...allAlerts, ...change })).alerts.map(({ id }) => id);
  expect(await ids({})).toEqual([4, 3, 2, 1]);
  expect(await ids({ since: 1 })).toEqual([2, 3, 4]);
  expect(await ids({ since: 1, per_page: 2, page: 2 })).toEqual([4]);
  expect(await ids({ kind: 'LEFT_TOP' })).toEqual([4, 2]);
  expect(await ids({ app_id: 1, since: 3 })).toEqual([4]);
  expect(await ids({ app_id: 5 })).toEqual([]);
  expect(await codeOf(client.listAlerts({ ...allAlerts, kind: 'UNSPECIFIED' }))).toBe('INVALID_PARAMS');
  expect(await codeOf(client.listAlerts({ ...allAlerts, since: -1 }))).toBe('INVALID_PARAMS');
});

test('ids have no gap and become visible in order while copies publish alerts of one account at the same time', async () => {
  const { notify, takePage } = await start();
  const copy = await startNotify({ database: notify.database });
  const ofCopy = publisher(copy);
  const keywords = Array.from({ length: 20 }, (_, index) => index + 100);
  for (const keywordId of keywords) {
    await publisher(notify).trackKeyword({ keyword_id: keywordId });
    await takePage(8, { 'app-1': 3 }, { keyword_id: keywordId });
  }
  const seen: number[][] = [];
  let isRunning = true;
  const watch = (async () => {
    while (isRunning)
      seen.push((await copy.client.listAlerts({ ...allAlerts, since: 0 })).alerts.map(({ id }) => id));
  })();
  await Promise.all(
    keywords.map((keywordId, index) =>
      (index % 2 ? ofCopy.takePage : takePage)(9, { 'app-1': 40 }, { keyword_id: keywordId }),
    ),
  );
  isRunning = false;
  await watch;
  const all = (await copy.client.listAlerts({ ...allAlerts, since: 0 })).alerts.map(({ id }) => id);
  expect(all).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  // What is visible at any time is a beginning of the feed.
  for (const ids of seen) expect(ids).toEqual(all.slice(0, ids.length));
});
