import { TermListQuery_Field as Field } from '@shelfwise/proto/scoring/v1/scoring';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import fc from 'fast-check';
import { callWithin } from '../../../testing/call-within.ts';
import { createStores } from '../src/create-stores.ts';
import { importances } from '../src/domain/term-schedule.ts';
import { listRankedKeywords } from '../src/handlers/list-ranked-keywords.ts';
import { fakeFoundApp } from './fake-store-fetch.ts';
import { createMeasuringHarness, jobCall, type Measuring, today, us, week } from './start-measuring.ts';

const start = createMeasuringHarness();
const hourMs = 3_600_000;
const keyword = 'notes';
/** A storefront in which another account has the keyword read, and one in which none has. */
const canada = { ...us, country: 'CA' };
const storefronts = [us, canada];

type World = Measuring & { stores: ReturnType<typeof createStores> };

async function startWorld(): Promise<World> {
  const measuring = await start();
  return { ...measuring, stores: createStores(measuring.connection) };
}

/** Begins a day, on which the store shows another page and other suggestions than on the days before. */
function beginDay({ clock, store }: World, day: number): string[] {
  clock.moveTo(new Date(Date.UTC(2026, 3, 1) + day * dayMs).toISOString());
  const ids = Array.from({ length: 40 }, (_, at) => `other ${at}`);
  ids[(day * 3) % 19] = 'rival';
  store.setPage(
    keyword,
    ids.map((id, at) => ({ ...fakeFoundApp(id), ratings: 1000 * (day + 1) * (at + 1) })),
  );
  store.suggestions.terms = [...Array.from({ length: day % 9 }, (_, at) => `note ${at}`), keyword];
  return ids;
}

/** A listing has the keyword in its name: the daily audit requests it. */
async function publish({ clock, terms }: World) {
  const request = { keyword, importance: importances.phrase, isDaily: false, isPublic: true };
  for (const storefront of storefronts)
    await terms.requestMeasuring(storefront, [request], new Date(clock.at.getTime() + 3 * dayMs), clock.at);
}

const event = { id: 'event-1', requestId: 'request-1' };

/** What the other account does in Canada. */
const acts = {
  inspect: ({ measurer }: World) => measurer.measure(canada, keyword, today, callWithin()),
  draft: ({ measurer }: World) => measurer.measure(canada, keyword, week, callWithin()),
  keepField: ({ terms, clock }: World) =>
    terms.requestMeasuring(
      canada,
      [{ keyword, importance: importances.phrase, isDaily: true }],
      new Date(clock.at.getTime() + 3 * dayMs),
      clock.at,
    ),
  track: ({ onTracked, clock }: World) =>
    onTracked(
      {
        account_id: 'bob',
        keyword_id: 7,
        app_id: 3,
        keyword,
        storefront: canada,
        at: clock.at,
        scored_at: null,
      },
      event,
    ),
  takeSnapshot: ({ onSnapshot, clock }: World, ids: string[]) =>
    onSnapshot({
      keyword_id: 7,
      keyword,
      storefront: canada,
      day: utcDay(clock.at),
      source: 'sample',
      app_ids: ids,
      revision: 1,
      taken_at: clock.at,
    }),
} as const;

type Act = keyof typeof acts;

/** What an account sees that does not track the keyword. */
async function seenIn({ stores, clock }: World, storefront: typeof us | typeof canada) {
  const query = { order: Field.UNSPECIFIED, descending: false, page: 1, per_page: 10 };
  const request = { account_id: 'ann', storefront, app_id: 'rival', query };
  return listRankedKeywords({ ...stores, now: clock.now }, request);
}

const hour = fc.integer({ min: 1, max: 22 });
const dayPlan = fc.record({
  isPublished: fc.boolean(),
  acts: fc.array(fc.record({ act: fc.constantFrom(...(Object.keys(acts) as Act[])), hour }), {
    maxLength: 2,
  }),
});
const plans = fc.sample(fc.array(dayPlan, { minLength: 22, maxLength: 22 }), { numRuns: 6, seed: 46 });

test.each(plans.map((days, at) => ({ at, days })))(
  'an account sees the same whatever another one has read, plan $at',
  async ({ days }) => {
    const world = await startWorld();
    const seen: unknown[] = [];
    for (const [day, plan] of days.entries()) {
      const ids = beginDay(world, day);
      const begin = world.clock.at.getTime();
      for (let now = 0; now < 24; now += 1) {
        world.clock.moveTo(new Date(begin + now * hourMs).toISOString());
        // Other days follow the first publication: from then on the keyword is public on most of them.
        if (now === 5 && plan.isPublished) await publish(world);
        for (const { act, hour: at } of plan.acts) if (at === now) await acts[act](world, ids);
        if (now % 6 !== 5) continue;
        await world.runDue();
        const [without, withOther] = [await seenIn(world, us), await seenIn(world, canada)];
        expect([day, now, JSON.stringify(withOther)]).toEqual([day, now, JSON.stringify(without)]);
        seen.push(...without.terms.map(({ rank }) => rank));
      }
    }
    // It was seen, and it changed.
    expect(new Set(seen).size).toBeGreaterThan(1);
  },
);

