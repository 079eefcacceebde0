import { importances } from '../src/domain/term-schedule.ts';
import { createMeasurer } from '../src/terms/create-measurer.ts';
import { createTermJobs } from '../src/terms/term-jobs.ts';
import { createFakeStoreFetch, fakeFoundApp, fakePage } from './fake-store-fetch.ts';
import { appIdOf, createAuditingHarness, trackedListing, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

/** Ten words, which form no phrases, and further ones. */
const firstTen = ['garden', 'plants', 'water', 'seeds', 'soil', 'roots', 'bulbs', 'ferns', 'pots', 'rain'];
const further = [
  'moss',
  'herbs',
  'lawn',
  'weeds',
  'trees',
  'hedge',
  'mulch',
  'spade',
  'rake',
  'hose',
  'pond',
];
const description = [...firstTen, ...further].join('. ');
const sprout = (changes = {}, reading = {}) =>
  trackedListing(1, { title: 'Sprout', description, ...changes }, reading);
/** Apps whose titles name no term, so that people search for the suggested terms only. */
const others = fakePage('other');
const five = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The workers of the service run on the clock of the test, with a store that suggests these terms. */
async function start(suggested: readonly string[]) {
  const auditing = await startAuditing();
  const { clock, terms, measuredTerms, appDetails, dueTerms, sourceGuard, auditor } = auditing;
  const store = createFakeStoreFetch(clock.now);
  store.suggestions.terms = [...suggested];
  const ownApp = fakeFoundApp(appIdOf(1), { title: 'Sprout', developer_name: 'Sprout' });
  store.setPage('sprout', [ownApp, ...others]);
  for (const term of [...firstTen, ...further, ...five]) store.setPage(term, others);
  const measurer = createMeasurer({
    terms,
    measuredTerms,
    appDetails,
    sourceGuard,
    now: clock.now,
    storeFetch: store.client,
    onMeasured: auditor.onMeasured,
    wake: () => {},
    random: () => 0,
  });
  // The words that a first audit waits for are read with tracked keywords.
  const kinds = (['tracked', 'words'] as const).map((kind) =>
    createTermJobs({ store: 'ITUNES', kind, dueTerms, measurer, now: clock.now, random: () => 0 }),
  );
  const call = () => ({ requestId: 'run', signal: new AbortController().signal });

  /** Runs what is due until nothing is; returns the terms whose pages were read, in alphabetical order. */
  async function work(): Promise<string[]> {
    store.forgetCalls();
    for (;;) {
      // The first requests of a term are due within some milliseconds.
      clock.advance(50);
      let ran = 0;
      for (const jobs of kinds) {
        const claimed = await jobs.claim(20, false);
        await Promise.all(claimed.map((job) => jobs.run(job, call())));
        ran += claimed.length;
      }
      if (ran === 0 && (await auditing.runDue()) === 0)
        return store.requests.searchApps.map(({ term }) => term).sort();
    }
  }

  /** The app has this rank on the pages of the terms from now on. */
  function rankAt(rank: number, keywords: readonly string[]) {
    for (const term of keywords) store.setPage(term, others.toSpliced(rank - 1, 0, fakeFoundApp(appIdOf(1))));
  }

  /** The terms are measured for something else: the text of another app, or what an account does. */
  async function know(keywords: readonly string[], { isPublic = true } = {}) {
    const requests = keywords.map((keyword) => ({
      keyword,
      importance: importances.indexed,
      isDaily: false,
      isPublic,
    }));
    await terms.requestMeasuring(us, requests, new Date(clock.at.getTime() + 1000), clock.at);
    await work();
  }

  /** Version, whether it is fixed, and terms. */
  async function baskets() {
    const all = await auditing.baskets.list(1);
    return all.map(({ version, is_fixed: isFixed, terms }) => [version, isFixed, terms.map(nameOf)]);
  }
  return { ...auditing, store, work, know, rankAt, basketsOfApp: baskets };
}

const nameOf = ({ keyword }: { keyword: string }) => keyword;

test('an app whose name is its brand has a score from the first day on, over terms of its description that are read each day', async () => {
  const app = await start(firstTen);
  app.rankAt(1, firstTen);
  await app.track(sprout());
  expect(await app.work()).toEqual(['sprout', ...firstTen].sort());
  expect(await app.basketsOfApp()).toEqual([[1, false, firstTen]]);
  for (const [day, rank] of [
    ['2026-03-11', 1],
    ['2026-03-12', 2],
    ['2026-03-13', 4],
  ] as const) {
    app.rankAt(rank, firstTen);
    app.clock.moveTo(`${day}T23:50:00Z`);
    expect([day, await app.work()]).toEqual([day, firstTen.toSorted()]);
  }
  expect(await app.basketsOfApp()).toEqual([[1, true, firstTen]]);
  expect(await app.historyRows(1, '2026-03-10', '2026-03-13')).toMatchObject(
    // 100 * sqrt(ctr(rank) / ctr(1))
    [100, 100, 77.5, 53.2].map((score) => ({ score, reason: null, terms: 10, carried_terms: 0 })),
  );
});

test('they are no longer read once no account tracks the app', async () => {
  const app = await start(firstTen);
  await app.track(sprout());
  await app.work();
  app.clock.moveTo('2026-03-11T23:50:00Z');
  await app.work();
  await app.untrack(1);
  const read: number[] = [];
  for (const day of ['12', '13', '14', '15', '16', '25']) {
    app.clock.moveTo(`2026-03-${day}T23:50:00Z`);
    read.push((await app.work()).length);
  }
  // The last request was for three days.
  expect(read).toEqual([10, 10, 0, 0, 0, 0]);
});

test('terms that are known fill the basket without a call', async () => {
  const app = await start(further);
  await app.know(further);
  await app.track(sprout());
  expect(await app.work()).toEqual(['sprout']);
  expect(await app.basketsOfApp()).toEqual([[1, false, further.slice(0, 10)]]);
});

test('it does not depend on what accounts track, inspect, draft or keep: such a term counts only if it would be measured anyway', async () => {
  const suggested = firstTen.slice(0, 3);
  const all = [...suggested, ...further];
  for (const { known, isTracked } of [
    { known: [], isTracked: false },
    { known: all, isTracked: true },
    { known: all, isTracked: false },
  ]) {
    const app = await start(all);
    await app.know(known, { isPublic: false });
    await app.terms.model.updateMany({}, { $set: { is_tracked: isTracked } });
    await app.track(sprout());
    await app.work();
    expect(await app.basketsOfApp()).toEqual([[1, false, suggested]]);
  }
});

test('what it uses of the description is public, also if an account has had it measured before', async () => {
  const app = await start(firstTen);
  await app.know(firstTen, { isPublic: false });
  await app.track(sprout());
  await app.work();
  expect(await app.basketsOfApp()).toEqual([[1, false, firstTen]]);
  const terms = await Promise.all(firstTen.map((keyword) => app.terms.find(us, keyword)));
  expect(terms.map((term) => term?.public_page?.day)).toEqual(firstTen.map(() => '2026-03-10'));
});

test('at most ten terms of a description are measured for it, once, whether people search for them or not', async () => {
  const app = await start([]);
  await app.track(sprout());
  expect(await app.work()).toEqual(['sprout', ...firstTen].sort());
  expect(await app.basketsOfApp()).toEqual([]);
  for (const day of ['11', '12', '13', '20', '30']) {
    app.clock.moveTo(`2026-03-${day}T23:50:00Z`);
    const read = await app.work();
    expect([day, read.filter((term) => term !== 'sprout')]).toEqual([day, []]);
  }
});

test('a basket with five terms of its own takes none of the description, and none is measured', async () => {
  const app = await start([...five, ...firstTen]);
  await app.track(sprout({ title: 'Sprout, first, second', subtitle: 'third, fourth, fifth' }));
  expect(await app.work()).toEqual(['sprout', ...five].sort());
  expect(await app.basketsOfApp()).toEqual([[1, false, five]]);
});

test('a thin basket that is fixed is filled with the next month, not before; then its own terms replace those', async () => {
  const app = await start([...five, ...firstTen]);
  await app.track(sprout({ title: 'Sprout, first', description: '' }));
  await app.work();
  app.clock.moveTo('2026-03-11T23:50:00Z');
  await app.work();
  expect(await app.basketsOfApp()).toEqual([[1, true, ['first']]]);

  await app.change(sprout({ title: 'Sprout, first' }, { revision: 2, read_at: '2026-03-11T23:51:00Z' }));
  for (const day of ['03-12', '03-13', '03-31']) {
    app.clock.moveTo(`2026-${day}T23:50:00Z`);
    await app.work();
  }
  expect(await app.basketsOfApp()).toEqual([[1, true, ['first']]]);
  const filled = ['first', ...firstTen.slice(0, 9)];
  app.clock.moveTo('2026-04-01T23:50:00Z');
  await app.work();
  expect(await app.basketsOfApp()).toEqual([
    [1, true, ['first']],
    [2, true, filled],
  ]);

  await app.know(five);
  await app.trackKeyword(1, five);
  app.clock.moveTo('2026-04-30T23:50:00Z');
  await app.work();
  expect((await app.basketsOfApp()).at(-1)).toEqual([2, true, filled]);
  app.clock.moveTo('2026-05-01T23:50:00Z');
  await app.work();
  expect((await app.basketsOfApp()).at(-1)).toEqual([3, true, five]);
});
