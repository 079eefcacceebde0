import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { recordCommands } from '../../../testing/record-commands.ts';
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

const others = (count: number) => Array.from({ length: count }, (_, index) => `other.${index}`);
/** The words of an app that has a visibility, and its title. */
const snaps = fiveOf('snap');
const title = textOfFive('snap');

/** A result page on which the app has this rank. */
const pageWith = (id: number, rank: number) => [...others(rank - 1), appIdOf(id)];

const ranking = (day: string, appIds: string[]) =>
  toRanking({ day, read_at: new Date(`${day}T06:00:00Z`), source: 'sample' }, appIds);

/** An app with five title words, which are measured, and a basket that was fixed on the next day. */
async function startFixed() {
  await auditing.track(trackedListing(1, { title }));
  await auditing.measure(snaps, { traffic: 50 }, pageWith(1, 1));
  await auditing.runDue();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', true, snaps]]);
}

async function baskets() {
  const all = await auditing.baskets.list(1);
  return all.map(({ version, from_day: fromDay, is_fixed: isFixed, terms }) => [
    ...[version, fromDay, isFixed],
    terms.map(({ keyword }) => keyword),
  ]);
}

test('the score of a day comes from the ranks of its own result pages, its rating count from the reading of that day', async () => {
  await auditing.track(trackedListing(1, { title, ratings: 1200 }));
  await auditing.measure(snaps, { traffic: 50 }, pageWith(1, 4));
  await auditing.runDue();
  expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([['2026-03-10', 53.2, 1200]]);
});

test('the first day is looked for only when the window may begin before it', async () => {
  await startFixed();
  const commands = recordCommands(auditing.connection);
  const days = async (from: string) => {
    const rows = await auditing.history(1, from, '2026-03-31');
    return [rows.map(([day]) => day), commands.splice(0).sort()];
  };
  const read = ['find baskets', 'find visibility_days'];
  expect(await days('2026-03-11')).toEqual([['2026-03-11'], read]);
  expect(await days('2026-03-10')).toEqual([['2026-03-10', '2026-03-11'], read]);
  const looked = ['find baskets', 'find listings', 'find visibility_days', 'find visibility_days'];
  expect(await days('2026-03-09')).toEqual([['2026-03-10', '2026-03-11'], looked]);
});

test('an app without readings has no days', async () => {
  expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([]);
});

test('a day without a reading keeps the score for two days and has no ratings, and the history ends today', async () => {
  await startFixed();
  auditing.clock.moveTo('2026-03-15T12:00:00Z');
  await auditing.savePageRanks(snaps, ranking('2026-03-14', []));
  expect(await auditing.history(1, '2026-03-01', '2026-04-30')).toEqual([
    ['2026-03-10', 100, 1200],
    ['2026-03-11', 100, null],
    ['2026-03-12', 100, null],
    ['2026-03-13', null, null],
    ['2026-03-14', 0, null],
    ['2026-03-15', 0, null],
  ]);
  // Also where the window begins on such a day.
  expect(await auditing.history(1, '2026-03-12', '2026-03-12')).toEqual([['2026-03-12', 100, null]]);
});

test('a result page counts for its own day, in any order of arrival, and only once', async () => {
  await startFixed();
  auditing.clock.moveTo('2026-03-14T12:00:00Z');
  for (const [day, rank] of [
    ['2026-03-13', 2],
    ['2026-03-12', 3],
    ['2026-03-08', 1],
    ['2026-03-13', 2],
  ] as const)
    await auditing.savePageRanks(snaps, ranking(day, pageWith(1, rank)));
  // 100 * sqrt(.12 / .3) and 100 * sqrt(.18 / .3); pages from before the app was tracked count too.
  expect(await auditing.history(1, '2026-03-01', '2026-03-13')).toEqual([
    ['2026-03-08', 100, null],
    ['2026-03-09', 100, null],
    ['2026-03-10', 100, 1200],
    ['2026-03-11', 100, null],
    ['2026-03-12', 63.2, null],
    ['2026-03-13', 77.5, null],
  ]);
});

test('a reading that shows nothing new saves the rating count of its day', async () => {
  await startFixed();
  await auditing.readOn(1, '2026-03-12');
  await auditing.readOn(1, '2026-03-12');
  await auditing.readOn(1, '2026-03-13', null);
  auditing.clock.moveTo('2026-03-13T12:00:00Z');
  expect(await auditing.history(1, '2026-03-12', '2026-03-13')).toEqual([
    ['2026-03-12', 100, 1200],
    ['2026-03-13', null, null],
  ]);
});

