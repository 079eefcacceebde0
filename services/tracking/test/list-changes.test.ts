import { daysBefore, daysOfWindow, startOfDay } from '@shelfwise/runtime/day';
import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import type { StoreListing } from '../src/domain/listing-fields.ts';
import { listChanges } from '../src/handlers/list-changes.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, type Tracking, trackApp, trackCompetitor } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

type Shown = Partial<StoreListing>;

async function start(first: Shown = {}) {
  const tracking = await startTracking();
  const shown = new Map<string, Shown>([['1001', first]]);
  tracking.store.answers.getListing = async ({ app_id: id }) => ({
    reading: tracking.store.reading(),
    listing: { ...fakeListing(id), ...shown.get(id) },
  });
  tracking.clock.at = new Date('2026-03-01T12:00:00Z');
  const appId = await trackApp(tracking, 'ann');
  let readers = 0;
  /** Another account has the listing read on a day. */
  async function read(day: string, change: Shown, id = '1001') {
    shown.set(id, { ...shown.get(id), ...change });
    tracking.clock.at = new Date(`${day}T12:00:00Z`);
    readers += 1;
    await trackApp(tracking, `reader ${readers}`, id);
  }
  const list = (change: object = {}) =>
    tracking.client.listChanges({
      account_id: 'ann',
      app_id: appId,
      competitors: false,
      from: '2026-03-01',
      to: '2026-12-31',
      page: 1,
      per_page: 10,
      oldest_day: '2025-03-01',
      effects: true,
      ...change,
    });
  return { tracking, appId, read, list };
}

/** The ranks of app 1001 for a keyword on the days around another one: a snapshot each. */
async function seedRanks(
  { connection, clock }: Tracking,
  keywordId: number,
  { around, days }: { around: string; days: number },
  rankOn: (offset: number) => number,
) {
  const window = daysOfWindow(daysBefore(around, days), daysBefore(around, -days));
  const rows = window.map((day, index) => ({
    _id: `${keywordId}:${day}`,
    keyword_id: keywordId,
    day,
    taken_at: clock.at,
    source: 'sample',
    app_ids: [...Array.from({ length: rankOn(index - days) - 1 }, (_, rank) => `other ${rank}`), '1001'],
    revision: 1,
  }));
  const snapshots = connection.collection<{ _id: string }>('snapshots');
  await snapshots.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  await snapshots.insertMany(rows);
}

test('what a reading shows otherwise is listed with the words that came and went, the newest first', async () => {
  const { read, list } = await start();
  await read('2026-03-02', { ratings: 1300, score: 4.4 });
  await read('2026-03-03', { title: 'Title of Habits', version: '2.0', score: 4.3 });
  await read('2026-03-04', { description: 'A diary.', screenshots: ['https://shots.test/new.png'] });
  const { changes, total } = await list();
  const app = { app_id: '1001', title: 'Title of Habits', is_own: true };
  const same = { added: 0, removed: 0 };
  expect(total).toBe(2);
  expect(changes).toEqual([
    {
      id: expect.stringMatching(/^\d+:4$/),
      app,
      date: '2026-03-04',
      version: '2.0',
      fields: [
        {
          field: 'description',
          before: 'What 1001 does.\nIn two lines.',
          after: 'A diary.',
          words_added: ['a', 'diary'],
          words_removed: ['what', '1001', 'does', 'in', 'two', 'lines'],
        },
      ],
      screenshots: { added: 1, removed: 1 },
      icon_changed: false,
      rating_before: 4.3,
      rating_after: 4.3,
      effects: [],
      texts: { title: 'Title of Habits', subtitle: 'Subtitle of 1001', description: 'A diary.' },
      texts_before: {
        title: 'Title of Habits',
        subtitle: 'Subtitle of 1001',
        description: 'What 1001 does.\nIn two lines.',
      },
    },
    {
      id: expect.stringMatching(/^\d+:3$/),
      app,
      date: '2026-03-03',
      version: '2.0',
      fields: [
        {
          field: 'title',
          before: 'Title of 1001',
          after: 'Title of Habits',
          words_added: ['habits'],
          words_removed: ['1001'],
        },
        { field: 'version', before: '1.2.3', after: '2.0', words_added: [], words_removed: [] },
      ],
      screenshots: same,
      icon_changed: false,
      rating_before: 4.4,
      rating_after: 4.3,
      effects: [],
      texts: {
        title: 'Title of Habits',
        subtitle: 'Subtitle of 1001',
        description: 'What 1001 does.\nIn two lines.',
      },
      texts_before: {
        title: 'Title of 1001',
        subtitle: 'Subtitle of 1001',
        description: 'What 1001 does.\nIn two lines.',
      },
    },
  ]);
});

