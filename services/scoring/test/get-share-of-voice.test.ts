import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import fc from 'fast-check';
import { recordCommands } from '../../../testing/record-commands.ts';
import { keptPageDays } from '../src/stores/page-day-store.ts';
import { toRanking } from '../src/stores/term.ts';
import {
  type Auditing,
  appIdOf,
  createAuditingHarness,
  fiveOf,
  textOfFive,
  trackedListing,
} from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

const snaps = fiveOf('snap');
const app = trackedListing(1, { title: textOfFive('snap') });
const own = appIdOf(1);

const ranking = (day: string, appIds: string[]) =>
  toRanking({ day, read_at: new Date(`${day}T06:00:00Z`), source: 'sample' }, appIds);

/** An app with five title words that were read today, first the rival, then the app. */
async function startRead() {
  await auditing.track(app);
  await auditing.measure(snaps, { traffic: 50 }, ['rival', own]);
  await auditing.runDue();
}

/** By store identifier. */
const sharesOf = ({ apps }: Awaited<ReturnType<Auditing['voice']>>) =>
  Object.fromEntries(apps.map(({ app_id: appId, share }) => [appId, share ?? null]));

test('the app, its competitors and the largest apps have shares of the newest day that sum to 1 with the others', async () => {
  await auditing.track(app);
  const largest = Array.from({ length: 12 }, (_, index) => `app.${index}`);
  await auditing.measure(snaps, { traffic: 50 }, [...largest, 'rival', own]);
  await auditing.runDue();
  const voice = await auditing.voice(app, { competitor_app_ids: ['rival', 'nowhere'] });
  expect(voice).toMatchObject({ date: '2026-03-10', oldest_page: '2026-03-10', terms: 5, terms_read: 5 });
  expect(voice.apps.map(({ app_id: appId }) => appId)).toEqual([
    ...largest.slice(0, 10),
    'rival',
    own,
    'nowhere',
  ]);
  expect(voice.apps.slice(-3)).toMatchObject([
    { is_own: false, is_competitor: true },
    { is_own: true, is_competitor: false },
    { is_own: false, is_competitor: true, share: 0 },
  ]);
  const sum = voice.apps.reduce((all, { share }) => all + (share ?? Number.NaN), voice.others ?? Number.NaN);
  expect(sum).toBeCloseTo(1, 9);
  expect(voice.others).toBeGreaterThan(0);
  expect(voice.history).toEqual([
    {
      date: '2026-03-10',
      terms: 5,
      terms_read: 5,
      apps: [own, 'rival', 'nowhere'].map((appId) => ({
        app_id: appId,
        share: sharesOf(voice)[appId],
        visibility: null,
      })),
    },
  ]);
});

test('an app that ranks for a term that few search has a small share, and never 0', async () => {
  await auditing.track(app);
  await auditing.measure(snaps, { traffic: 100 }, ['rival']);
  const before = Array.from({ length: 25 }, (_, index) => `app.${index}`);
  await auditing.measure('memo', { traffic: 5 }, [...before, own]);
  await auditing.trackKeyword(1, 'memo');
  await auditing.runDue();
  const voice = await auditing.voice(app, { competitor_app_ids: ['nowhere'] });
  expect(voice).toMatchObject({ terms: 6, terms_read: 6 });
  // exp(.0615 * 5) * .013 * (10 / 26)^1.5 / 704.4
  expect(sharesOf(voice)).toMatchObject({ [own]: 0.000006, nowhere: 0 });
  expect(voice.history[0]?.apps).toMatchObject([{ share: 0.000006 }, { share: 0 }]);
  const sum = voice.apps.reduce((all, { share }) => all + (share ?? Number.NaN), voice.others ?? Number.NaN);
  expect(sum).toBeCloseTo(1, 9);
});