test('a changed rating count belongs to the day on which it was read', async () => {
  await startFixed();
  const shown = { title, ratings: 1300 };
  await auditing.change(trackedListing(1, shown, { revision: 2, read_at: '2026-03-11T23:59:59Z' }));
  auditing.clock.moveTo('2026-03-12T00:00:01Z');
  await auditing.runDue();
  expect(await auditing.history(1, '2026-03-11', '2026-03-12')).toEqual([
    ['2026-03-11', 100, 1300],
    ['2026-03-12', 100, null],
  ]);
});

test('the later of two readings of a day has its rating count, in any order of arrival', async () => {
  await startFixed();
  auditing.clock.moveTo('2026-03-12T12:00:00Z');
  const later = { revision: 2, read_at: '2026-03-12T08:00:00Z' };
  await auditing.change(trackedListing(1, { title, ratings: 1400 }, later));
  await auditing.runDue();
  await auditing.readOn(1, '2026-03-12', 1300);
  expect(await auditing.history(1, '2026-03-12', '2026-03-12')).toEqual([['2026-03-12', 100, 1400]]);
});

test('the rating count of a day is kept when the listing changes again before its audit', async () => {
  await startFixed();
  auditing.clock.moveTo('2026-03-13T12:00:00Z');
  for (const [revision, day, ratings] of [
    [3, '2026-03-13', 1500],
    [2, '2026-03-12', 1400],
  ] as const)
    await auditing.change(trackedListing(1, { ratings }, { revision, read_at: `${day}T08:00:00Z` }));
  await auditing.runDue();
  const rows = await auditing.history(1, '2026-03-12', '2026-03-13');
  expect(rows.map(([, , ratings]) => ratings)).toEqual([1400, 1500]);
});

describe('an app that was a competitor before', () => {
  test('has a history and a basket from the day on which it was tracked', async () => {
    await auditing.change(trackedListing(1, { title }, { read_at: '2026-03-10T06:00:00Z' }));
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await auditing.readOn(1, day, 1300);
    auditing.clock.moveTo('2026-03-13T09:00:00Z');
    const readAt = '2026-03-13T08:59:00Z';
    await auditing.track(trackedListing(1, { title, ratings: 1400 }, { read_at: readAt }));
    await auditing.measure(snaps, { traffic: 50 }, pageWith(1, 1));
    auditing.clock.moveTo('2026-03-13T23:59:59Z');
    await auditing.runDue();
    expect(await baskets()).toEqual([[1, '2026-03-13', false, snaps]]);
    expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([['2026-03-13', 100, 1400]]);
    auditing.clock.moveTo(slotOf(1, '2026-03-14'));
    await auditing.runDue();
    expect(await baskets()).toEqual([[1, '2026-03-13', true, snaps]]);
  });

  test('has every rating count since it was tracked, even when that event arrives days later', async () => {
    const trackedAt = auditing.clock.at;
    await auditing.readOn(1, '2026-03-09', 1100);
    await auditing.readOn(1, '2026-03-11', 1300);
    const changed = { revision: 2, read_at: '2026-03-12T06:00:00Z' };
    await auditing.change(trackedListing(1, { title, ratings: 1400 }, changed));
    auditing.clock.moveTo('2026-03-13T23:00:00Z');
    await auditing.measure(snaps, { traffic: 50 });
    await auditing.track(trackedListing(1, { title }), 'ann', trackedAt);
    expect(await auditing.history(1, '2026-03-01', '2026-03-31')).toEqual([
      ['2026-03-10', null, 1200],
      ['2026-03-11', null, 1300],
      ['2026-03-12', null, 1400],
      ['2026-03-13', null, null],
    ]);
    // Scoring learned today that it is tracked, so the basket is open until tomorrow's audit.
    expect(await baskets()).toEqual([[1, '2026-03-10', false, snaps]]);
    auditing.clock.moveTo(slotOf(1, '2026-03-14'));
    await auditing.runDue();
    expect(await baskets()).toEqual([[1, '2026-03-10', true, snaps]]);
  });

  test('resumes its history and basket when it is tracked again', async () => {
    await startFixed();
    await auditing.untrack(1);
    auditing.clock.moveTo('2026-03-20T12:00:00Z');
    expect(await auditing.runDue()).toBe(0);
    await auditing.readOn(1, '2026-03-20', 1300);
    auditing.clock.moveTo('2026-03-21T12:00:00Z');
    await auditing.track(trackedListing(1, { title }));
    expect(await baskets()).toEqual([[1, '2026-03-10', true, snaps]]);
    const rows = await auditing.history(1, '2026-03-01', '2026-03-31');
    expect([rows[0], rows[10]]).toEqual([
      ['2026-03-10', 100, 1200],
      ['2026-03-20', null, 1300],
    ]);
  });
});

