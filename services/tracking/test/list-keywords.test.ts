import type { ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { until } from '../../../testing/until.ts';
import { listKeywords } from '../src/handlers/list-keywords.ts';
import { createHarness, listAll, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

async function favor({ client }: Tracking, appId: number, keywordId: number | undefined): Promise<void> {
  const request = { account_id: 'ann', app_id: appId, keyword_id: keywordId ?? 0, is_favorite: true };
  await client.setKeywordFavorite(request);
}

test('a row shows the rank of the app, its neighbors and the top apps', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  tracking.store.setPage('camera', ['9', '8', '1001', '7', '6', '5']);
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  const shown = (id: string) => ({
    app_id: id,
    title: `Title of ${id}`,
    icon: `https://icons.test/${id}.png`,
  });
  expect(await tracking.client.listKeywords(listAll)).toEqual({
    total: 1,
    keywords: [
      {
        keyword_id: 1,
        keyword: 'camera',
        ...us,
        app_id: appId,
        app_title: 'Title of 1001',
        difficulty_score: null,
        is_partial: false,
        traffic_score: null,
        kei_score: null,
        kei_reason: null,
        current_rank: 3,
        ahead: shown('8'),
        behind: shown('7'),
        ranking: ['9', '8', '1001', '7', '6'].map((id, index) => ({
          ...shown(id),
          rank: index + 1,
          ratings: 1200,
        })),
        is_favorite: false,
        tracked_since: tracking.clock.at,
        snapshot_depth: 6,
        scored_at: null,
        snapshot_date: '2026-03-10',
        delta: null,
        delta_since: null,
      },
    ],
  });
});

test('a row has the day of its snapshot, also when that day is over', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  tracking.store.setPage('camera', ['9', '1001']);
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  const rowNow = async () => (await tracking.client.listKeywords(listAll)).keywords[0];
  tracking.clock.moveTo('2026-03-12T09:00:00Z');
  expect(await rowNow()).toMatchObject({ snapshot_date: '2026-03-10', current_rank: 2 });
  tracking.store.setPage('camera', ['1001', '9']);
  await trackKeywords(tracking, 'bob', await trackApp(tracking, 'bob'), ['camera']);
  expect(await rowNow()).toMatchObject({ snapshot_date: '2026-03-12', current_rank: 1 });
});

describe('an app has one title within a row', () => {
  /** From now on the store shows other titles. */
  function rename({ store }: Tracking, title: string, day: string | null = null) {
    const { search } = store.answers;
    store.answers.search = async (request, call) => {
      const { reading, apps } = await search(request, call);
      const readAt = day === null ? reading?.read_at : new Date(`${day}T12:00:00Z`);
      return {
        reading: reading && { ...reading, read_at: readAt ?? null },
        apps: apps.map((app) => ({ ...app, title: `${title} ${app.app_id}` })),
      };
    };
  }

  async function titlesOf(tracking: Tracking, keyword: string): Promise<string[]> {
    const { keywords } = await tracking.client.listKeywords(listAll);
    const row = keywords.find((one) => one.keyword === keyword);
    const shown = [row?.ahead, row?.behind, ...(row?.ranking ?? [])];
    const own = [`1001: ${row?.app_title}`];
    return [
      ...new Set([...own, ...shown.flatMap((app) => (app ? [`${app.app_id}: ${app.title}`] : []))]),
    ].sort();
  }

  test('although a page of another keyword shows a newer one', async () => {
    const tracking = await startTracking();
    const appId = await trackApp(tracking, 'ann');
    tracking.store.setPage('camera', ['8', '1001', '9']);
    await trackKeywords(tracking, 'ann', appId, ['camera']);
    rename(tracking, 'New title of');
    tracking.store.setPage('photo', ['8', '1001', '9']);
    await trackKeywords(tracking, 'ann', appId, ['photo']);
    expect(await titlesOf(tracking, 'camera')).toEqual([
      '1001: Title of 1001',
      '8: Title of 8',
      '9: Title of 9',
    ]);
    expect(await titlesOf(tracking, 'photo')).toEqual([
      '1001: Title of 1001',
      '8: New title of 8',
      '9: New title of 9',
    ]);
  });

  test('and keeps it when past days are filled, at the top and below', async () => {
    const tracking = await startTracking();
    const appId = await trackApp(tracking, 'ann');
    tracking.store.setPage('camera', ['2', '3', '4', '5', '6', '1001', '9']);
    await trackKeywords(tracking, 'ann', appId, ['camera']);
    const before = await titlesOf(tracking, 'camera');
    expect(before).toContain('9: Title of 9');
    rename(tracking, 'Old title of', '2026-03-01');
    await tracking.client.startSnapshotRun({ all_of_today: false, day: '2026-03-01' });
    await until(async () => (await tracking.client.getSnapshotRun({})).run?.is_over === true);
    expect(await tracking.rows('snapshots')).toHaveLength(2);
    expect(await titlesOf(tracking, 'camera')).toEqual(before);
  });
});