test('only the window is listed, in pages', async () => {
  const { read, list } = await start();
  for (const day of ['02', '03', '04']) await read(`2026-03-${day}`, { version: day });
  const versions = async (change: object) => {
    const { changes, total } = await list(change);
    return [changes.map(({ version }) => version), total];
  };
  expect(await versions({ from: '2026-03-03', to: '2026-03-03' })).toEqual([['03'], 1]);
  expect(await versions({ per_page: 2 })).toEqual([['04', '03'], 3]);
  expect(await versions({ per_page: 2, page: 2 })).toEqual([['02'], 3]);
});

test('competitors are listed when asked for, without texts and effects', async () => {
  const { tracking, appId, read, list } = await start();
  await trackCompetitor(tracking, 'ann', appId, '2002');
  await read('2026-03-02', { title: 'Rival' }, '2002');
  tracking.clock.at = new Date('2026-04-30T12:00:00Z');
  expect((await list()).changes).toEqual([]);
  const { changes } = await list({ competitors: true });
  expect(changes).toMatchObject([
    { app: { app_id: '2002', title: 'Rival', is_own: false }, effects: [], texts: null, texts_before: null },
  ]);
});

test('a value that becomes known, or is not known any more, is no change', async () => {
  const { read, list } = await start();
  await read('2026-03-02', { version: null });
  await read('2026-03-03', { version: '2.0' });
  await read('2026-03-04', { ratings: null, score: null });
  expect(await list()).toMatchObject({ changes: [], total: 0 });
});

test('a description that becomes known is no change, the next one is', async () => {
  const { read, list } = await start({ description: null, unreadable: ['description'] });
  await read('2026-03-02', { description: 'A diary.', unreadable: [] });
  expect(await list()).toMatchObject({ changes: [], total: 0 });
  await read('2026-03-03', { description: 'Another diary.' });
  await read('2026-03-04', { description: 'A third one.' });
  const texts = async (change: object) => {
    const { changes, total } = await list(change);
    return [total, changes.map(({ fields }) => fields.map(({ before, after }) => [before, after]))];
  };
  const [first, second] = [[['A diary.', 'Another diary.']], [['Another diary.', 'A third one.']]];
  expect(await texts({})).toEqual([2, [second, first]]);
  // Also when it became known before the window.
  expect(await texts({ from: '2026-03-03' })).toEqual([2, [second, first]]);
  expect(await texts({ from: '2026-03-04' })).toEqual([1, [second]]);
});

test('pictures of revisions that were recorded before pictures are not known', async () => {
  const { tracking, read, list } = await start();
  await read('2026-03-02', { version: '2.0' });
  await tracking.connection.collection('listing_versions').updateMany({}, { $unset: { images: 1 } });
  expect((await list()).changes).toMatchObject([{ version: '2.0', screenshots: null, icon_changed: null }]);
});

test('after a change, the keywords with its words are compared with the others, for the days that have passed', async () => {
  const { tracking, appId, read, list } = await start();
  const keywords = ['habit a', 'habit b', 'habit c', 'one', 'two', 'three', 'four', 'title'];
  const ids = await seedKeywords(tracking, 'ann', appId, keywords);
  await read('2026-04-15', { title: 'Habit of 1001' });
  for (const [keyword, id] of ids)
    await seedRanks(tracking, id, { around: '2026-04-15', days: 28 }, (offset) =>
      keyword.startsWith('habit') && offset > 0 ? 5 : 40,
    );
  const effectsOn = async (day: string) => {
    tracking.clock.at = new Date(`${day}T12:00:00Z`);
    return (await list()).changes[0]?.effects;
  };
  expect(await effectsOn('2026-04-21')).toEqual([]);
  const moved = {
    added: { keywords: 3, rank_before: 40, rank_after: 5, moved: true },
    // The only keyword with the removed word.
    removed: { keywords: 1, rank_before: null, rank_after: null, moved: null },
    control: { keywords: 4, rank_before: 40, rank_after: 40, moved: null },
    other_changes: [],
  };
  expect(await effectsOn('2026-04-22')).toEqual([{ days: 7, ...moved }]);
  expect(await effectsOn('2026-04-29')).toEqual([
    { days: 7, ...moved },
    { days: 14, ...moved },
  ]);
  expect((await effectsOn('2026-06-30'))?.map(({ days }) => days)).toEqual([7, 14, 28]);
  expect((await list({ effects: false })).changes).toMatchObject([{ date: '2026-04-15', effects: [] }]);
});