test('on its first day the basket is redrawn with each audit: tracked keywords, then the listing’s own words', async () => {
  await auditing.track(trackedListing(1, { title, subtitle: textOfFive('edit') }));
  await auditing.measure(snaps, { traffic: 30 }, pageWith(1, 1));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', false, snaps]]);
  await auditing.measure(fiveOf('collage'), { traffic: 10 }, []);
  await auditing.trackKeyword(1, fiveOf('collage'));
  expect(await auditing.runDue()).toBe(1);
  await auditing.measure(fiveOf('edit'), { traffic: 60 }, []);
  await auditing.runDue();
  const terms = [...fiveOf('collage'), ...fiveOf('edit'), ...snaps];
  expect(await baskets()).toEqual([[1, '2026-03-10', false, terms]]);
  // It ranks first for the first words only: 100 * sqrt(6.33 / (6.33 + 1.85 + 40.04)), with exp(.0615 * 30) = 6.33 searches.
  expect(await auditing.history(1, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 36.2, 1200]]);
});

test('a listing without a result page on its first day has the ranks of its second', async () => {
  await auditing.track(trackedListing(1, { subtitle: 'Collage, Filter' }));
  auditing.clock.moveTo('2026-03-11T23:30:00Z');
  await auditing.runDue();
  const terms = ['photo', 'editor', 'collage', 'filter', 'photo editor'];
  for (const term of terms) {
    await auditing.measure(term, { traffic: 50 }, pageWith(1, 1));
    await auditing.runDue();
  }
  expect(await baskets()).toEqual([[1, '2026-03-10', false, terms]]);
  auditing.clock.moveTo(slotOf(1, '2026-03-12'));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', true, terms]]);
  expect(await auditing.history(1, '2026-03-11', '2026-03-11')).toEqual([['2026-03-11', 100, null]]);
});

test('a keyword that is tracked before it is measured joins the basket of the first day once it is measured', async () => {
  await auditing.track(trackedListing(1, { title }));
  const collages = fiveOf('collage');
  await auditing.trackKeyword(1, collages);
  await auditing.runDue();
  expect(await baskets()).toEqual([]);
  await auditing.measure(collages, { traffic: 10 }, pageWith(1, 1));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', false, collages]]);
  expect(await auditing.history(1, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 100, 1200]]);
});

test('partial traffic is no weight: such a keyword joins once its suggestions are known', async () => {
  await auditing.track(trackedListing(1, { title }));
  const collages = fiveOf('collage');
  await auditing.trackKeyword(1, collages);
  await auditing.measure([...collages, ...snaps], { traffic: 60, is_partial: true }, pageWith(1, 1));
  await auditing.runDue();
  expect(await baskets()).toEqual([]);
  await auditing.measure(collages, { traffic: 34 }, pageWith(1, 1));
  await auditing.runDue();
  expect((await auditing.baskets.list(1))[0]?.terms).toEqual(
    collages.map((keyword) => ({ keyword, traffic: 34 })),
  );
});

test('a fixed basket does not change with new keywords or traffic until the next month', async () => {
  await startFixed();
  const collages = fiveOf('collage');
  await auditing.measure(collages, { traffic: 90 }, []);
  await auditing.trackKeyword(1, collages);
  await auditing.measure(snaps, { traffic: 5 });
  await auditing.runDue();
  auditing.clock.moveTo(slotOf(1, '2026-03-31'));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', true, snaps]]);
  expect((await auditing.baskets.list(1))[0]?.terms).toEqual(
    snaps.map((keyword) => ({ keyword, traffic: 50, is_public: true })),
  );

  auditing.clock.moveTo(slotOf(1, '2026-04-01'));
  await auditing.runDue();
  expect(await baskets()).toEqual([
    [1, '2026-03-10', true, snaps],
    [2, '2026-04-01', true, [...collages, ...snaps]],
  ]);
  await auditing.savePageRanks(snaps, ranking('2026-03-31', pageWith(1, 1)));
  await auditing.savePageRanks(snaps, ranking('2026-04-01', pageWith(1, 1)));
  await auditing.savePageRanks(collages, ranking('2026-04-01', []));
  expect(await auditing.history(1, '2026-03-31', '2026-04-01')).toEqual([
    ['2026-03-31', 100, null],
    // 100 * sqrt(1.36 / (1.36 + 253.41)): the second version has the weights of its own day.
    ['2026-04-01', 7.3, null],
  ]);
  // The first day of the second version also has the score over the first one.
  expect(await auditing.historyRows(1, '2026-03-31', '2026-04-01')).toMatchObject([
    { basket_version: 1, previous_basket_score: null },
    { basket_version: 2, previous_basket_score: 100 },
  ]);
});