test('what an audit chooses from are the scores of the public page', async () => {
  const world = await startWorld();
  beginDay(world, 0);
  await publish(world);
  await world.runDue();
  beginDay(world, 5);
  await acts.inspect(world);
  const { score, public_page: shown } = await world.termOf(keyword, canada);
  const scoresOf = (of?: { traffic: number | null; difficulty: number | null } | null) => [
    of?.traffic,
    of?.difficulty,
  ];
  expect(scoresOf(score)).not.toEqual(scoresOf(shown?.score));
  const knownSince = (day: string) =>
    world.terms.findKnownScores(canada, [keyword], new Date(`${day}T00:00:00Z`));
  const { all, open } = await knownSince('2026-03-31');
  expect(scoresOf(all.get(keyword))).toEqual(scoresOf(score));
  expect(open.get(keyword)).toEqual(shown?.score);
  // It was public since then, but its public page is older.
  expect((await knownSince('2026-04-02')).open.size).toBe(0);
});

/** When the public page was read in Canada, and how many pages the store has shown since the last look. */
async function lookOf({ terms, store }: World) {
  const term = await terms.find(canada, keyword);
  const look = [term?.public_page?.read_at.toISOString() ?? null, store.count('searchApps')];
  store.forgetCalls();
  return look;
}

/** In both storefronts; one of them is looked at. */
async function moveAndRun(world: World, time: string) {
  world.clock.moveTo(time);
  await world.runDue();
}

test('a term that becomes public is read at once, unless it was read today', async () => {
  const world = await startWorld();
  beginDay(world, 0);
  await acts.inspect(world);
  expect(await lookOf(world)).toEqual([null, 1]);
  await publish(world);
  await moveAndRun(world, '2026-04-01T05:00:00Z');
  // Only the other storefront was not read.
  expect(await lookOf(world)).toEqual(['2026-04-01T00:00:00.000Z', 1]);

  const later = await startWorld();
  beginDay(later, 0);
  await acts.inspect(later);
  beginDay(later, 1);
  await publish(later);
  await moveAndRun(later, '2026-04-02T05:00:00Z');
  expect(await lookOf(later)).toEqual(['2026-04-02T05:00:00.000Z', 3]);
});

test('a page that is due and cannot be read is tried again, and nothing is written', async () => {
  const world = await startWorld();
  const { terms, store, wordJobs } = world;
  beginDay(world, 0);
  await publish(world);
  await world.runDue();
  beginDay(world, 6);
  await publish(world);
  await acts.inspect(world);
  beginDay(world, 7);
  store.fail('searchApps');
  store.fail('suggestTerms');
  const before = await terms.find(canada, keyword);
  for (const job of await wordJobs.ITUNES.claim(4, false)) {
    await expect(wordJobs.ITUNES.run(job, jobCall())).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
    await wordJobs.ITUNES.fail(job, true);
  }
  const failed = await terms.find(canada, keyword);
  expect([failed?.revision, failed?.failures]).toEqual([before?.revision, 1]);
  store.recover('searchApps');
  store.recover('suggestTerms');
  await moveAndRun(world, '2026-04-08T06:00:00Z');
  expect((await terms.find(canada, keyword))?.public_page).toMatchObject({
    day: '2026-04-08',
    shown_at: new Date('2026-04-08T00:00:00Z'),
  });
});

/** Both storefronts have a page of the first day. Another one is due, and its snapshot for the other account has come already. */
async function startDue() {
  const world = await startWorld();
  beginDay(world, 0);
  await publish(world);
  await world.runDue();
  beginDay(world, 6);
  await publish(world);
  const ids = beginDay(world, 7);
  await acts.takeSnapshot(world, ids);
  return { ...world, ids };
}

const shownDay = async ({ termOf }: World) => (await termOf(keyword, canada)).public_page?.day;