test('those of the terms that count that the account tracks are named, with their share of the searches and the day of their page', async () => {
  const [first = '', ...others] = snaps;
  await auditing.track(app);
  await auditing.measure(others, { traffic: 50 }, ['rival', own]);
  await auditing.measure(first, { traffic: 100 });
  await auditing.trackKeyword(1, snaps.slice(0, 3));
  await auditing.runDue();
  const { basket, terms } = await auditing.voice(app);
  // exp(.0615 * 100) / (exp(.0615 * 100) + 4 * exp(.0615 * 50))
  expect(basket).toEqual([
    { keyword: first, weight: 0.8441, page_date: null },
    ...snaps
      .slice(1, 3)
      .toSorted()
      .map((keyword) => ({ keyword, weight: 0.039, page_date: '2026-03-10' })),
  ]);
  expect(terms).toBe(5);
});

test('on request each day has the visibility of each app, over the same terms and pages', async () => {
  await startRead();
  const given = { competitor_app_ids: ['rival', 'nowhere'] };
  const { history } = await auditing.voice(app, { ...given, with_visibility: true });
  const scores = history.map(({ apps }) => apps.map(({ visibility }) => visibility));
  // 100 * sqrt(.18 / .3)
  expect(scores).toEqual([[77.5, 100, 0]]);
});

test('terms that only another account tracks do not count, in no share, total or day', async () => {
  await startRead();
  const secrets = fiveOf('secret');
  await auditing.measure(secrets, { traffic: 90 }, ['spy']);
  await auditing.trackKeyword(1, secrets, { account_id: 'ben' });
  await auditing.runDue();
  expect((await auditing.baskets.findNewest(1))?.terms).toHaveLength(10);
  const anns = await auditing.voice(app, { competitor_app_ids: ['spy'] });
  expect(anns).toMatchObject({ terms: 5, terms_read: 5 });
  expect(sharesOf(anns)).toEqual({ rival: 0.625, [own]: 0.375, spy: 0 });
  expect(anns.basket).toEqual([]);
  const bens = await auditing.voice(app, { account_id: 'ben', competitor_app_ids: ['spy'] });
  expect(bens).toMatchObject({ terms: 10, terms_read: 10 });
  expect(sharesOf(bens).spy).toBeGreaterThan(0.8);
  expect(bens.basket.map(({ keyword }) => keyword)).toEqual(secrets.toSorted());
  // Only their pages are read on the next day.
  auditing.clock.moveTo('2026-03-11T12:00:00Z');
  await auditing.savePageRanks(secrets, ranking('2026-03-11', ['spy']));
  expect((await auditing.voice(app)).date).toBe('2026-03-10');
  expect((await auditing.voice(app, { account_id: 'ben' })).date).toBe('2026-03-11');
  await auditing.untrackKeyword(1, 'secret', { account_id: 'ben' });
  expect(await auditing.voice(app, { account_id: 'ben' })).toMatchObject({ terms: 9 });
  await auditing.deleteAccount('ben');
  expect(await auditing.voice(app, { account_id: 'ben' })).toMatchObject({ terms: 5, date: '2026-03-10' });
});

test('a change of the listing takes neither the terms of its earlier texts nor their past out of the shares', async () => {
  await startRead();
  await auditing.measure('secret', { traffic: 90 }, ['spy']);
  await auditing.trackKeyword(1, 'secret', { account_id: 'ben' });
  await auditing.runDue();
  const before = await auditing.voice(app);
  const renamed = trackedListing(1, { title: 'Zebra' });
  expect(await auditing.voice(renamed)).toEqual(before);
  expect(before).toMatchObject({ terms: 5, terms_read: 5, history: [{ date: '2026-03-10' }] });
  // Of a basket that an older version drew, only the texts of today are known.
  const basket = await auditing.baskets.findNewest(1);
  const terms = basket?.terms.map(({ keyword, traffic }) => ({ keyword, traffic }));
  await auditing.connection.collection('baskets').updateOne({ listing_id: 1 }, { $set: { terms } });
  expect(await auditing.voice(renamed)).toMatchObject({ date: null, terms: 0, history: [] });
  expect(await auditing.voice(app)).toEqual(before);
});

test('a term that the account tracks counts, also one that no public text has', async () => {
  await startRead();
  await auditing.measure('memo', { traffic: 50 }, ['spy']);
  await auditing.trackKeyword(1, 'memo');
  await auditing.runDue();
  expect(await auditing.voice(app)).toMatchObject({ terms: 6 });
  expect(await auditing.voice(app, { account_id: 'ben' })).toMatchObject({ terms: 5 });
});