describe('an app with fewer than five terms that name no brand', () => {
  const today = ['2026-03-10', '2026-03-10'] as const;

  const ownBrand = { app_id: appIdOf(1), developer_name: 'Snapcraft' };
  test.each([
    ['full', { brand: ownBrand }],
    ['thin, so that it is only suspected', { brand: null, suspected_brand: ownBrand }],
  ])('has no score, with the reason: one that has only its brand, whose page is %s', async (_page, named) => {
    await auditing.track(trackedListing(1, { title: 'Snapcraft' }));
    await auditing.measure('snapcraft', { traffic: 80, ...named }, pageWith(1, 1));
    await auditing.runDue();
    expect(await baskets()).toEqual([]);
    expect(await auditing.historyRows(1, ...today)).toMatchObject([
      { score: null, reason: 'basket_too_small', ratings: 1200, basket_version: null, terms: 0 },
    ]);
  });

  test('has none however well it ranks for four, and has one with the fifth', async () => {
    await auditing.track(trackedListing(1, { title: 'Snapcraft' }));
    const four = snaps.slice(0, 4);
    await auditing.measure(four, { traffic: 50 }, pageWith(1, 1));
    await auditing.trackKeyword(1, four);
    await auditing.runDue();
    expect(await baskets()).toEqual([[1, '2026-03-10', false, four]]);
    expect(await auditing.historyRows(1, ...today)).toMatchObject([
      { score: null, reason: 'basket_too_small', basket_version: 1, terms: 4 },
    ]);
    await auditing.measure('snap5', { traffic: 50 }, pageWith(1, 4));
    await auditing.trackKeyword(1, 'snap5', { at: new Date('2026-03-10T10:00:00Z') });
    await auditing.runDue();
    // 100 * sqrt((4 * .3 + .085) / (5 * .3))
    expect(await auditing.historyRows(1, ...today)).toMatchObject([{ score: 92.6, reason: null, terms: 5 }]);
  });

  test('has none where a tracked brand, its own or a rival’s, would be the fifth', async () => {
    await auditing.track(trackedListing(1, { title: 'Snapcraft' }));
    const four = snaps.slice(0, 4);
    await auditing.measure(four, { traffic: 50 }, pageWith(1, 1));
    const own = { app_id: appIdOf(1), developer_name: 'Snapcraft' };
    await auditing.measure('snapcraft', { traffic: 80, brand: own }, pageWith(1, 1));
    const rival = { app_id: 'other.0', developer_name: 'Rival' };
    await auditing.measure('rival', { traffic: 80, brand: rival }, pageWith(1, 2));
    await auditing.trackKeyword(1, ['rival', 'snapcraft', ...four]);
    await auditing.runDue();
    expect(await baskets()).toEqual([[1, '2026-03-10', false, four]]);
    expect(await auditing.historyRows(1, ...today)).toMatchObject([
      { score: null, reason: 'basket_too_small', terms: 4 },
    ]);
  });
});

test('a day says so if too little was read on it', async () => {
  await startFixed();
  auditing.clock.moveTo('2026-03-14T12:00:00Z');
  await auditing.savePageRanks(snaps.slice(0, 3), ranking('2026-03-14', pageWith(1, 1)));
  expect(await auditing.historyRows(1, '2026-03-12', '2026-03-14')).toMatchObject([
    { score: 100, reason: null, terms: 0, carried_terms: 5 },
    { score: null, reason: 'too_little_read', terms: 0, carried_terms: 0 },
    { score: null, reason: 'too_little_read', terms: 3, carried_terms: 0 },
  ]);
});

test('an untracked keyword is not drawn into the next basket', async () => {
  await startFixed();
  await auditing.measure('collage', { traffic: 90 }, []);
  await auditing.trackKeyword(1, 'collage');
  auditing.clock.advance(1000);
  await auditing.untrackKeyword(1, 'collage');
  await auditing.trackKeyword(1, 'collage', { at: new Date('2026-03-10T09:30:00Z') });
  auditing.clock.moveTo(slotOf(1, '2026-04-01'));
  await auditing.runDue();
  expect(await baskets()).toEqual([[1, '2026-03-10', true, snaps]]);
});

