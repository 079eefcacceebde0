import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { StoreFailure } from '../sources/store-failure.ts';
import type { Endpoint } from './ask-store.ts';
import { createBreakers } from './breakers.ts';
import { createTurns, type Turn } from './call-scheduler.ts';
import { createUrgency, forDailyRun, type Urgency, urgent } from './urgency.ts';

const patient = () => new AbortController().signal;

function start(options: { perMinute?: number; addresses?: string[] } = {}) {
  const { perMinute = 20, addresses: labels = ['direct'] } = options;
  const clock = createFakeClock();
  const addresses = labels.map((label) => ({ label, dispatcher: undefined }));
  const buckets = createMemoryBuckets(clock);
  const breakers = createBreakers(addresses, clock.now);
  const waits: number[] = [];
  const process = () =>
    createTurns({
      budget: 'itunes',
      perMinute,
      addresses,
      buckets,
      breakers,
      clock,
      onTurn: ({ waitedMs }) => waits.push(waitedMs),
    });
  const turns = process();
  const startedAtMs = clock.now().getTime();
  /** What became of those who took a turn, in the order of time: name, address, milliseconds after the start. */
  const given: { name: string; on: string; atMs: number; turn: Turn }[] = [];

  function take(
    name: string,
    request: {
      urgency?: Urgency;
      endpoint?: Endpoint;
      signal?: AbortSignal;
      not?: string[];
      limitMs?: number;
      from?: typeof turns;
    } = {},
  ): Promise<Turn> {
    const { urgency = urgent, endpoint = 'itunes-search', signal = patient(), limitMs = 25_000 } = request;
    const not = new Set(addresses.filter(({ label }) => request.not?.includes(label)));
    const taken = (request.from ?? turns).take({ endpoint, urgency, signal, not, limitMs: () => limitMs });
    taken.then(
      (turn) => given.push({ name, on: turn.address.label, atMs: clock.now().getTime() - startedAtMs, turn }),
      () => {},
    );
    return taken;
  }
  const names = () => given.map(({ name }) => name);
  const rest = (endpoint: Endpoint, label: string) => {
    const address = addresses.find((each) => each.label === label);
    if (!address) throw new Error(label);
    for (let i = 0; i < 2; i++)
      breakers.of(endpoint, address).enter().fail(new StoreFailure('blocked', 'refused the call (HTTP 403)'));
    turns.lookAgain();
  };
  return { clock, buckets, turns, take, given, names, rest, waits, process, breakers, addresses };
}

/** Takes all that a bucket holds. */
async function drain({ take, clock }: ReturnType<typeof start>, calls = 20) {
  await Promise.all(Array.from({ length: calls }, (_, i) => take(`drain ${i}`)));
  await clock.settle();
}

test('a turn is given at once while the budget has a call left', async () => {
  const system = start();
  await drain(system);
  expect(system.given.map(({ atMs }) => atMs)).toEqual(Array(20).fill(0));
});

test('whoever waits goes before the daily run, and first come is first served', async () => {
  const system = start();
  const { take, clock, given } = system;
  await drain(system);
  given.length = 0;
  void take('daily 1', { urgency: forDailyRun, limitMs: 300_000 });
  void take('urgent 1');
  void take('daily 2', { urgency: forDailyRun, limitMs: 300_000 });
  void take('urgent 2', { endpoint: 'itunes-lookup' });
  void take('urgent 3');
  await clock.advance(100_000);
  expect(given.map(({ name, atMs }) => [name, atMs])).toEqual([
    ['urgent 1', 3000],
    ['urgent 2', 6000],
    ['urgent 3', 9000],
    // The bucket is full again, and its next call would overflow.
    ['daily 1', 69_000],
    ['daily 2', 72_025],
  ]);
});

test('the daily run is spaced evenly from its first call on', async () => {
  const { take, clock, given } = start();
  for (let i = 0; i < 4; i++) void take(`${i}`, { urgency: forDailyRun });
  await clock.advance(10_000);
  expect(given.map(({ atMs }) => atMs)).toEqual([0, 3025, 6050, 9075]);
});

test('a caller who waits behind the daily run has a call at once', async () => {
  const { take, clock, given } = start();
  for (let i = 0; i < 8; i++) void take(`daily ${i}`, { urgency: forDailyRun });
  await clock.advance(4000);
  void take('urgent');
  await clock.settle();
  expect(given.at(-1)).toMatchObject({ name: 'urgent', atMs: 4000 });
});