test('days have their own pages; one without 80 % of the searches is null, and a change needs both days', async () => {
  await startRead();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  await auditing.savePageRanks(snaps.slice(0, 4), ranking('2026-03-11', [own, 'rival']));
  auditing.clock.moveTo('2026-03-17T12:00:00Z');
  await auditing.savePageRanks(snaps, ranking('2026-03-17', [own]));
  const voice = await auditing.voice(app, { competitor_app_ids: ['rival'] });
  expect(voice.apps).toMatchObject([
    { app_id: own, share: 1, change_7d: 0.625 },
    { app_id: 'rival', share: 0, change_7d: -0.625 },
  ]);
  const rows = voice.history.map(({ date, terms_read: read, apps }) => [date, read, apps[0]?.share ?? null]);
  expect(rows).toEqual([
    ['2026-03-10', 5, 0.375],
    ['2026-03-11', 5, 0.575],
    ['2026-03-12', 5, 0.575],
    ['2026-03-13', 4, 0.625],
    ['2026-03-14', 0, null],
    ['2026-03-15', 0, null],
    ['2026-03-16', 0, null],
    ['2026-03-17', 5, 1],
  ]);
  const earlier = await auditing.voice(app, { from: '2026-03-11', to: '2026-03-14' });
  expect(earlier).toMatchObject({ date: '2026-03-11', apps: [{ app_id: own }, { app_id: 'rival' }] });
  expect(earlier.apps.map(({ change_7d: change }) => change ?? null)).toEqual([null, null]);
  expect(earlier.history).toHaveLength(4);
});

test('without a page, or for an app that was never followed here, everything is null', async () => {
  await auditing.track(app);
  await auditing.measure(snaps, { traffic: 50 });
  await auditing.runDue();
  const nothing = { date: null, others: null, oldest_page: null, terms_read: 0, history: [] };
  const blank = { title: null, icon: null, share: null, change_7d: null };
  const apps = [
    { ...blank, app_id: own, is_own: true, is_competitor: false },
    { ...blank, app_id: 'rival', is_own: false, is_competitor: true },
  ];
  const given = { competitor_app_ids: ['rival'] };
  expect(await auditing.voice(app, given)).toEqual({ ...nothing, terms: 5, apps, basket: [] });
  const unknown = trackedListing(2, { title: textOfFive('snap') });
  const of2 = apps.map((one) => (one.is_own ? { ...one, app_id: appIdOf(2) } : one));
  expect(await auditing.voice(unknown, given)).toEqual({ ...nothing, terms: 0, apps: of2, basket: [] });
});

test('titles and icons come from the newest pages of the terms that count', async () => {
  await startRead();
  const shown = (appId: string, title: string) => ({ app_id: appId, title, icon: `https://x.test/${appId}` });
  const write = (keyword: string, readAt: string, apps: unknown[]) =>
    auditing.terms.model.collection.updateOne(
      { keyword },
      { $set: { 'reading.page': { day: readAt.slice(0, 10), read_at: new Date(readAt), size: 2, apps } } },
    );
  await write('snap', '2026-03-09T06:00:00Z', [shown('rival', 'Old'), shown(own, 'Snap')]);
  await write('snap2', '2026-03-10T06:00:00Z', [
    shown('rival', 'New'),
    { app_id: 'x', title: null, icon: null },
  ]);
  expect((await auditing.voice(app)).apps).toMatchObject([
    { app_id: 'rival', title: 'New', icon: 'https://x.test/rival' },
    { app_id: own, title: 'Snap', icon: `https://x.test/${own}` },
  ]);
});

test('pages may come in any order and twice; an empty one never replaces results of its day', async () => {
  const { pageDays } = auditing;
  const day = '2026-03-10';
  const page = (keyword: string, appIds: string[]) => ({
    listingId: 1,
    day,
    pages: new Map([[keyword, appIds]]),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        [page('node.js $', ['a', 'b']), page('node.js $', []), page('2024', []), page('__proto__', ['c'])],
        { minLength: 4 },
      ),
      async (changes) => {
        await auditing.connection.collection('page_days').deleteMany({});
        for (const change of [...changes, ...changes]) await pageDays.savePages([change]);
        const [row] = await pageDays.listBetween(1, day, day);
        expect(row?.pageOf('node.js $')).toEqual(['a', 'b']);
        expect(row?.pageOf('2024')).toEqual([]);
        expect(row?.pageOf('__proto__')).toEqual(['c']);
        expect(row?.pageOf('other')).toBeUndefined();
      },
    ),
    { numRuns: 8, seed: 46 },
  );
});

