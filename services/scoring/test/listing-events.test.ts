import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import fc from 'fast-check';
import { type Auditing, createAuditingHarness, trackedListing } from './start-auditing.ts';

const { startAuditing, clear } = createAuditingHarness();
/** Listings whose events are delivered concurrently. */
const concurrency = 8;

type Copy = Pick<Auditing, 'track' | 'untrack' | 'change' | 'readOn' | 'runDue'>;
type Event = {
  deliver(copy: Copy, id: number): Promise<void>;
  /** Whether the account tracks the listing if this is its newest such event, by `minute`. */
  watch?: { minute: number; isWatched: boolean };
};

const at = (minute: number) => new Date(`2026-03-10T08:5${minute}:00Z`);
const first = (id: number) => trackedListing(id, { title: 'First' }, { read_at: '2026-03-10T08:30:00Z' });
const revised = (revision: number) => (id: number) =>
  trackedListing(
    id,
    { title: `Title${revision}`, ratings: 1000 * revision },
    { revision, read_at: `2026-03-10T08:3${revision}:00Z` },
  );

const events = {
  tracked: {
    deliver: (copy, id) => copy.track(first(id), 'ann', at(1)),
    watch: { minute: 1, isWatched: true },
  },
  changed: { deliver: (copy, id) => copy.change(revised(2)(id)) },
  changedAgain: { deliver: (copy, id) => copy.change(revised(3)(id)) },
  readOnDay: { deliver: (copy, id) => copy.readOn(id, '2026-03-10', 900) },
  readBefore: { deliver: (copy, id) => copy.readOn(id, '2026-03-09', 800) },
  untracked: {
    deliver: (copy, id) => copy.untrack(id, 'ann', at(2)),
    watch: { minute: 2, isWatched: false },
  },
  trackedAgain: {
    deliver: (copy, id) => copy.track(first(id), 'ann', at(3)),
    watch: { minute: 3, isWatched: true },
  },
} satisfies Record<string, Event>;

/** The events that happened, and the expected end: the newest revision, and whether an account tracks the listing. */
type Scenario = [name: string, happened: Event[], revision: number, isFollowed: boolean];

const { tracked, changed, changedAgain, readOnDay, readBefore, untracked, trackedAgain } = events;
const scenarios: Scenario[] = [
  ['tracked, changed twice and read', [tracked, changed, changedAgain, readOnDay], 3, true],
  ['tracked, untracked, tracked again and changed', [tracked, changed, untracked, trackedAgain], 2, true],
  ['tracked, untracked and changed as a competitor', [tracked, untracked, changed, changedAgain], 3, false],
  ['only a competitor', [changed, changedAgain, readOnDay, readBefore], 3, false],
  ['a competitor before it was tracked', [readBefore, changed, readOnDay, trackedAgain], 2, true],
];

/** Whether the account tracks the listing after these events. */
function isWatchedAfter(delivered: readonly Event[]): boolean {
  const watches = delivered.flatMap(({ watch }) => (watch ? [watch] : []));
  return watches.sort((one, other) => one.minute - other.minute).at(-1)?.isWatched ?? false;
}

type Copies = { auditing: Auditing; others: readonly Copy[] };

/** Starts copies of the service on an empty database. */
async function startCopies(count: number): Promise<Copies> {
  await clear();
  const auditing = await startAuditing();
  return { auditing, others: Array.from({ length: count - 1 }, () => auditing.startCopy()) };
}

/** The copies work on due jobs. Returns the number of audits. */
async function runDue({ auditing, others }: Copies): Promise<number> {
  const done = await Promise.all([auditing, ...others].map((copy) => copy.runDue()));
  return done.reduce((sum, count) => sum + count, 0);
}

const auditedAt = async ({ audits }: Auditing) =>
  new Map((await audits.model.find({}).select({ computed_at: 1 })).map((row) => [row._id, row.computed_at]));

/**
 * Delivers each order of events to a listing of its own (ids from 1), step by step. The worker runs after each step
 * and never audits a listing that no account tracks.
 */
async function deliverInOrder(copies: Copies, orders: readonly Event[][]): Promise<void> {
  const { auditing } = copies;
  const steps = Math.max(...orders.map(({ length }) => length));
  for (let step = 0; step < steps; step++) {
    const before = await auditedAt(auditing);
    auditing.clock.advance(1000);
    await mapLimited([...orders.entries()], concurrency, async ([index, order]) =>
      order[step]?.deliver(auditing, index + 1),
    );
    await runDue(copies);
    const after = await auditedAt(auditing);
    for (const [index, order] of orders.entries())
      if (!isWatchedAfter(order.slice(0, step + 1)))
        expect(after.get(index + 1)).toEqual(before.get(index + 1));
  }
}