test.each([
  ['first', ['1001', '9'], 1, undefined, '9'],
  ['last', ['9', '1001'], 2, '9', undefined],
  ['alone', ['1001'], 1, undefined, undefined],
  ['nowhere', ['9', '8'], null, undefined, undefined],
  ['on an empty page', [], null, undefined, undefined],
])('an app that is %s has the neighbors that exist', async (_where, page, rank, ahead, behind) => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  tracking.store.setPage('camera', page);
  await trackKeywords(tracking, 'ann', appId, ['camera']);
  const [row] = (await tracking.client.listKeywords(listAll)).keywords;
  expect([row?.current_rank, row?.ahead?.app_id, row?.behind?.app_id]).toEqual([rank, ahead, behind]);
  expect(row?.snapshot_depth).toBe(page.length);
});

test('favorites come first, then by keyword; pages do not overlap or leave rows out', async () => {
  const tracking = await startTracking();
  const one = await trackApp(tracking, 'ann');
  const two = await trackApp(tracking, 'ann', '2002');
  const words = ['zoom', 'camera', '写真 編集', 'video', 'editor', 'محرر', '🎧📷'];
  const ids = await trackKeywords(tracking, 'ann', one, words);
  await trackKeywords(tracking, 'ann', two, words);
  await favor(tracking, one, ids.get('zoom'));
  await favor(tracking, two, ids.get('video'));
  const whole = await tracking.client.listKeywords(listAll);
  expect(whole.total).toBe(14);
  expect(whole.keywords.slice(0, 6).map(({ keyword, app_id: appId }) => [keyword, appId])).toEqual([
    ['video', two],
    ['zoom', one],
    ['camera', one],
    ['camera', two],
    ['editor', one],
    ['editor', two],
  ]);
  const paged = [];
  for (let page = 1; page <= 5; page++)
    paged.push(...(await tracking.client.listKeywords({ ...listAll, page, per_page: 3 })).keywords);
  expect(paged).toEqual(whole.keywords);
  expect(await tracking.client.listKeywords({ ...listAll, page: 6, per_page: 3 })).toEqual({
    keywords: [],
    total: 14,
  });
});

test('the list can be filtered by app and by favorites', async () => {
  const tracking = await startTracking();
  const one = await trackApp(tracking, 'ann');
  const two = await trackApp(tracking, 'ann', '2002');
  const ids = await trackKeywords(tracking, 'ann', one, ['camera', 'video']);
  await trackKeywords(tracking, 'ann', two, ['camera']);
  await favor(tracking, one, ids.get('camera'));
  const { client } = tracking;
  expect(await client.listKeywords({ ...listAll, app_id: one })).toMatchObject({
    total: 2,
    keywords: [{ keyword: 'camera', is_favorite: true }, { keyword: 'video' }],
  });
  const favorites = { ...listAll, favorites_only: true };
  expect(await client.listKeywords(favorites)).toMatchObject({
    total: 1,
    keywords: [{ app_id: one }],
  });
  expect(await client.listKeywords({ ...favorites, app_id: two })).toEqual({
    keywords: [],
    total: 0,
  });
});

test('one list holds ranks of several storefronts, each with its own neighbors', async () => {
  const tracking = await startTracking();
  const { client, store } = tracking;
  const de = { store: 'GPLAY', country: 'DE', lang: 'de-DE' } as const;
  store.setPage('camera', ['9', '1001']);
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), ['camera']);
  const { id } = await client.trackApplication({ account_id: 'ann', storefront: de, app_id: '1001' });
  store.setPage('camera', ['5', '1001']);
  await client.trackKeywords({ account_id: 'ann', app_id: id, storefront: de, keywords: ['camera'] });
  const { keywords } = await client.listKeywords(listAll);
  expect(keywords.map(({ country, ahead }) => [country, ahead?.app_id])).toEqual([
    ['US', '9'],
    ['DE', '5'],
  ]);
  expect(new Set(keywords.map((keyword) => keyword.keyword_id)).size).toBe(2);
});