test('an effect names the other changes of the application within its days', async () => {
  const { tracking, appId, read, list } = await start();
  await trackCompetitor(tracking, 'ann', appId, '2002');
  await read('2026-04-02', { version: '2.0' });
  await read('2026-04-15', { title: 'Habit of 1001' });
  await read('2026-04-16', { title: 'Rival' }, '2002');
  await read('2026-04-22', { ratings: 1400 });
  await read('2026-04-29', { screenshots: ['https://shots.test/new.png'] });
  tracking.clock.at = new Date('2026-06-30T12:00:00Z');
  const named = async (change: object = {}) => {
    const { changes } = await list({ from: '2026-04-15', to: '2026-04-15', competitors: true, ...change });
    return changes[0]?.effects.map(({ days, other_changes: others }) => [days, others]);
  };
  const [version, pictures] = [`${appId}:2`, `${appId}:5`];
  expect(await named()).toEqual([
    [7, []],
    [14, [pictures, version]],
    [28, [pictures, version]],
  ]);
  expect((await named({ oldest_day: '2026-04-10' }))?.[1]).toEqual([14, [pictures]]);
});

test('ranks from before the oldest day of the history count as unread', async () => {
  const { tracking, appId, read, list } = await start();
  const ids = await seedKeywords(tracking, 'ann', appId, ['habit a', 'habit b', 'habit c', 'x', 'y', 'z']);
  await read('2026-04-15', { title: 'Title of Habit' });
  for (const id of ids.values()) await seedRanks(tracking, id, { around: '2026-04-15', days: 28 }, () => 4);
  tracking.clock.at = new Date('2026-06-30T12:00:00Z');
  const ranksFrom = async (oldest: string) =>
    (await list({ oldest_day: oldest })).changes[0]?.effects.map(({ added }) => added?.rank_before);
  expect(await ranksFrom('2026-03-18')).toEqual([4, 4, 4]);
  // 11 of 14 days are under 80 %, 12 are not.
  expect(await ranksFrom('2026-04-03')).toEqual([4, 4, null]);
  expect(await ranksFrom('2026-04-04')).toEqual([4, null, null]);
  expect(await ranksFrom('2026-05-01')).toEqual([null, null, null]);
});

test('a change without words of keywords has nothing to compare, and no result page is read', async () => {
  const { tracking, appId, read, list } = await start();
  await seedKeywords(tracking, 'ann', appId, ['one', 'two', 'three']);
  await read('2026-04-15', { description: 'Habit.', version: '2.0' });
  tracking.clock.at = new Date('2026-06-30T12:00:00Z');
  const commands = recordCommands(tracking.connection);
  const unknown = { rank_before: null, rank_after: null, moved: null };
  // The App Store's search does not read descriptions.
  expect((await list()).changes[0]?.effects[0]).toEqual({
    days: 7,
    added: { keywords: 0, ...unknown },
    removed: { keywords: 0, ...unknown },
    control: { keywords: 3, ...unknown },
    other_changes: [],
  });
  expect(commands.filter((command) => command.includes('snapshots'))).toEqual([]);
});

test('a call that compares nothing does not wait until the comparisons of others are done', async () => {
  const versionOf = (revision: number, title: string) => ({
    listing_id: 7,
    revision,
    changed: ['title'],
    title,
    subtitle: null,
    version: null,
    score: null,
    read_at: new Date('2026-04-15T12:00:00Z'),
  });
  const deps = {
    orderingTurns: { compare: () => new Promise(() => {}) },
    trackedApps: { isActive: async () => true },
    listings: {
      findNames: async () => [{ _id: 7, app_id: '1001', title: 'New', store: 'ITUNES', lang: 'en-US' }],
    },
    listingVersions: {
      listChanges: async () => [versionOf(2, 'New')],
      findPrevious: async () => [versionOf(1, 'Old')],
      findRewritten: async () => new Set(),
      listDescriptions: async () => [],
    },
  };
  const list = (effects: boolean, today = '2026-04-30') =>
    listChanges(
      { ...deps, now: () => new Date(`${today}T12:00:00Z`) } as never,
      {
        account_id: 'ann',
        app_id: 7,
        competitors: false,
        from: '2026-04-01',
        to: '2026-04-30',
        page: 1,
        per_page: 10,
        oldest_day: '2026-01-01',
        effects,
      },
      { signal: new AbortController().signal },
    );
  expect((await list(false)).changes).toMatchObject([{ date: '2026-04-15', effects: [] }]);
  // Six days later, nothing can be compared yet.
  expect((await list(true, '2026-04-21')).changes).toMatchObject([{ date: '2026-04-15', effects: [] }]);
});

