import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import fc from 'fast-check';
import { toRanking } from '../src/stores/term.ts';
import {
  type Auditing,
  appIdOf,
  createAuditingHarness,
  fiveOf,
  textOfFive,
  trackedListing,
  us,
} from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

/** The words of an app that has a visibility, and its title. */
const snaps = fiveOf('snap');
const title = textOfFive('snap');
const edits = fiveOf('edit');
const subtitle = textOfFive('edit');

const ranking = (day: string, appIds: string[]) =>
  toRanking({ day, read_at: new Date(`${day}T06:00:00Z`), source: 'sample' }, appIds);

/** Listing 1 ranks second to a competitor on a page of today. */
async function startCompared() {
  await auditing.track(trackedListing(1, { title }));
  await auditing.measure(snaps, { traffic: 50 }, ['rival', appIdOf(1), 'third']);
  await auditing.runDue();
}

/** The newest day of the history that has a score. */
async function lastScored(id: number) {
  const rows = await auditing.history(id, '2026-03-01', '2026-04-30');
  return rows.filter(([, score]) => score !== null).at(-1) ?? null;
}

test('an app has the score of its history, its competitors are scored on the same pages, in the requested order', async () => {
  await startCompared();
  const competitorAppIds = ['third', 'rival', 'nowhere'];
  expect(await auditing.compare([{ id: 1, competitor_app_ids: competitorAppIds }])).toEqual([
    {
      id: 1,
      score: 77.5,
      day: '2026-03-10',
      competitors: [
        { app_id: 'third', score: 63.2 },
        { app_id: 'rival', score: 100 },
        { app_id: 'nowhere', score: 0 },
      ],
    },
  ]);
  expect(await lastScored(1)).toEqual(['2026-03-10', 77.5, 1200]);
});

test('an unknown app, or one without a result page, has no score, and neither have its competitors', async () => {
  await auditing.track(trackedListing(1, { title }));
  await auditing.measure(snaps, { traffic: 50 });
  await auditing.runDue();
  expect(await auditing.baskets.findNewest(1)).not.toBeNull();
  const listings = [1, 2].map((id) => ({ id, competitor_app_ids: ['rival'] }));
  const unknown = { score: null, day: null, competitors: [{ app_id: 'rival', score: null }] };
  expect(await auditing.compare(listings)).toEqual([1, 2].map((id) => ({ id, ...unknown })));
});

test('an app with fewer than five terms that name no brand has no score, nor have its competitors', async () => {
  await auditing.track(trackedListing(1, { title: 'Snapcraft' }));
  const brand = { app_id: appIdOf(1), developer_name: 'Snapcraft' };
  await auditing.measure('snapcraft', { traffic: 80, brand }, [appIdOf(1), 'rival']);
  await auditing.runDue();
  const compare = async () => (await auditing.compare([{ id: 1, competitor_app_ids: ['rival'] }]))[0];
  expect(await compare()).toMatchObject({ score: null, competitors: [{ score: null }] });
  await auditing.measure(snaps, { traffic: 50 }, [appIdOf(1), 'rival']);
  await auditing.trackKeyword(1, snaps.slice(0, 4));
  await auditing.runDue();
  expect(await compare()).toMatchObject({ score: null, day: '2026-03-10', competitors: [{ score: null }] });
  await auditing.trackKeyword(1, 'snap5');
  await auditing.runDue();
  expect(await compare()).toMatchObject({ score: 100, competitors: [{ score: 77.5 }] });
});