test('a reading of the daily run that becomes urgent moves up', async () => {
  const system = start();
  const { take, clock, given, turns } = system;
  await drain(system);
  given.length = 0;
  void take('daily', { urgency: forDailyRun, limitMs: 100_000 });
  const urgency = createUrgency();
  void take('joined', { urgency });
  await clock.advance(10_000);
  expect(given).toEqual([]);
  expect(turns.waiting()).toEqual({ urgent: 0, daily: 2 });
  urgency.becomeUrgent();
  expect(turns.waiting()).toEqual({ urgent: 1, daily: 1 });
  await clock.settle();
  expect(given).toMatchObject([{ name: 'joined', atMs: 10_000 }]);
});

test('one that becomes urgent waits as long as any other from then on', async () => {
  const system = start({ perMinute: 1 });
  const { take, clock } = system;
  await drain(system, 1);
  const urgency = createUrgency();
  const refused = jest.fn();
  take('joined', { urgency }).catch(refused);
  await clock.advance(20_000);
  urgency.becomeUrgent();
  await clock.advance(24_999);
  expect(refused).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(refused).toHaveBeenCalledTimes(1);
});

test('after 25 s a caller is told that the budget is spoken for, and how many wait', async () => {
  const system = start();
  const { take, clock, turns } = system;
  await drain(system);
  const ninth = Array.from({ length: 9 }, (_, i) => take(`${i}`)).at(-1);
  const told = expect(ninth).rejects.toMatchObject({
    kind: 'busy',
    message: 'has no call left for this within 25 s: its budget of 20 calls a minute is spoken for (4 wait)',
  });
  await clock.advance(10_000);
  for (let i = 0; i < 3; i++) take(`later ${i}`, { urgency: forDailyRun }).catch(() => {});
  await clock.advance(15_000);
  await told;
  await clock.advance(10_000);
  expect(turns.waiting()).toEqual({ urgent: 0, daily: 0 });
});

test('a caller who gives up while waiting spends nothing', async () => {
  const system = start();
  const { take, clock, buckets, names } = system;
  await drain(system);
  const hurried = new AbortController();
  const first = take('hurried', { signal: hurried.signal });
  void take('patient');
  await clock.advance(1000);
  hurried.abort(new Error('gone'));
  await expect(first).rejects.toMatchObject({ kind: 'abandoned' });
  await clock.advance(60_000);
  expect(names().slice(20)).toEqual(['patient']);
  expect(buckets.taken).toHaveLength(21);
});

test('a call that was taken for one who has left meanwhile is not the daily run’s', async () => {
  const system = start();
  const { take, clock, buckets, names } = system;
  await drain(system);
  const hurried = new AbortController();
  take('hurried', { signal: hurried.signal }).catch(() => {});
  void take('daily', { urgency: forDailyRun, limitMs: 100_000 });
  buckets.state.whileAsked = () => hurried.abort();
  await clock.advance(10_000);
  expect(names().slice(20)).toEqual([]);
  await clock.advance(60_000);
  expect(names().slice(20)).toEqual(['daily']);
});

