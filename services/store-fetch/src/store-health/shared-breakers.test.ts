import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryRecords } from '../../test/memory-records.ts';
import { questionAbout } from '../../test/question-about.ts';
import { type BreakerCall, createBreaker } from './breaker.ts';
import { createBreakers } from './breakers.ts';
import { createSharedBreakers } from './shared-breakers.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

const endpoint = 'itunes-search';
const address = { label: 'direct', dispatcher: undefined };
const failure = (kind: StoreFailureKind = 'error') => new StoreFailure(kind, `failed (${kind})`);
let questions = 0;
const newQuestion = () => questionAbout(`question ${questions++}`);

/** Copies of the service, which share one record. Copy `i` has a clock that is `skewsMs[i]` ahead. */
function start(count = 2, skewsMs: readonly number[] = []) {
  const clock = createFakeClock();
  const memory = createMemoryRecords(clock);
  const copies = Array.from({ length: count }, (_, i) => {
    const now = () => new Date(clock.now().getTime() + (skewsMs[i] ?? 0));
    const shared = createSharedBreakers({
      records: memory.records,
      scope: 'test',
      clock: { now, after: clock.after },
    });
    const breakers = createBreakers([address], now, shared.backingOf);
    const changes = jest.fn();
    shared.start(changes);
    const breaker = breakers.get(endpoint, address);
    return {
      breaker,
      changes,
      shared,
      now,
      isUsable: (question = newQuestion()) => breaker.usableAtMs(question) <= now().getTime(),
      async fail(...kinds: StoreFailureKind[]) {
        for (const kind of kinds) {
          (await breaker.claimCall(newQuestion()))?.fail(failure(kind));
          await settle();
        }
      },
    };
  });
  /** Every copy looks at the record, and all commands end. */
  const look = () => clock.advance(1000);
  return { clock, memory, look, copies: copies as [Copy, Copy, ...Copy[]] };
  type Copy = (typeof copies)[number];
}