test('the pages of the newest day and of two days before count, for the app and its competitors', async () => {
  await auditing.track(trackedListing(1, { title, subtitle }));
  await auditing.measure([...snaps, ...edits], { traffic: 50 }, [appIdOf(1), 'rival']);
  await auditing.runDue();
  auditing.clock.moveTo('2026-03-11T12:00:00Z');
  await auditing.runDue();
  await auditing.measure(edits, { traffic: 50 }, ['rival', 'other', appIdOf(1)]);
  expect(await auditing.compare([{ id: 1, competitor_app_ids: ['rival'] }])).toEqual([
    // 100 * sqrt((.3 + .12) / .6) and 100 * sqrt((.18 + .3) / .6)
    { id: 1, score: 83.7, day: '2026-03-11', competitors: [{ app_id: 'rival', score: 89.4 }] },
  ]);
  expect(await lastScored(1)).toEqual(['2026-03-11', 83.7, null]);
});

test('without the pages of most of the basket there is no score', async () => {
  await auditing.track(trackedListing(1, { title, subtitle }));
  await auditing.measure([...snaps, ...edits], { traffic: 50 }, [appIdOf(1), 'rival']);
  await auditing.runDue();
  auditing.clock.moveTo('2026-03-13T12:00:00Z');
  await auditing.runDue();
  await auditing.measure(edits, { traffic: 50 }, ['rival']);
  expect(await auditing.compare([{ id: 1, competitor_app_ids: ['rival'] }])).toEqual([
    { id: 1, score: null, day: '2026-03-13', competitors: [{ app_id: 'rival', score: null }] },
  ]);
});

test('a new basket counts from its first result page on; until then the newest day has the previous one', async () => {
  await startCompared();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  auditing.clock.moveTo('2026-03-31T12:00:00Z');
  await auditing.measure(snaps, { traffic: 50 }, ['rival', appIdOf(1)]);
  const collages = fiveOf('collage');
  await auditing.measure(collages, { traffic: 90 }, ['rival']);
  await auditing.trackKeyword(1, collages);
  auditing.clock.moveTo(slotOf(1, '2026-04-01'));
  await auditing.runDue();
  expect(
    (await auditing.baskets.list(1)).map(({ version, from_day: fromDay }) => [version, fromDay]),
  ).toEqual([
    [1, '2026-03-10'],
    [2, '2026-04-01'],
  ]);
  const compare = async () => (await auditing.compare([{ id: 1, competitor_app_ids: ['rival'] }]))[0];
  expect(await compare()).toMatchObject({ score: 77.5, day: '2026-03-31' });
  await auditing.measure(collages, { traffic: 90 }, [appIdOf(1), 'rival']);
  // The other terms keep their ranks of the day before.
  expect(await compare()).toMatchObject({ score: 98.4, day: '2026-04-01', competitors: [{ score: 79.5 }] });
  expect((await lastScored(1))?.slice(0, 2)).toEqual(['2026-04-01', 98.4]);
});

test('result pages from before the app was known are compared over its first basket', async () => {
  await auditing.track(trackedListing(1, { title }));
  await auditing.measure(snaps, { traffic: 50 }, [appIdOf(1)], '2026-03-08');
  await auditing.runDue();
  expect(await auditing.compare([{ id: 1, competitor_app_ids: [] }])).toEqual([
    { id: 1, score: 100, day: '2026-03-08', competitors: [] },
  ]);
  expect(await auditing.history(1, '2026-03-08', '2026-03-08')).toEqual([['2026-03-08', 100, null]]);
});