test('one who has gone already is not even put in line', async () => {
  const { take, buckets } = start();
  await expect(take('gone', { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'abandoned' });
  expect(buckets.state.asked).toBe(0);
});

test('the address with most calls left is used, and each has a budget of its own', async () => {
  const system = start({ addresses: ['direct', 'a', 'b'], perMinute: 2 });
  await drain(system, 6);
  const used = system.given.map(({ on }) => on);
  expect(used.slice(0, 3).sort()).toEqual(['a', 'b', 'direct']);
  expect(used.slice(3).sort()).toEqual(['a', 'b', 'direct']);
  expect(system.given.every(({ atMs }) => atMs === 0)).toBe(true);
});

test('an address on which the endpoint rests is left out, for that endpoint only', async () => {
  const { take, rest, given, clock } = start({ addresses: ['direct', 'a'] });
  rest('itunes-search', 'direct');
  for (let i = 0; i < 4; i++) void take(`search ${i}`);
  await clock.settle();
  expect(given.map(({ on }) => on)).toEqual(['a', 'a', 'a', 'a']);
  void take('lookup', { endpoint: 'itunes-lookup' });
  await clock.settle();
  expect(given.at(-1)).toMatchObject({ name: 'lookup', on: 'direct' });
});

test('an endpoint that rests where there are calls left holds up no other endpoint', async () => {
  const system = start({ addresses: ['direct', 'a'], perMinute: 2 });
  const { take, rest, given, clock } = system;
  rest('itunes-search', 'direct');
  await Promise.all([take('a 1'), take('a 2')]);
  void take('search waits for a');
  void take('lookup', { endpoint: 'itunes-lookup' });
  await clock.settle();
  expect(given.at(-1)).toMatchObject({ name: 'lookup', on: 'direct', atMs: 0 });
  await clock.advance(14_000);
  expect(given.map(({ name }) => name)).not.toContain('search waits for a');
});

test('an address that is not wanted is not used', async () => {
  const { take, given, clock } = start({ addresses: ['direct', 'a'] });
  void take('elsewhere', { not: ['direct'] });
  await clock.settle();
  expect(given).toMatchObject([{ on: 'a' }]);
});

test('an endpoint that rests everywhere is refused at once, also to those who wait already', async () => {
  const system = start();
  const { take, rest, clock, buckets } = system;
  await drain(system);
  const waiting = expect(take('waiting')).rejects.toMatchObject({ kind: 'resting' });
  rest('itunes-search', 'direct');
  await clock.settle();
  await waiting;
  await expect(take('new')).rejects.toMatchObject({ kind: 'resting' });
  expect(buckets.taken).toHaveLength(20);
});

test('after the rest exactly one call goes through, and the others are refused until it has ended', async () => {
  const { take, rest, clock, given } = start();
  rest('itunes-search', 'direct');
  await clock.advance(15_000);
  const outcomes = Promise.allSettled([take('probe'), take('second'), take('third')]);
  await clock.settle();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  given[0]?.turn.call.succeed();
  await expect(take('later')).resolves.toBeDefined();
});

test('an address that has rested is used again while others wait', async () => {
  const system = start({ addresses: ['direct', 'a'], perMinute: 2 });
  const { take, rest, given, clock } = system;
  rest('itunes-search', 'direct');
  await Promise.all([take('a 1'), take('a 2')]);
  void take('waits');
  await clock.advance(15_000);
  expect(given.at(-1)).toMatchObject({ name: 'waits', on: 'direct', atMs: 15_000 });
});

test('of two who can go at the same moment the one who waits goes, whoever came first', async () => {
  const { take, rest, given, clock, buckets } = start({ addresses: ['direct', 'a'], perMinute: 1 });
  rest('itunes-search', 'direct');
  await take('a 1');
  take('daily', { urgency: forDailyRun }).catch(() => {});
  void take('urgent');
  await clock.advance(15_000);
  expect(given.slice(1)).toMatchObject([{ name: 'urgent', on: 'direct', atMs: 15_000 }]);
  expect(buckets.taken.at(-1)).toMatchObject({ isUrgent: true });
  await clock.advance(15_000);
});

test('a lost database refuses all that wait, and no turn is given', async () => {
  const system = start();
  const { take, clock, buckets, given } = system;
  buckets.state.failure = new Error('no database');
  const outcomes = await Promise.allSettled([take('1'), take('2'), take('3', { urgency: forDailyRun })]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(given).toEqual([]);
  buckets.state.failure = null;
  await expect(take('again')).resolves.toBeDefined();
  await clock.settle();
});

test('while nobody can have a turn the database is left alone', async () => {
  const system = start();
  const { take, clock, buckets } = system;
  await drain(system);
  const before = buckets.state.asked;
  for (let i = 0; i < 5; i++) void take(`${i}`);
  await clock.advance(2900);
  expect(buckets.state.asked).toBe(before);
  await clock.advance(200);
  expect(buckets.state.asked).toBe(before + 1);
});

test('a clock that is set back by an hour holds callers up for a minute, not for the hour', async () => {
  const system = start();
  const { take, clock, given } = system;
  await drain(system);
  clock.setBack(3_600_000);
  const setBackAtMs = clock.now().getTime();
  void take('after', { limitMs: 100_000 });
  await clock.advance(100_000);
  const { atMs } = given.at(-1) ?? { atMs: Number.NaN };
  expect(given.at(-1)).toMatchObject({ name: 'after' });
  expect(atMs + 3_600_000).toBeLessThanOrEqual(63_000);
  expect(clock.now().getTime() - setBackAtMs).toBe(100_000);
});

test('one who does not want the address with calls left holds up nobody behind it', async () => {
  const system = start({ addresses: ['direct', 'a'], perMinute: 2 });
  const { take, given, clock } = system;
  await Promise.all([take('a 1', { not: ['direct'] }), take('a 2', { not: ['direct'] })]);
  void take('elsewhere', { not: ['direct'] });
  for (const name of ['behind 1', 'behind 2']) void take(name);
  await clock.settle();
  expect(given.slice(2)).toMatchObject([
    { name: 'behind 1', on: 'direct', atMs: 0 },
    { name: 'behind 2', on: 'direct', atMs: 0 },
  ]);
  await clock.advance(25_000);
});

test('a call is never given to one who does not want its address, though the one it was taken for has left', async () => {
  const { take, given, clock, buckets } = start({ addresses: ['direct', 'a'], perMinute: 1 });
  await take('a 1', { not: ['direct'] });
  const hurried = new AbortController();
  take('hurried', { signal: hurried.signal }).catch(() => {});
  take('elsewhere', { not: ['direct'] }).catch(() => {});
  buckets.state.whileAsked = () => hurried.abort();
  await clock.settle();
  expect(given.map(({ name }) => name)).toEqual(['a 1']);
  await clock.advance(25_000);
});

test('at the stop all who wait are told so at once, and so is everybody who comes after', async () => {
  const system = start();
  const { take, clock, turns } = system;
  await drain(system);
  const waiting = Promise.allSettled([take('1'), take('2', { urgency: forDailyRun })]);
  await clock.settle();
  turns.stop();
  for (const outcome of await waiting)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  await expect(take('late')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.settle();
  expect(turns.waiting()).toEqual({ urgent: 0, daily: 0 });
  expect(clock.waiting()).toBe(0);
});

test('a full line is busy at once, and that of the daily run leaves those who wait alone', async () => {
  const system = start({ perMinute: 1 });
  const { take, clock, turns } = system;
  await drain(system, 1);
  const leave = new AbortController();
  setMaxListeners(0, leave.signal);
  for (let i = 0; i < 10_000; i++)
    take(`${i}`, { urgency: forDailyRun, signal: leave.signal }).catch(() => {});
  await expect(take('one more', { urgency: forDailyRun })).rejects.toMatchObject({ kind: 'busy' });
  const urgentOne = take('urgent', { signal: leave.signal });
  urgentOne.catch(() => {});
  expect(turns.waiting()).toEqual({ urgent: 1, daily: 10_000 });
  leave.abort();
  await clock.settle();
  expect(turns.waiting()).toEqual({ urgent: 0, daily: 0 });
});

test('two processes over one database keep one budget, and the urgent calls of one go before the daily run of the other', async () => {
  const { take, clock, given, process, buckets } = start();
  const other = process();
  const daily = () => take('daily', { urgency: forDailyRun, from: other }).then(() => {});
  const keepDaily = async () => {
    for (let i = 0; i < 60; i++) await daily().catch(() => {});
  };
  void keepDaily();
  await clock.advance(30_000);
  const before = given.length;
  for (let i = 0; i < 25; i++) take(`urgent ${i}`).catch(() => {});
  await clock.advance(25_000);
  const since = given.slice(before).map(({ name }) => name);
  expect(since.filter((name) => name.startsWith('urgent'))).toHaveLength(25);
  expect(since.filter((name) => name === 'daily').length).toBeLessThanOrEqual(1);
  await clock.advance(120_000);
  for (const { atMs } of buckets.taken) {
    const minute = buckets.taken.filter((each) => each.atMs >= atMs && each.atMs < atMs + 60_000);
    expect(minute.length).toBeLessThanOrEqual(40);
  }
});

test('in any order of arrival nobody of the daily run goes before one who waits, and none is lost', async () => {
  const arrivals = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 4000 }), isUrgent: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    },
  );
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 40 }), async (some, perMinute) => {
      const { take, clock, given, turns } = start({ perMinute, addresses: ['direct', 'a'] });
      const waiting = new Set<string>();
      const overtaken: string[] = [];
      let refused = 0;
      for (const [i, { afterMs, isUrgent }] of some.entries()) {
        await clock.advance(afterMs);
        const name = `${isUrgent ? 'urgent' : 'daily'} ${i}`;
        if (isUrgent) waiting.add(name);
        take(name, { urgency: isUrgent ? urgent : forDailyRun }).then(
          () => {
            waiting.delete(name);
            if (!isUrgent && waiting.size > 0) overtaken.push(name);
          },
          () => {
            waiting.delete(name);
            refused++;
          },
        );
        await clock.settle();
      }
      await clock.advance(30_000);
      expect(overtaken).toEqual([]);
      expect(given.length + refused).toBe(some.length);
      expect(turns.waiting()).toEqual({ urgent: 0, daily: 0 });
      expect(clock.waiting()).toBe(0);
    }),
    { numRuns: 25 },
  );
});