/** Copies the first change of a listing to many times, a week apart. */
async function repeatChange({ connection }: Tracking, count: number, hoursApart = 7 * 24) {
  const versions = connection.collection<{ _id: string; [field: string]: unknown }>('listing_versions');
  const rows = await versions.find({}).sort({ revision: 1 }).toArray();
  const [first, changed] = [rows[0], rows[1]];
  if (!first || !changed) throw new Error('there is no change');
  const copies = Array.from({ length: count }, (_, index) => ({
    ...(index % 2 === 0 ? first : changed),
    _id: `${first.listing_id}:${index + 3}`,
    revision: index + 3,
    changed: ['title'],
    description: null,
    read_at: new Date(startOfDay('2026-04-15').getTime() + (index + 1) * hoursApart * 3_600_000),
  }));
  await versions.insertMany(copies);
}

test('the queries do not depend on the number of keywords and of changes without effect', async () => {
  const queriesFor = async (keywords: number, changes: number) => {
    const { tracking, appId, read, list } = await start();
    await seedKeywords(
      tracking,
      'ann',
      appId,
      Array.from({ length: keywords }, (_, index) => `keyword ${index}`),
    );
    await read('2026-04-15', { title: 'Habits' });
    await repeatChange(tracking, changes);
    tracking.clock.at = new Date('2027-01-01T12:00:00Z');
    const commands = recordCommands(tracking.connection);
    expect((await list({ from: '2025-11-27', per_page: 50 })).total).toBe(changes + 1);
    return commands.filter((command) => /^(find|getMore|aggregate) /.test(command)).sort();
  };
  const collections = [...Array.from({ length: 5 }, () => 'listing_versions'), 'listings'];
  const queries = [...collections, 'tracked_apps', 'tracked_keywords'].map((name) => `find ${name}`);
  expect(await queriesFor(1, 1)).toEqual(queries);
  expect(await queriesFor(60, 18)).toEqual(queries);
});

test('of more than 1,000 changes the newest are listed, and it is said', async () => {
  const truncatedAt = async (changes: number) => {
    const { tracking, read, list } = await start();
    await read('2026-04-14', { title: 'Habits' });
    await repeatChange(tracking, changes - 1, 9);
    const window = { from: '2026-04-01', to: '2027-05-05', effects: false, per_page: 50 };
    const [newest, oldest] = [await list(window), await list({ ...window, page: 20 })];
    expect([newest.total, oldest.total, oldest.changes.length]).toEqual([1000, 1000, 50]);
    return [newest.truncated, oldest.changes.at(-1)?.id.split(':')[1]];
  };
  expect(await truncatedAt(1000)).toEqual([false, '2']);
  expect(await truncatedAt(1001)).toEqual([true, '3']);
});

test('a page whose effects are on more than 40,000 result pages is refused, a smaller one is not', async () => {
  const { tracking, appId, read, list } = await start();
  const keywords = [
    ...Array.from({ length: 30 }, (_, index) => `habit ${index}`),
    ...Array.from({ length: 30 }, (_, index) => `title ${index}`),
    ...Array.from({ length: 30 }, (_, index) => `other ${index}`),
  ];
  await seedKeywords(tracking, 'ann', appId, keywords);
  await read('2026-04-15', { title: 'Habit of 1001' });
  await repeatChange(tracking, 12);
  tracking.clock.at = new Date('2027-01-01T12:00:00Z');
  // 60 keywords times 56 days times 13 changes.
  const all = { from: '2025-11-27', per_page: 50 };
  await expect(list(all)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await expect(list(all)).rejects.toThrow('43680 result pages, more than 40000');
  const { changes } = await list({ ...all, per_page: 10 });
  expect(changes.map(({ effects }) => effects[2])).toEqual(
    changes.map(() => expect.objectContaining({ added: expect.objectContaining({ keywords: 20 }) })),
  );
});

test('an app of another account, or one that is not tracked, is not found', async () => {
  const { tracking, appId, list } = await start();
  for (const wrong of [{ account_id: 'bob' }, { app_id: 999 }])
    expect(await codeOf(list(wrong))).toBe('APP_NOT_FOUND');
  await tracking.client.untrackApplication({ account_id: 'ann', id: appId });
  expect(await codeOf(list())).toBe('APP_NOT_FOUND');
});
