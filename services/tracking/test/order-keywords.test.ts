import type { KeywordOrder_Field, ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { type KeywordQuery, orderKeywords } from '../src/keywords/order-keywords.ts';
import { createHarness, listAll, type Tracking, trackApp, trackKeywords } from './start-tracking.ts';

const { startTracking, startOnce } = createHarness({ hasBus: false });
const all = { ...listAll, oldest_day: '2026-01-01' };

const fillers = (count: number) => Array.from({ length: count }, (_, index) => `filler${index}`);
/** A result page on which app 1001 has this rank; without a rank, it has 10 results of other apps. */
const pageWith = (rank: number | null) => (rank === null ? fillers(10) : [...fillers(rank - 1), '1001']);

async function favor({ client }: Tracking, appId: number, keywordId: number | undefined): Promise<void> {
  const request = { account_id: 'ann', app_id: appId, keyword_id: keywordId ?? 0, is_favorite: true };
  await client.setKeywordFavorite(request);
}

/** Takes a snapshot of each keyword on a day, for another account, so that ann's own keywords are not affected. */
async function takeSnapshots(tracking: Tracking, day: string, ranks: Record<string, number | null>) {
  tracking.clock.at = new Date(`${day}T12:00:00Z`);
  for (const [keyword, rank] of Object.entries(ranks)) tracking.store.setPage(keyword, pageWith(rank));
  const reader = `reader of ${day}`;
  await trackKeywords(tracking, reader, await trackApp(tracking, reader, '2002'), Object.keys(ranks));
}

async function setScores(
  { connection }: Tracking,
  scores: Record<string, [difficulty: number | null, traffic: number | null]>,
) {
  for (const [keyword, [difficulty, traffic]] of Object.entries(scores))
    await connection
      .collection('keyword_markets')
      .updateOne({ keyword }, { $set: { scores: { difficulty, traffic } } });
}

/** Ann tracks app 1001 for keywords with these ranks today. */
async function startWithRanks(ranks: Record<string, number | null>) {
  const tracking = await startTracking();
  for (const [keyword, rank] of Object.entries(ranks)) tracking.store.setPage(keyword, pageWith(rank));
  const appId = await trackApp(tracking, 'ann');
  const ids = await trackKeywords(tracking, 'ann', appId, Object.keys(ranks));
  return { tracking, appId, ids, list: lister(tracking) };
}

/** Lists ann's keywords in an order that is written as in the API: `-rank`. */
function lister({ client }: Tracking) {
  return async (sort: string | null, request: Partial<ListKeywordsRequest> = {}) => {
    const field = sort?.replace('-', '').toUpperCase() as KeywordOrder_Field;
    const order = sort === null ? null : { field, descending: sort.startsWith('-') };
    const { keywords, total } = await client.listKeywords({ ...all, order, ...request });
    return { keywords, total, names: keywords.map(({ keyword }) => keyword) };
  };
}

test('by rank: rank 1 comes first, or last, and keywords without a rank at the end in either direction', async () => {
  const { list } = await startWithRanks({ bb: null, zoom: 1, camera: 3, photo: 2, aa: null });
  const { names, keywords } = await list('rank');
  expect(names).toEqual(['zoom', 'photo', 'camera', 'aa', 'bb']);
  expect(keywords.map((row) => row.current_rank)).toEqual([1, 2, 3, null, null]);
  expect((await list('-rank')).names).toEqual(['camera', 'photo', 'zoom', 'aa', 'bb']);
});

test.each(['traffic', 'difficulty'])(
  'by %s: keywords without the score come last in either direction',
  async (by) => {
    const { list, tracking } = await startWithRanks({ low: 1, high: 1, zero: 1, none: 1, half: 1, same: 1 });
    const scores = (value: number | null): [number | null, number | null] =>
      by === 'traffic' ? [50, value] : [value, 50];
    await setScores(tracking, {
      low: scores(10),
      high: scores(90),
      zero: scores(0),
      half: scores(null),
      same: scores(10),
    });
    expect((await list(by)).names).toEqual(['zero', 'low', 'same', 'high', 'half', 'none']);
    expect((await list(`-${by}`)).names).toEqual(['high', 'low', 'same', 'zero', 'half', 'none']);
  },
);

async function startWithMovements() {
  const tracking = await startTracking();
  await takeSnapshots(tracking, '2026-03-01', { gap: 9, up: 1 });
  await takeSnapshots(tracking, '2026-03-09', { up: 9, down: 2, same: 5, entered: null, left: 4 });
  const today = { gap: 4, up: 6, down: 10, same: 5, entered: 3, left: null, fresh: 2 };
  await takeSnapshots(tracking, '2026-03-10', today);
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann'), Object.keys(today));
  return { tracking, list: lister(tracking) };
}

describe('by delta', () => {
  const started = startOnce(startWithMovements);

  test('the movement is that against the snapshot before, positive for a gain; null comes last', async () => {
    const { list } = started();
    const { keywords } = await list('-delta');
    expect(keywords.map((row) => [row.keyword, row.delta, row.delta_since])).toEqual([
      ['gap', 5, '2026-03-01'],
      ['up', 3, '2026-03-09'],
      ['same', 0, '2026-03-09'],
      ['down', -8, '2026-03-09'],
      ['entered', null, '2026-03-09'],
      ['fresh', null, null],
      ['left', null, '2026-03-09'],
    ]);
    expect((await list('delta')).names).toEqual(['down', 'same', 'up', 'gap', 'entered', 'fresh', 'left']);
  });

  test('it is the same as in the movers of the application', async () => {
    const { list, tracking } = started();
    const { keywords } = await list('delta');
    const { movers } = await tracking.client.listMovers({
      account_id: 'ann',
      app_id: keywords[0]?.app_id ?? 0,
      days: 1,
      oldest_day: all.oldest_day,
      page: 1,
      per_page: 200,
    });
    const ofMovers = new Map(movers.map((row) => [row.keyword, [row.delta, row.from_date]]));
    expect(ofMovers.size).toBe(6);
    for (const row of keywords.filter((one) => one.keyword !== 'fresh'))
      expect([row.delta, row.delta_since]).toEqual(ofMovers.get(row.keyword));
  });

  test('a snapshot from before the oldest day counts as missing', async () => {
    const { list } = started();
    const { keywords } = await list('-delta', { oldest_day: '2026-03-02' });
    const gap = keywords.find((row) => row.keyword === 'gap');
    expect([gap?.delta, gap?.delta_since]).toEqual([null, null]);
  });

  test('other orders show no movement', async () => {
    const { list } = started();
    for (const sort of [null, 'keyword', 'rank'])
      for (const row of (await list(sort)).keywords)
        expect([row.delta, row.delta_since]).toEqual([null, null]);
  });
});

test('by delta two apps that track one keyword have their own movements', async () => {
  const { tracking, list } = await startWithMovements();
  tracking.store.setPage('up', pageWith(6));
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann', 'filler1'), ['up']);
  const { keywords } = await list('-delta', { search: 'up' });
  expect(keywords.map((row) => [row.app_title, row.delta])).toEqual([
    ['Title of 1001', 3],
    ['Title of filler1', 0],
  ]);
});

test('by keyword: favorites are not first, and descending is the exact reverse', async () => {
  const { list, tracking, appId, ids } = await startWithRanks({ zoom: 1, camera: 1, '📷📷': 1, '～～': 1 });
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann', '2002'), ['camera']);
  await favor(tracking, appId, ids.get('zoom'));
  const up = await list('keyword');
  expect(up.names).toEqual(['camera', 'camera', 'zoom', '~~', '📷📷']);
  expect((await list('-keyword')).keywords).toEqual([...up.keywords].reverse());
  // A condition is served without the index, and keeps the order.
  for (const sort of ['keyword', '-keyword'])
    expect((await list(sort, { search: 'a' })).keywords).toEqual(
      (await list(sort)).keywords.filter(({ keyword }) => keyword.includes('a')),
    );
});

test('a condition without an order keeps favorites first, then by keyword', async () => {
  const { list, tracking, appId, ids } = await startWithRanks({ zoom: 1, camera: 1, 'a zoo': 1 });
  await favor(tracking, appId, ids.get('zoom'));
  expect(await list(null, { search: 'zo' })).toMatchObject({ names: ['zoom', 'a zoo'], total: 2 });
});

describe('the search', () => {
  const started = startOnce(() =>
    startWithRanks({ camera: 1, 'οδος αθηνα': 1, '50% off': 1, 'a b': 1, ab: 1 }),
  );
  test.each([
    ['CAM', ['camera']],
    ['оδοσ', []],
    ['ΟΔΟΣ', ['οδος αθηνα']],
    ['50% o', ['50% off']],
    ['.', []],
    ['a b', ['a b']],
    ['\u200ec\u200bam\ufeff', ['camera']],
    ['ＣＡＭ', ['camera']],
    [' camera\t', ['camera']],
    ['a  b', ['a b']],
    ['a\u2800b', ['a b']],
  ])('%j finds keywords literally, in any letter case', async (search, names) => {
    expect(await started().list(null, { search })).toMatchObject({ names, total: names.length });
  });
});

test('the score filters leave out keywords whose score is unknown', async () => {
  const { list, tracking } = await startWithRanks({ k1: 1, k2: 1, k3: 1, k4: 1, none: 1 });
  await setScores(tracking, { k1: [40, 60], k2: [41, 60], k3: [40, 59], k4: [null, null] });
  expect((await list(null, { min_traffic: 60 })).names).toEqual(['k1', 'k2']);
  expect((await list(null, { max_difficulty: 40 })).names).toEqual(['k1', 'k3']);
  expect((await list(null, { min_traffic: 60, max_difficulty: 40 })).names).toEqual(['k1']);
  expect((await list(null, { min_traffic: 0 })).names).toEqual(['k1', 'k2', 'k3']);
  expect((await list('-rank', { max_difficulty: 100 })).names).toEqual(['k1', 'k2', 'k3']);
});

test('conditions apply together, and within an application or favorites', async () => {
  const { list, tracking, appId, ids } = await startWithRanks({ photo: 2, 'photo editor': 1, camera: 1 });
  await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann', '2002'), ['photo']);
  await favor(tracking, appId, ids.get('photo'));
  expect((await list('rank', { search: 'photo' })).names).toEqual(['photo editor', 'photo', 'photo']);
  expect((await list('rank', { search: 'photo', app_id: appId })).names).toEqual(['photo editor', 'photo']);
  expect((await list('rank', { favorites_only: true })).names).toEqual(['photo']);
  expect(await codeOf(list('rank', { app_id: 999 }))).toBe('APP_NOT_FOUND');
  expect(await list('rank', { account_id: 'bob' })).toMatchObject({ names: [], total: 0 });
});

describe('pages in the order', () => {
  const started = startOnce(async () => {
    const words = Array.from({ length: 12 }, (_, index) => `word ${index % 4} ${index}`);
    const ranks = [...words, 'other'].map((word, index) => [word, (index % 3) + 1]);
    const { list, tracking } = await startWithRanks(Object.fromEntries(ranks));
    await trackKeywords(tracking, 'ann', await trackApp(tracking, 'ann', '2002'), words.slice(0, 3));
    return list;
  });
  test.each(['keyword', '-keyword', 'rank', '-traffic', 'difficulty', '-delta'])(
    '%s neither overlap nor leave rows out, and count the filtered rows',
    async (sort) => {
      const list = started();
      const whole = await list(sort, { search: 'word' });
      expect(whole.total).toBe(15);
      const paged = [];
      for (let page = 1; page <= 4; page++) {
        const { keywords, total } = await list(sort, { search: 'word', page, per_page: 4 });
        expect(total).toBe(15);
        paged.push(...keywords);
      }
      expect(paged).toEqual(whole.keywords);
      expect(await list(sort, { search: 'word', page: 5, per_page: 4 })).toMatchObject({
        names: [],
        total: 15,
      });
    },
  );
});

describe('the number of database commands', () => {
  const started = startOnce(async () => {
    const tracking = await startTracking();
    await takeSnapshots(tracking, '2026-03-09', { camera: 1, photo: 2 });
    tracking.clock.at = new Date('2026-03-10T12:00:00Z');
    const appId = await trackApp(tracking, 'ann');
    await trackKeywords(tracking, 'ann', appId, ['camera', 'photo']);
    await setScores(tracking, { camera: [1, 1], photo: [1, 1] });
    return { list: lister(tracking), commands: recordCommands(tracking.connection) };
  });
  const ofPage = ['find keyword_markets', 'find listings', 'find tracked_keywords', 'find tracked_apps'];
  test.each([
    ['keyword', {}, []],
    ['-keyword', {}, []],
    [null, { search: 'camera' }, []],
    ['-traffic', { min_traffic: 1 }, ['find keyword_markets']],
    ['rank', {}, ['find keyword_markets', 'find listings']],
    ['delta', {}, ['find keyword_markets', 'find listings', 'find snapshots']],
  ] as const)('in the order %s with %j', async (sort, request, more) => {
    const { list, commands } = started();
    commands.length = 0;
    await list(sort, request);
    const sent = commands.filter((command) => command !== 'find ranked_apps');
    expect(sent.sort()).toEqual([...ofPage, ...more].sort());
  });
});

test('long lists are neither ordered nor filtered by what no index has', async () => {
  const query: KeywordQuery = {
    filter: { account_id: 'ann' },
    order: null,
    search: null,
    minTraffic: null,
    maxDifficulty: null,
    compared: { days: 1, isExact: false, oldestDay: '' },
  };
  const listUnordered = jest.fn(async (_filter: object, limit: number) => Array.from({ length: limit }));
  const ordered = (conditions: Partial<KeywordQuery>) =>
    orderKeywords(
      { trackedKeywords: { listUnordered } } as never,
      { ...query, ...conditions },
      new AbortController().signal,
    );
  await expect(ordered({ order: { by: 'rank', isDescending: false } })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message:
      'sort works on lists of at most 4000 keywords, before search and scores leave any out: narrow this one with app_id or favorites',
  });
  expect(listUnordered).toHaveBeenLastCalledWith(query.filter, 4001);
  for (const [condition, limit] of [
    [{ search: 'camera' }, 10_000],
    [{ minTraffic: 1 }, 5000],
    [{ order: { by: 'traffic', isDescending: true } }, 5000],
    [{ order: { by: 'delta', isDescending: true }, search: 'camera' }, 2000],
  ] as const) {
    await expect(ordered(condition)).rejects.toThrow(`at most ${limit} keywords`);
    expect(listUnordered).toHaveBeenLastCalledWith(query.filter, limit + 1);
  }
  for (const [field, condition] of [
    ['search', { search: 'camera', maxDifficulty: 1 }],
    ['min_traffic', { minTraffic: 1 }],
    ['max_difficulty', { maxDifficulty: 1 }],
  ] as const)
    await expect(ordered(condition)).rejects.toMatchObject({
      details: { issues: { fieldErrors: { [field]: [expect.any(String)] } } },
    });
});

test.each(['keyword_markets', 'listings'])(
  'when %s cannot be read, an ordered list is an error, not an incomplete one',
  async (collection) => {
    const { list, tracking } = await startWithRanks({ camera: 1, photo: 1 });
    await tracking.connection.collection(collection).deleteMany({});
    for (const sort of ['rank', 'traffic', 'delta'])
      expect(await codeOf(list(sort, { per_page: 1 }))).toBe('INTERNAL_ERROR');
  },
);