test('for any pages of any days, the score is that of its day in the history', async () => {
  const words = ['elm', 'red', 'sun', 'fog', 'oak'];
  const pages = fc.array(
    fc.record({
      keyword: fc.constantFrom(...words),
      day: fc.constantFrom('2026-03-08', '2026-03-09', '2026-03-10'),
      apps: fc.shuffledSubarray(['own', 'rival', 'other', 'fourth']),
    }),
    { minLength: 1, maxLength: 12 },
  );
  let id = 0;
  await fc.assert(
    fc.asyncProperty(pages, async (read) => {
      id += 1;
      const suffix = `x${id}`;
      const shown = words.map((word) => word + suffix);
      const texts = { title: shown.slice(0, 3).join(' '), subtitle: shown.slice(3).join(' ') };
      await auditing.track(trackedListing(id, texts));
      for (const [index, word] of shown.entries()) await auditing.measure(word, { traffic: 20 * index });
      await auditing.runDue();
      for (const { keyword, day, apps } of read) {
        const page = ranking(
          day,
          apps.map((app) => (app === 'own' ? appIdOf(id) : app)),
        );
        await auditing.terms.saveSnapshots(
          [{ storefront: us, keyword: keyword + suffix, ranking: page, isDue: false }],
          auditing.clock.at,
        );
        await auditing.savePageRanks(keyword + suffix, page);
      }
      const [compared] = await auditing.compare([{ id, competitor_app_ids: ['rival', appIdOf(id)] }]);
      const day = compared?.day ?? '';
      const [row] = await auditing.history(id, day, day);
      expect([day, compared?.score]).toEqual(row?.slice(0, 2));
      expect(compared?.competitors[1]?.score).toBe(compared?.score);
    }),
    {
      numRuns: 12,
      // An empty page after one with results of the same day.
      examples: [
        [
          [
            { keyword: 'oak', day: '2026-03-08', apps: ['own'] },
            { keyword: 'fog', day: '2026-03-08', apps: [] },
            { keyword: 'oak', day: '2026-03-08', apps: [] },
          ],
        ],
      ],
    },
  );
});

test('a hundred apps cost two queries each, however many competitors they have', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  await auditing.measure(snaps, { traffic: 50 }, ids.map(appIdOf));
  for (const id of ids) {
    const listing = { ...us, _id: id, app_id: appIdOf(id) };
    const basket = { version: 1, from_day: '2026-03-10', month: '2026-03', is_fixed: true };
    const terms = snaps.map((keyword) => ({ keyword, traffic: 50 }));
    await auditing.baskets.save(listing, { ...basket, terms }, null);
  }
  const queries = [
    jest.spyOn(auditing.connection.model('Basket'), 'findOne'),
    jest.spyOn(auditing.terms.model, 'find'),
  ];
  const competitorAppIds = ids.slice(0, 10).map(appIdOf);
  const compared = await auditing.compare(ids.map((id) => ({ id, competitor_app_ids: competitorAppIds })));
  expect(compared.map(({ id }) => id)).toEqual(ids);
  expect(compared[1]).toMatchObject({ score: 77.5 });
  expect(compared[1]?.competitors.slice(0, 2).map(({ score }) => score)).toEqual([100, 77.5]);
  expect(queries.map((query) => query.mock.calls.length)).toEqual([100, 100]);
});

test('nothing more is read for a caller that has disconnected', async () => {
  await startCompared();
  const caller = new AbortController();
  const findNewest = jest.spyOn(auditing.connection.model('Basket'), 'findOne');
  caller.abort(new Error('the caller has gone'));
  const listings = [1, 2, 3].map((id) => ({ id, competitor_app_ids: [] }));
  await expect(auditing.compare(listings, caller.signal)).rejects.toThrow('has gone');
  expect(findNewest).not.toHaveBeenCalled();
});

test.each([
  ['an invalid id', [{ id: 0, competitor_app_ids: [] }]],
  ['an app twice', [1, 1].map((id) => ({ id, competitor_app_ids: [] }))],
  ['a competitor without an id', [{ id: 1, competitor_app_ids: [''] }]],
  ['a competitor with too long an id', [{ id: 1, competitor_app_ids: ['x'.repeat(256)] }]],
  [
    'more than 1,000 apps',
    Array.from({ length: 1001 }, (_, index) => ({ id: index + 1, competitor_app_ids: [] })),
  ],
  [
    'more than 1,000 competitors in total',
    [1, 2].map((id) => ({
      id,
      competitor_app_ids: Array.from({ length: 501 }, (_, index) => `app.${index}`),
    })),
  ],
])('%s is refused', async (_, listings) => {
  await expect(auditing.compare(listings)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});