test('basket terms that no account tracks are read every day', async () => {
  await startFixed();
  const daily = async () =>
    (await auditing.rows('terms')).filter((row) => row.daily_until).map(({ keyword }) => keyword);
  expect((await daily()).sort()).toEqual(snaps);

  const other = await startAuditing();
  await other.track(trackedListing(1, { title: 'Photo' }));
  await other.trackKeyword(2, 'photo', { account_id: 'ben' });
  await other.measure('photo', {}, pageWith(1, 1));
  await other.runDue();
  const terms = await other.rows('terms');
  expect(terms).toMatchObject([{ keyword: 'photo', importance: 0 }]);
  expect(terms[0]?.daily_until ?? null).toBeNull();
});

test('several copies that read and audit concurrently lose no rank and create one basket', async () => {
  const words = Array.from({ length: 12 }, (_, index) => `w${index}`);
  await auditing.track(
    trackedListing(1, { title: words.slice(0, 6).join(', '), subtitle: words.slice(6).join(', ') }),
  );
  const copies = [auditing, auditing.startCopy(), auditing.startCopy()];
  await Promise.all(
    words.map(async (word, index) => {
      const copy = copies[index % copies.length] ?? auditing;
      await copy.measure(word, { traffic: 50 }, pageWith(1, 1));
      await copy.runDue();
    }),
  );
  await auditing.runDue();
  expect(await auditing.rows('baskets')).toHaveLength(1);
  expect((await auditing.baskets.findNewest(1))?.terms).toHaveLength(12);
  expect(await auditing.history(1, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 100, 1200]]);
});

test('one result page gives each app with its keyword in the basket a rank of its own', async () => {
  for (const id of [1, 2]) await auditing.track(trackedListing(id, { title }));
  await auditing.measure(snaps, {}, [appIdOf(1), appIdOf(2)]);
  await auditing.runDue();
  expect(await auditing.history(1, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 100, 1200]]);
  expect(await auditing.history(2, '2026-03-10', '2026-03-10')).toEqual([['2026-03-10', 77.5, 1200]]);
});

test.each([
  [0, '2026-03-01', '2026-03-02', 'app_id'],
  [1, '2026-03-02', '2026-03-01', 'from'],
  [1, '2026-02-30', '2026-03-01', 'from'],
  [1, '2025-01-01', '2026-02-05', 'from'],
])('app %d from %s to %s is refused', async (id, from, to, field) => {
  await expect(auditing.history(id, from, to)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { [field]: expect.anything() } } },
  });
});

test('the null of an empty page never replaces a rank of its day, in whatever order the pages come', async () => {
  const { visibilityDays } = auditing;
  const day = '2026-03-10';
  const ranks = new Map<string, number | null>([['notes', 3]]);
  const page = { listingId: 1, day, ranks, emptyPages: new Set<string>() };
  const empty = { ...page, ranks: new Map([['notes', null]]), emptyPages: new Set(['notes']) };
  const rankAfter = async (listingId: number, pages: (typeof page)[]) => {
    for (const saved of pages) await visibilityDays.saveRanks([{ ...saved, listingId }]);
    const [row] = await visibilityDays.listBetween(listingId, day, day);
    return row?.rankOf('notes');
  };
  expect(await rankAfter(1, [empty])).toBeNull();
  expect(await rankAfter(2, [empty, page])).toBe(3);
  expect(await rankAfter(3, [page, empty])).toBe(3);
  expect(await rankAfter(4, [empty, page, empty])).toBe(3);
});

test('ranks of keywords with any script or sign are stored', async () => {
  await auditing.track(trackedListing(1, { title }));
  const keywords = ['2024', 'node.js $', '写真 加工', '__proto__', 'é'.repeat(100)];
  for (const keyword of keywords) {
    auditing.clock.advance(1000);
    await auditing.trackKeyword(1, keyword);
    await auditing.measure(keyword, {}, pageWith(1, 1));
  }
  await auditing.runDue();
  expect((await auditing.baskets.findNewest(1))?.terms.map(({ keyword }) => keyword)).toEqual(keywords);
  const [row] = await auditing.visibilityDays.listBetween(1, '2026-03-10', '2026-03-10');
  expect(keywords.map((keyword) => row?.rankOf(keyword))).toEqual([1, 1, 1, 1, 1]);
});