/** Until the commands that are under way have ended. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

test('the failures of all copies count: a breaker that one copy opens is open in the others within a second', async () => {
  const { copies, look } = start();
  const [a, b] = copies;
  await look();
  await a.fail('error', 'error', 'error');
  await look();
  await b.fail('error', 'error');
  expect(b.isUsable()).toBe(false);
  expect(a.isUsable()).toBe(true);
  await look();
  expect(a.isUsable()).toBe(false);
  expect(a.changes).toHaveBeenCalled();
  expect(a.breaker.openState()).toMatchObject({ failures: 5, lastFailure: { kind: 'error' } });
});

test('after its first failed call a copy knows what another copy knows, before its next look', async () => {
  const { copies, look } = start();
  const [a, b] = copies;
  await look();
  await a.fail('blocked', 'blocked');
  await b.fail('blocked');
  expect(b.isUsable()).toBe(false);
});

test('failures of two copies at the same time both count', async () => {
  const { copies, look } = start();
  await copies[0].fail('error', 'error');
  await look();
  const calls = await Promise.all(copies.map(({ breaker }) => breaker.claimCall(newQuestion())));
  for (const call of calls) call?.fail(failure());
  await look();
  expect(copies.map(({ breaker }) => breaker.openState()?.failures)).toEqual([4, 4]);
});

test('of two copies that start a probe at the same time one is refused; the success of the probe closes all breakers', async () => {
  const { copies, clock, look } = start();
  const [a, b] = copies;
  await a.fail('blocked', 'blocked');
  await clock.advance(15_000);
  const calls = await Promise.all([a, b].map(({ breaker }) => breaker.claimCall(newQuestion())));
  expect(calls.filter((call) => call !== null)).toHaveLength(1);
  await look();
  expect([a.isUsable(), b.isUsable()]).toEqual([false, false]);
  for (const call of calls) call?.succeed();
  await look();
  expect([a.isUsable(), b.isUsable()]).toEqual([true, true]);
});

test('other copies know the probe of a copy that has made thousands of calls', async () => {
  const { copies, clock, look } = start();
  const [a, b] = copies;
  for (let call = 0; call < 10_000; call++) (await a.breaker.claimCall(newQuestion()))?.succeed();
  await a.fail('blocked', 'blocked');
  await clock.advance(15_000);
  expect(await a.breaker.claimCall(newQuestion())).not.toBeNull();
  await look();
  expect(b.isUsable()).toBe(false);
});

test('a copy that ends during its probe delays the next probe by 35 s', async () => {
  const { copies, clock, look } = start();
  const [a, b] = copies;
  await a.fail('blocked', 'blocked');
  await clock.advance(15_000);
  expect(await a.breaker.claimCall(newQuestion())).not.toBeNull();
  a.shared.stop();
  await look();
  await clock.advance(33_000);
  expect(b.isUsable()).toBe(false);
  await clock.advance(2_000);
  expect(b.isUsable()).toBe(true);
});

test('clocks that differ change no open time', async () => {
  const { copies, clock, look } = start(3, [0, 40_000, -3_600_000]);
  await look();
  await copies[0].fail('blocked', 'blocked');
  await look();
  const leftMs = () => copies.map(({ breaker, now }) => breaker.usableAtMs() - now().getTime());
  expect(leftMs()).toEqual([14_000, 14_000, 14_000]);
  await clock.advance(14_000);
  expect(copies.map((copy) => copy.isUsable())).toEqual([true, true, true]);
});

test('after the clock of Redis was set back, a breaker is open for no longer than its open time', async () => {
  const { copies, clock, look } = start();
  await copies[0].fail('blocked', 'blocked');
  await look();
  clock.setBack(3_600_000);
  await look();
  expect(copies.map((copy) => copy.isUsable())).toEqual([false, false]);
  await clock.advance(16_000);
  expect(copies.map((copy) => copy.isUsable())).toEqual([true, true]);
});

test('a breaker that opens after the clock of Redis was set back is open in all copies', async () => {
  const { copies, clock, look } = start();
  const [a, b] = copies;
  await a.fail('error');
  (await a.breaker.claimCall(newQuestion()))?.succeed();
  await look();
  clock.setBack(3_600_000);
  await a.fail('blocked', 'blocked');
  await look();
  expect([a.isUsable(), b.isUsable()]).toEqual([false, false]);
});

describe('without Redis', () => {
  test('each copy goes on from what it knew, alone', async () => {
    const { copies, memory, look, clock } = start();
    const [a, b] = copies;
    await a.fail('error', 'error', 'error', 'error');
    await look();
    memory.state.isAway = true;
    await a.fail('error');
    await look();
    expect([a.isUsable(), b.isUsable()]).toEqual([false, true]);
    await b.fail('error');
    expect(b.isUsable()).toBe(false);
    await clock.advance(15_000);
    const calls = await Promise.all([a, b].map(({ breaker }) => breaker.claimCall(newQuestion())));
    expect(calls.filter((call) => call !== null)).toHaveLength(2);
  });

  test('a breaker that opened meanwhile is open in all copies when Redis is back, also if another copy has failed since', async () => {
    const { copies, memory, look, clock } = start();
    const [a, b] = copies;
    await look();
    memory.state.isAway = true;
    await a.fail('blocked', 'blocked');
    await clock.advance(1000);
    await b.fail('error');
    memory.state.isAway = false;
    await look();
    await look();
    expect([a.isUsable(), b.isUsable()]).toEqual([false, false]);
  });

  test('a breaker that closed meanwhile is closed in all copies when Redis is back', async () => {
    const { copies, memory, look, clock } = start();
    const [a, b] = copies;
    await a.fail('blocked', 'blocked');
    await look();
    memory.state.isAway = true;
    await clock.advance(15_000);
    (await a.breaker.claimCall(newQuestion()))?.succeed();
    await settle();
    memory.state.isAway = false;
    await look();
    await look();
    expect([a.isUsable(), b.isUsable()]).toEqual([true, true]);
    expect(b.breaker.openState()).toBeNull();
  });

  test.each([
    ['before', true],
    ['after', false],
  ])(
    'a breaker that one copy opened %s another saw a success is closed in both: %s',
    async (when, isClosed) => {
      const { copies, memory, look, clock } = start();
      const [a, b] = copies;
      await a.fail('error');
      await look();
      memory.state.isAway = true;
      if (when === 'before') await a.fail('blocked', 'blocked');
      await clock.advance(1000);
      (await b.breaker.claimCall(newQuestion()))?.succeed();
      await clock.advance(1000);
      if (when === 'after') await a.fail('blocked', 'blocked');
      memory.state.isAway = false;
      await look();
      await look();
      expect([a.isUsable(), b.isUsable()]).toEqual([isClosed, isClosed]);
    },
  );

  test('a probe that failed meanwhile is no probe that the copies wait for', async () => {
    const { copies, memory, look, clock } = start();
    const [a, b] = copies;
    await a.fail('blocked', 'blocked');
    await clock.advance(15_000);
    const probe = await a.breaker.claimCall(newQuestion());
    memory.state.isAway = true;
    probe?.fail(failure('blocked'));
    await settle();
    memory.state.isAway = false;
    await look();
    await look();
    await clock.advance(28_000);
    expect([a.isUsable(), b.isUsable()]).toEqual([true, true]);
  });
});

test.each([
  ['has lost everything', () => new Map<string, string>()],
  ['has returned to an older state', (older: Map<string, string>) => older],
  ['has something unreadable', () => new Map([[`${endpoint} direct`, '{"openMs":0}']])],
])('a breaker stays open when Redis %s', async (_name, toFields) => {
  const { copies, memory, look } = start();
  const [a, b] = copies;
  await a.fail('error');
  await look();
  const older = new Map(memory.state.fields);
  await a.fail('blocked', 'blocked');
  await look();
  memory.state.fields = toFields(older);
  await look();
  await look();
  expect([a.isUsable(), b.isUsable()]).toEqual([false, false]);
  const [late] = start(1).copies;
  expect(late.isUsable()).toBe(true);
  expect(JSON.parse(memory.state.fields.get(`${endpoint} direct`) ?? '')).toMatchObject({ openMs: 15_000 });
});

const aCall = fc.record({
  copy: fc.nat(2),
  item: fc.constantFrom('1', '2', '3', '4'),
  outcome: fc.constantFrom('ok', 'malformed', 'timeout', 'blocked', 'abandoned'),
  isAnswered: fc.boolean(),
  waitMs: fc.constantFrom(0, 1000, 15_000, 60_000),
});

function end(call: BreakerCall, outcome: string): void {
  if (outcome === 'ok') call.succeed();
  else if (outcome === 'abandoned') call.abandon();
  else call.fail(failure(outcome as StoreFailureKind));
}

test('whatever happens, three copies whose calls do not overlap decide as one breaker', () =>
  fc.assert(
    fc.asyncProperty(fc.array(aCall, { maxLength: 25 }), async (steps) => {
      const { copies, clock, look } = start(3);
      const model = createBreaker(clock.now);
      await look();
      for (const { copy, item, outcome, isAnswered, waitMs } of steps) {
        await clock.advance(waitMs);
        const question = { ...questionAbout(item), isAnswered };
        const usableAtMs = model.usableAtMs(question);
        expect(copies.map(({ breaker }) => breaker.usableAtMs(question))).toEqual(Array(3).fill(usableAtMs));
        expect(copies.map(({ breaker }) => breaker.openState())).toEqual(Array(3).fill(model.openState()));
        if (usableAtMs > clock.now().getTime()) continue;
        const claimed = await copies[copy]?.breaker.claimCall(question);
        end(model.startCall(question), outcome);
        if (claimed) end(claimed, outcome);
        expect(claimed).toBeTruthy();
        await look();
      }
    }),
    { numRuns: 60 },
  ));

test('whatever the order of commands, at most one probe is under way while Redis answers', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(aCall, { minLength: 6, maxLength: 20 }),
      async (scheduler, steps) => {
        const { copies, memory, clock } = start(3);
        await copies[0].fail('blocked', 'blocked');
        await clock.advance(15_000);
        memory.state.before = () => scheduler.schedule(Promise.resolve());
        memory.state.after = () => scheduler.schedule(Promise.resolve());
        let probes = 0;
        const calls = steps.map(async ({ copy, outcome, item }) => {
          await scheduler.schedule(Promise.resolve());
          const from = copies[copy];
          const question = questionAbout(item);
          if (!from?.isUsable(question) || !from.breaker.openState()) return;
          const call = await from.breaker.claimCall(question);
          if (!call || !from.breaker.openState()) return;
          probes++;
          expect(probes).toBe(1);
          await scheduler.schedule(Promise.resolve());
          probes--;
          end(call, outcome);
        });
        await scheduler.waitFor(Promise.all(calls));
      },
    ),
  ));

test('whatever Redis does, all copies agree soon after it is back, and let a new question through within a minute', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ call: aCall, isAway: fc.boolean(), isLost: fc.boolean() }), { maxLength: 25 }),
      async (steps) => {
        const { copies, memory, clock, look } = start(3);
        for (const { call, isAway, isLost } of steps) {
          memory.state.isAway = isAway;
          if (isLost) memory.state.fields = new Map();
          await clock.advance(call.waitMs);
          const copy = copies[call.copy];
          const question = { ...questionAbout(call.item), isAnswered: call.isAnswered };
          if (!copy?.isUsable(question)) continue;
          const claimed = await copy.breaker.claimCall(question);
          if (claimed) end(claimed, call.outcome);
          await settle();
        }
        memory.state.isAway = false;
        for (let i = 0; i < 4; i++) await look();
        const [first, ...others] = copies.map(({ breaker }) => breaker.openState()?.until ?? null);
        for (const other of others) expect(other).toEqual(first);
        await clock.advance(60_000);
        for (const copy of copies) expect(copy.isUsable(questionAbout('new'))).toBe(true);
      },
    ),
    { numRuns: 60 },
  ));