test('removed keywords and those of other accounts are not listed', async () => {
  const tracking = await startTracking();
  const appId = await trackApp(tracking, 'ann');
  const ids = await trackKeywords(tracking, 'ann', appId, ['camera', 'video']);
  const key = { account_id: 'ann', app_id: appId, keyword_id: ids.get('camera') ?? 0 };
  await tracking.client.untrackKeyword(key);
  const { client } = tracking;
  expect((await client.listKeywords(listAll)).keywords.map(({ keyword }) => keyword)).toEqual(['video']);
  expect(await client.listKeywords({ ...listAll, account_id: 'bob' })).toEqual({
    keywords: [],
    total: 0,
  });
  for (const request of [
    { ...listAll, account_id: 'bob', app_id: appId },
    { ...listAll, app_id: 999 },
  ])
    expect(await codeOf(client.listKeywords(request))).toBe('APP_NOT_FOUND');
});

describe('the number of database commands does not depend on the length of the list', () => {
  /** Ann tracks one keyword, then 1,001: copies of its row and of its keyword market. */
  async function startCounting() {
    const tracking = await startTracking();
    const { connection, client } = tracking;
    const appId = await trackApp(tracking, 'ann');
    // The neighbors are below the top, which is stored with the keyword.
    tracking.store.setPage('camera', ['9', '8', '7', '6', '5', '4', '1001', '3']);
    await trackKeywords(tracking, 'ann', appId, ['camera']);
    const commands = recordCommands(connection);
    const commandsOf = async (request: Partial<ListKeywordsRequest>) => {
      commands.length = 0;
      const { keywords } = await client.listKeywords({ ...listAll, ...request });
      return { rows: keywords.length, commands: [...commands].sort() };
    };
    const copy = async (collection: string, change: (n: number) => object) => {
      const { _id: _, ...original } = (await connection.collection(collection).findOne({})) ?? {};
      const copies = Array.from({ length: 1000 }, (_, n) => ({ ...original, ...change(n + 2) }));
      await connection.collection(collection).insertMany(copies as never[]);
    };
    const addThousand = async () => {
      await copy('tracked_keywords', (n) => ({ keyword_id: n, keyword: `camera ${n}` }));
      await copy('keyword_markets', (n) => ({ _id: n, keyword: `camera ${n}` }));
    };
    return { appId, commandsOf, addThousand };
  }
  const ofRows = ['find keyword_markets', 'find listings', 'find ranked_apps', 'find tracked_keywords'];

  test.each([
    ['all', () => ({})],
    ['those of an application', (appId: number) => ({ app_id: appId })],
  ] as const)('%s', async (_name, toRequest) => {
    const { appId, commandsOf, addThousand } = await startCounting();
    const request = toRequest(appId);
    const expected = [...ofRows, 'find tracked_apps'].sort();
    expect(await commandsOf(request)).toEqual({ rows: 1, commands: expected });
    await addThousand();
    // Only where more rows follow must they be counted.
    const counted = ['aggregate tracked_keywords', ...expected].sort();
    expect(await commandsOf({ ...request, per_page: 1 })).toEqual({ rows: 1, commands: counted });
    expect(await commandsOf(request)).toEqual({ rows: 1000, commands: counted });
    expect(await commandsOf({ ...request, page: 2, per_page: 501 })).toEqual({
      rows: 500,
      commands: expected,
    });
  });
});

test.each(['keyword_markets', 'listings', 'ranked_apps'])(
  'when %s cannot be read, the answer is an error, not an incomplete list',
  async (collection) => {
    const tracking = await startTracking();
    const appId = await trackApp(tracking, 'ann');
    // The neighbors are below the top, which is stored with the keyword.
    tracking.store.setPage('camera', ['9', '8', '7', '6', '5', '4', '1001', '3']);
    await trackKeywords(tracking, 'ann', appId, ['camera', 'video']);
    await tracking.connection.collection(collection).deleteMany({});
    await expect(tracking.client.listKeywords(listAll)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'Stored data cannot be read. Try again later.',
    });
  },
);

test('the apps whose removal is pending are known before the rows are read', async () => {
  let answer: (filter: { account_id: string }) => void = () => {};
  const pending = new Promise<{ account_id: string }>((resolve) => (answer = resolve));
  const list = jest.fn(async () => []);
  const deps = {
    trackedApps: { selectTracked: () => pending },
    trackedKeywords: { list },
    keywordMarkets: { findMany: async () => [] },
    listings: { findNames: async () => [] },
  };
  const reply = listKeywords(deps as never, listAll, { signal: new AbortController().signal });
  await new Promise(setImmediate);
  expect(list).not.toHaveBeenCalled();
  answer({ account_id: 'ann' });
  expect(await reply).toEqual({ keywords: [], total: 0 });
});
