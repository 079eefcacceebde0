import { startOfDay, startOfNextDay, utcDay } from '@shelfwise/runtime/day';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { maxLooksPerHour } from '../src/daily-run/second-look.ts';
import { fakeFoundApp, storeFailed } from './fake-store-fetch.ts';
import { seedKeywords } from './seed-keywords.ts';
import { createHarness, quiet, trackApp } from './start-tracking.ts';

const { startTracking } = createHarness();

const others = Array.from({ length: 40 }, (_, index) => `other.${index + 1}`);
/** A page with the tracked app at this rank; null: without it. */
const pageWith = (rank: number | null) =>
  rank === null ? others : [...others.slice(0, rank - 1), '1001', ...others.slice(rank - 1)];

type ShownPage = { page: readonly string[]; isSuspect?: boolean };

/**
 * On the first day the tracked app is third; on the last one the store answers each search with the next page. `between`: the
 * pages of the days in between.
 */
async function readNextDay(
  answers: (readonly string[] | 'fails')[],
  {
    tracked = ['1001'],
    firstPage = pageWith(3),
    isSuspect = false,
    between = [],
  }: { tracked?: string[]; firstPage?: string[]; isSuspect?: boolean; between?: ShownPage[] } = {},
) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const seeder = await startTracking({ clock });
  seeder.store.setPage('camera', firstPage);
  for (const appId of tracked)
    await seedKeywords(seeder, 'ann', await trackApp(seeder, 'ann', appId), ['camera']);
  await seeder.stop();
  const tracking = await startTracking({ clock, database: seeder.database, dailyRun: true });
  await quiet(clock);
  let day = '2026-03-10';
  const toNextDay = async () => {
    day = utcDay(startOfNextDay(startOfDay(day)));
    clock.moveTo(`${day}T23:00:00Z`);
    await quiet(clock);
  };
  const show = ({ page, isSuspect: isMarked = false }: ShownPage) => ({
    reading: tracking.store.reading(),
    apps: page.map(fakeFoundApp),
    is_suspect: isMarked,
  });
  for (const shown of between) {
    tracking.store.answers.search = async () => show(shown);
    await toNextDay();
  }
  const freshSince: (Date | undefined)[] = [];
  tracking.store.answers.search = async (request) => {
    freshSince.push(request.fresh_since ?? undefined);
    const page = answers.length > 1 ? answers.shift() : answers[0];
    if (page === 'fails' || !page) throw storeFailed();
    return show({ page, isSuspect });
  };
  return {
    tracking,
    freshSince,
    /** Whether each page of the last day was read twice, and the rank of the app there. */
    async read(): Promise<[boolean, number][]> {
      await toNextDay();
      await tracking.stop();
      const taken = messagesOf(tracking.bus.published, 'tracking.snapshot-taken.v1');
      return taken
        .filter((page) => page.day === day)
        .map(({ was_read_twice, app_ids }) => [was_read_twice === true, app_ids.indexOf('1001') + 1]);
    },
  };
}

test('a store that is wrong once: the second page is stored, on which the app did not fall', async () => {
  const { read, freshSince, tracking } = await readNextDay([pageWith(null), pageWith(3)]);
  expect(await read()).toEqual([[true, 3]]);
  // No cache may answer the second look.
  expect(freshSince).toEqual([undefined, expect.any(Date)]);
  const [{ latest } = { latest: null }] = await tracking.rows('keyword_markets');
  expect((latest as { app_ids: string[] } | null)?.app_ids.indexOf('1001')).toBe(2);
});

test('a store that is right: the drop is published as read twice', async () => {
  const { read, tracking } = await readNextDay([pageWith(30)]);
  expect(await read()).toEqual([[true, 30]]);
  expect(tracking.store.searches).toEqual(['camera', 'camera']);
});

test('a drop of 20 places needs no second look', async () => {
  const { read, tracking } = await readNextDay([pageWith(23)]);
  expect(await read()).toEqual([[false, 23]]);
  expect(tracking.store.searches).toEqual(['camera']);
});

test('a page of a suspect storefront, which is compared with nothing, needs no second look', async () => {
  const { read, tracking } = await readNextDay([pageWith(null)], { isSuspect: true });
  expect(await read()).toEqual([[false, 0]]);
  expect(tracking.store.searches).toEqual(['camera']);
  const taken = messagesOf(tracking.bus.published, 'tracking.snapshot-taken.v1');
  expect(taken.find(({ day }) => day === '2026-03-11')?.is_suspect).toBe(true);
});

test.each<[string, ShownPage]>([
  ['empty pages', { page: [] }],
  ['pages of a suspect storefront', { page: pageWith(35), isSuspect: true }],
])('after %s, the fall is measured from the last page before them', async (_name, shown) => {
  const { read, tracking } = await readNextDay([pageWith(30)], { between: [shown, shown] });
  expect(await read()).toEqual([[true, 30]]);
  expect(tracking.store.searches).toHaveLength(4);
});

test('after an empty page, an app that is where it was needs no second look', async () => {
  const { read, tracking } = await readNextDay([pageWith(3)], { between: [{ page: [] }] });
  expect(await read()).toEqual([[false, 3]]);
  expect(tracking.store.searches).toHaveLength(2);
});

test('an app for which no account tracks the keyword may fall', async () => {
  const { read, tracking } = await readNextDay([pageWith(null)], { tracked: ['2002'] });
  expect(await read()).toEqual([[false, 0]]);
  expect(tracking.store.searches).toEqual(['camera']);
});

test('a page on which another tracked app fell only the second time counts as read once', async () => {
  const without = (gone: string) => ['2002', '1001', ...others].filter((appId) => appId !== gone);
  const pages = { tracked: ['1001', '2002'], firstPage: ['2002', '1001', ...others] };
  const { read, tracking } = await readNextDay([without('1001'), without('2002')], pages);
  expect(await read()).toEqual([[false, 1]]);
  expect(tracking.store.searches).toEqual(['camera', 'camera']);
});

test('without a second page, the first one is published as read once', async () => {
  const { read } = await readNextDay([pageWith(30), 'fails']);
  expect(await read()).toEqual([[false, 30]]);
});

test('an empty second page is none', async () => {
  const { read } = await readNextDay([pageWith(30), []]);
  expect(await read()).toEqual([[false, 30]]);
});

test('at most 50 pages an hour are read twice, whichever copy reads them', async () => {
  const { read, tracking } = await readNextDay([pageWith(30)]);
  // Other copies have used them up; the clock of the test is in the last hour of the daily run when it reads.
  await tracking.connection
    .collection<{ _id: string; hour: string; count: number }>('second_looks')
    .insertOne({ _id: 'looks', hour: '2026-03-11T23', count: maxLooksPerHour });
  expect(await read()).toEqual([[false, 30]]);
});