test('a full day takes at most 30 KB', async () => {
  // Store identifiers as the App Store gives them: ten digits without an order.
  const idAt = (index: number) => String(1_000_000_000 + ((index * 2_654_435_761) % 5_999_999_999));
  const pages = new Map(
    Array.from({ length: 50 }, (_, term) => [
      `keyword number ${term}`,
      Array.from({ length: 100 }, (_, rank) => idAt(term * 100 + rank)),
    ]),
  );
  await auditing.pageDays.savePages([{ listingId: 1, day: '2026-03-10', pages }]);
  const [row] = await auditing.rows('page_days');
  const sizes = Object.values(row?.pages ?? {}).map((page) => (page as { buffer: Uint8Array }).buffer.length);
  expect(sizes).toHaveLength(50);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
});

test('a window costs five queries, however many days, terms and competitors it has', async () => {
  await startRead();
  for (const day of ['2026-01-05', '2026-02-05', '2026-03-05'])
    await auditing.savePageRanks(snaps, ranking(day, ['rival', own]));
  const commands = recordCommands(auditing.connection);
  const competitors = Array.from({ length: 100 }, (_, index) => `app.${index}`);
  const voice = await auditing.voice(app, {
    competitor_app_ids: competitors,
    from: '2025-12-11',
    to: '2026-03-10',
  });
  expect(voice.history).toHaveLength(65);
  expect(commands.toSorted()).toEqual([
    'find baskets',
    'find listings',
    'find page_days',
    'find terms',
    'find tracked_terms',
  ]);
});

test('a deleted account takes no pages with it that others count, and its own terms count for nobody', async () => {
  await startRead();
  await auditing.track(app, 'bob');
  await auditing.trackKeyword(1, 'mosaic');
  await auditing.trackKeyword(1, 'violin', { account_id: 'bob' });
  await auditing.measure(['mosaic', 'violin'], { traffic: 90 }, ['rival']);
  await auditing.runDue();
  await auditing.savePageRanks(['mosaic', 'violin'], ranking('2026-03-10', ['rival']));
  const before = await auditing.voice(app, { account_id: 'bob' });
  expect(before).toMatchObject({ terms: 6, terms_read: 6 });
  expect(await auditing.voice(app)).toMatchObject({ terms: 6 });
  await auditing.deleteAccount('ann');
  expect(await auditing.voice(app, { account_id: 'bob' })).toEqual(before);
  expect(await auditing.voice(app)).toMatchObject({ terms: 5 });
});

test('the days of before 100 days are deleted', async () => {
  const { pageDays } = auditing;
  const pages = new Map([['notes', ['a']]]);
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
    await pageDays.savePages([{ listingId: 1, day, pages }]);
  await pageDays.deleteBefore('2026-01-02');
  const rows = await pageDays.listBetween(1, '2025-12-01', '2026-02-01');
  expect(rows.map(({ day }) => day)).toEqual(['2026-01-02', '2026-01-03']);
  expect(keptPageDays).toBe(100);
});

test.each([
  ['a window of 91 days', { from: '2026-01-01', to: '2026-04-01' }, 'from'],
  ['a reversed window', { from: '2026-02-02', to: '2026-02-01' }, 'from'],
  ['a competitor twice', { competitor_app_ids: ['a', 'a'] }, 'competitor_app_ids'],
  ['a competitor without an id', { competitor_app_ids: [''] }, 'competitor_app_ids'],
  [
    '101 competitors',
    { competitor_app_ids: Array.from({ length: 101 }, (_, n) => `app.${n}`) },
    'competitor_app_ids',
  ],
  ['no account', { account_id: '' }, 'account_id'],
])('%s is refused', async (_, given, field) => {
  await expect(auditing.voice(app, given)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: expect.anything() } } },
  });
});