test('ranks of a day are not shown with scores of an earlier page', async () => {
  const world = await startDue();
  const { store, measurer } = world;
  store.fail('searchApps');
  await measurer.measure(canada, keyword, week, callWithin());
  const { ranking, reading } = await world.termOf(keyword, canada);
  expect([ranking?.day, reading.page?.day]).toEqual(['2026-04-08', '2026-04-01']);
  expect(await shownDay(world)).toBe('2026-04-01');
  store.recover('searchApps');
  await moveAndRun(world, '2026-04-08T06:00:00Z');
  expect(await shownDay(world)).toBe('2026-04-08');
  expect(await seenIn(world, canada)).toEqual(await seenIn(world, us));
});

test('a page that the scores of the day disprove waits for the next look, which comes after minutes', async () => {
  const world = await startDue();
  const { store, clock, trackedJobs, ids } = world;
  store.setPage(keyword, []);
  const [job] = await trackedJobs.ITUNES.claim(1, false);
  if (!job) throw new Error('nothing is due');
  await trackedJobs.ITUNES.run(job, jobCall());
  const { ranking, reading, due_at: dueAt } = await world.termOf(keyword, canada);
  expect([ranking?.app_ids.length, reading.page?.size]).toEqual([40, 0]);
  expect(await shownDay(world)).toBe('2026-04-01');
  expect(dueAt).toEqual(new Date(clock.at.getTime() + 60_000));
  store.setPage(
    keyword,
    ids.map((id) => fakeFoundApp(id)),
  );
  await moveAndRun(world, '2026-04-08T00:02:00Z');
  expect(await shownDay(world)).toBe('2026-04-08');
});

test('a page that was read without suggestions is replaced on the next day, also if another account has read the term since', async () => {
  const world = await startWorld();
  const { store, clock } = world;
  const shownIn = async (storefront: typeof us | typeof canada) => {
    const { public_page: page } = await world.termOf(keyword, storefront);
    return [page?.day, page?.score.is_partial];
  };
  beginDay(world, 1);
  clock.moveTo('2026-04-02T05:00:00Z');
  store.suggestions.isBelieved = false;
  await publish(world);
  await world.runDue();
  expect(await shownIn(canada)).toEqual(['2026-04-02', true]);
  beginDay(world, 2);
  store.suggestions.isBelieved = true;
  await acts.inspect(world);
  expect((await world.termOf(keyword, canada)).score?.is_partial).toBe(false);
  expect(await shownIn(canada)).toEqual(['2026-04-02', true]);
  await moveAndRun(world, '2026-04-03T05:00:00Z');
  for (const storefront of storefronts) expect(await shownIn(storefront)).toEqual(['2026-04-03', false]);
  expect(await seenIn(world, canada)).toEqual(await seenIn(world, us));
});

test.each([
  { isPageSuspect: true, isSnapshotSuspect: false, shown: ['2026-04-01', '2026-04-01'] },
  { isPageSuspect: false, isSnapshotSuspect: true, shown: ['2026-04-08', '2026-04-01'] },
])('a page of a suspect storefront is not shown, that of the next day is: %j', async (suspect) => {
  const world = await startDue();
  const { store, onSnapshot, clock, ids } = world;
  const shownDays = async () => {
    const terms = await Promise.all(storefronts.map((storefront) => world.termOf(keyword, storefront)));
    return terms.map((term) => term.public_page?.day);
  };
  await onSnapshot({
    keyword_id: 7,
    keyword,
    storefront: canada,
    day: '2026-04-08',
    source: 'sample',
    app_ids: ids,
    revision: 2,
    taken_at: clock.at,
    is_suspect: suspect.isSnapshotSuspect,
  });
  store.origin.isSuspect = suspect.isPageSuspect;
  store.forgetCalls();
  for (const time of ['00:00', '12:00', '23:59']) {
    await moveAndRun(world, `2026-04-08T${time}:00Z`);
    expect([time, store.count('searchApps'), await shownDays()]).toEqual([time, 2, suspect.shown]);
  }
  store.origin.isSuspect = false;
  clock.moveTo('2026-04-09T00:00:00Z');
  await acts.takeSnapshot(world, ids);
  await moveAndRun(world, '2026-04-09T23:59:00Z');
  expect(await shownDays()).toEqual(suspect.shown.map((day) => (day === '2026-04-01' ? '2026-04-09' : day)));
});

test('of a term that becomes public in a suspect storefront nothing is shown until the next day', async () => {
  const world = await startWorld();
  beginDay(world, 0);
  world.store.origin.isSuspect = true;
  await publish(world);
  await world.runDue();
  expect(await shownDay(world)).toBeUndefined();
  world.store.origin.isSuspect = false;
  await moveAndRun(world, '2026-04-02T23:59:00Z');
  expect(await shownDay(world)).toBe('2026-04-02');
});