/** What is stored of each listing, by id, after the worker has run on the next day. */
async function endsOf({ listings, audits }: Auditing) {
  const auditById = new Map((await audits.model.find({}).lean()).map((audit) => [audit._id, audit]));
  return new Map(
    (await listings.model.find({}).lean()).map(({ _id, revision, due_at: dueAt }) => {
      const audit = auditById.get(_id);
      const isAuditedToday = audit?.computed_at.toISOString().slice(0, 10) === '2026-03-11';
      return [_id, { revision, isDue: dueAt != null, audited: audit?.revision ?? null, isAuditedToday }];
    }),
  );
}

async function expectEnd(copies: Copies, orders: readonly Event[][], [, , revision, isFollowed]: Scenario) {
  const { auditing } = copies;
  const ids = [...orders.keys()].map((index) => index + 1);
  const eachEnd = (end: object) => new Map(ids.map((id) => [id, expect.objectContaining(end)]));
  if (isFollowed) {
    expect(await endsOf(auditing)).toEqual(eachEnd({ audited: revision }));
    await mapLimited(ids, concurrency, async (id) => {
      const history = await auditing.history(id, '2026-03-01', '2026-03-31');
      expect(history).toEqual([['2026-03-10', null, 1000 * revision]]);
    });
  }
  auditing.clock.moveTo('2026-03-11T23:59:59Z');
  expect(await runDue(copies)).toBe(isFollowed ? orders.length : 0);
  const end = { revision, isDue: isFollowed, isAuditedToday: isFollowed };
  expect(await endsOf(auditing)).toEqual(eachEnd(end));
  if (isFollowed) return;
  // A new account gets the newest reading, even when its event carries an older one.
  await mapLimited(ids, concurrency, (id) => auditing.track(first(id), 'ben'));
  expect(await endsOf(auditing)).toEqual(eachEnd({ isDue: true, audited: revision }));
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

/** Orders in which each event occurs twice. */
function ordersOfTwice(happened: readonly Event[]): fc.Arbitrary<Event[][]> {
  const twice = [...happened, ...happened];
  const { length } = twice;
  const order = fc.shuffledSubarray(twice, { minLength: length, maxLength: length });
  return fc.array(order, { minLength: 1, maxLength: 8, size: 'max' });
}

describe.each(scenarios)('an app that is %s ends in the state of its newest events', (...scenario) => {
  const [, happened] = scenario;

  // 24 orders, each with several audits.
  test('in every order of the events', async () => {
    const copies = await startCopies(1);
    const orders = permutations(happened);
    await deliverInOrder(copies, orders);
    await expectEnd(copies, orders, scenario);
  });

  test('with each event twice, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(ordersOfTwice(happened), async (orders) => {
        const copies = await startCopies(1);
        await deliverInOrder(copies, orders);
        await expectEnd(copies, orders, scenario);
      }),
      { numRuns: 2 },
    );
  });

  test('with each event twice, delivered to several copies at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(ordersOfTwice(happened), async (orders) => {
        const copies = await startCopies(4);
        const receivers = [copies.auditing, ...copies.others.slice(0, 2)];
        for (const [index, order] of orders.entries())
          await Promise.all(
            order.map((event, at) =>
              event.deliver(receivers[at % receivers.length] ?? copies.auditing, index + 1),
            ),
          );
        await runDue(copies);
        await expectEnd(copies, orders, scenario);
      }),
      { numRuns: 2 },
    );
  });
});

test.each([
  ['an older revision', revised(2)],
  ['the same revision, read earlier', (id: number) => ({ ...revised(3)(id), read_at: first(id).read_at })],
])(
  'a reading that a newer one overtakes after the look at what is stored is not saved: %s',
  async (_, late) => {
    const { auditing } = await startCopies(1);
    await auditing.track(first(1));
    const copy = auditing.startCopy();
    const { model } = auditing.listings;
    const write = model.updateOne.bind(model) as (...given: unknown[]) => Promise<unknown>;
    const overtaken = async (...given: unknown[]) => {
      await copy.change(revised(3)(1));
      return write(...given);
    };
    jest.spyOn(model, 'updateOne').mockImplementationOnce(overtaken as never);
    await auditing.change(late(1));
    expect(await auditing.listings.find(1)).toMatchObject({
      revision: 3,
      read_at: new Date('2026-03-10T08:33:00Z'),
    });
  },
);
