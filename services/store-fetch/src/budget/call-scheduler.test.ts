import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { questionAbout } from '../../test/question-about.ts';
import { createBreakers } from '../store-health/breakers.ts';
import type { Endpoint } from '../store-health/endpoints.ts';
import { StoreFailure } from '../store-health/store-failure.ts';
import { createCallScheduler } from './call-scheduler.ts';
import type { CallSlot } from './call-slot.ts';
import { createUrgency, forDailyRun, type Urgency, unhurriedFor, urgent, urgentFor } from './urgency.ts';

const unaborted = () => new AbortController().signal;

function start(options: { perMinute?: number; addresses?: string[] } = {}) {
  const { perMinute = 20, addresses: labels = ['direct'] } = options;
  const clock = createFakeClock();
  const addresses = labels.map((label) => ({ label, dispatcher: undefined }));
  const buckets = createMemoryBuckets(clock);
  const breakers = createBreakers(addresses, clock.now);
  const process = () =>
    createCallScheduler({
      budget: 'itunes',
      perMinute,
      addresses,
      buckets,
      breakers,
      clock,
      onSlotGranted: () => {},
    });
  const scheduler = process();
  const startedAtMs = clock.now().getTime();
  /** The granted slots in order: name, address, milliseconds after the start. */
  const granted: { name: string; on: string; atMs: number; slot: CallSlot }[] = [];

  function acquire(
    name: string,
    request: {
      urgency?: Urgency;
      endpoint?: Endpoint;
      signal?: AbortSignal;
      excluded?: string[];
      maxWaitMs?: number;
      from?: typeof scheduler;
    } = {},
  ): Promise<CallSlot> {
    const {
      urgency = urgent,
      endpoint = 'itunes-search',
      signal = unaborted(),
      maxWaitMs = 25_000,
    } = request;
    const excludedAddresses = new Set(addresses.filter(({ label }) => request.excluded?.includes(label)));
    const acquired = (request.from ?? scheduler).acquire({
      endpoint,
      question: questionAbout(name),
      urgency,
      signal,
      excludedAddresses,
      maxWaitMs: () => maxWaitMs,
    });
    acquired.then(
      (slot) =>
        granted.push({ name, on: slot.address.label, atMs: clock.now().getTime() - startedAtMs, slot }),
      () => {},
    );
    return acquired;
  }
  const names = () => granted.map(({ name }) => name);
  const openBreaker = (endpoint: Endpoint, label: string) => {
    const address = addresses.find((each) => each.label === label);
    if (!address) throw new Error(label);
    for (let i = 0; i < 2; i++)
      breakers
        .get(endpoint, address)
        .startCall(questionAbout(`refused ${i}`))
        .fail(new StoreFailure('blocked', 'refused the call (HTTP 403)'));
    scheduler.recheck();
  };
  /** Takes all calls that the buckets hold. */
  async function drain() {
    await Promise.all(Array.from({ length: perMinute * labels.length }, (_, i) => acquire(`drain ${i}`)));
    await clock.settle();
    granted.length = 0;
  }
  return { clock, buckets, scheduler, acquire, granted, names, openBreaker, process, drain };
}

test('a slot is granted immediately while the budget has a call left', async () => {
  const { acquire, clock, granted } = start();
  for (let i = 0; i < 20; i++) void acquire(`${i}`);
  await clock.settle();
  expect(granted.map(({ atMs }) => atMs)).toEqual(Array(20).fill(0));
});

test('urgent calls go before the daily run, each in order of arrival', async () => {
  const { acquire, clock, granted, drain } = start();
  await drain();
  void acquire('daily 1', { urgency: forDailyRun, maxWaitMs: 300_000 });
  void acquire('urgent 1');
  void acquire('daily 2', { urgency: forDailyRun, maxWaitMs: 300_000 });
  void acquire('urgent 2', { endpoint: 'itunes-lookup' });
  void acquire('urgent 3');
  await clock.advance(100_000);
  expect(granted.map(({ name, atMs }) => [name, atMs])).toEqual([
    ['urgent 1', 3000],
    ['urgent 2', 6000],
    ['urgent 3', 9000],
    // Only now is the bucket full, so that its next token would overflow.
    ['daily 1', 69_000],
    ['daily 2', 72_025],
  ]);
});

test('300 waiting calls of one caller delay the one call of another by one call, on any endpoint of the budget', async () => {
  const { acquire, clock, granted, drain } = start();
  await drain();
  for (let i = 0; i < 300; i++) acquire(`many ${i}`, { urgency: urgentFor('many') }).catch(() => {});
  await clock.advance(500);
  acquire('one', { urgency: urgentFor('one'), endpoint: 'itunes-lookup' }).catch(() => {});
  await clock.advance(500);
  acquire('two', { urgency: urgentFor('two') }).catch(() => {});
  await clock.advance(25_000);
  expect(granted.slice(0, 4).map(({ name, atMs }) => [name, atMs])).toEqual([
    ['many 0', 3000],
    ['one', 6000],
    ['two', 9000],
    ['many 1', 12_000],
  ]);
});

test('a call that another caller joins is made in the turn of that caller', async () => {
  const { acquire, clock, granted, drain } = start();
  await drain();
  for (let i = 0; i < 20; i++) acquire(`many ${i}`, { urgency: urgentFor('many') }).catch(() => {});
  const shared = createUrgency();
  const leave = shared.follow(urgentFor('many'));
  acquire('shared', { urgency: shared }).catch(() => {});
  shared.follow(urgentFor('joiner'));
  leave();
  await clock.advance(25_000);
  expect(granted.slice(0, 2)).toMatchObject([{ name: 'many 0' }, { name: 'shared', atMs: 6000 }]);
});

test('one caller may queue 500 urgent calls; more are refused, and other callers are not', async () => {
  const { acquire, clock, scheduler, drain } = start({ perMinute: 1 });
  await drain();
  const leave = new AbortController();
  setMaxListeners(0, leave.signal);
  const byMany = { urgency: urgentFor('many'), signal: leave.signal };
  for (let i = 0; i < 500; i++) acquire(`${i}`, byMany).catch(() => {});
  await expect(acquire('one more', byMany)).rejects.toMatchObject({ kind: 'budget_exhausted' });
  acquire('other', { urgency: urgentFor('one'), signal: leave.signal }).catch(() => {});
  expect(scheduler.queuedCalls().urgent).toBe(501);
  leave.abort();
  expect(scheduler.queuedCalls().urgent).toBe(0);
  await clock.settle();
});

test('the calls of the daily run are evenly spaced from the first one on', async () => {
  const { acquire, clock, granted } = start();
  for (let i = 0; i < 4; i++) void acquire(`${i}`, { urgency: forDailyRun });
  await clock.advance(10_000);
  expect(granted.map(({ atMs }) => atMs)).toEqual([0, 3025, 6050, 9075]);
});

test('the daily run goes before ten queued calls of a job, and the jobs of accounts take turns', async () => {
  const { acquire, clock, names } = start();
  const refused: string[] = [];
  const queue = (name: string, urgency: Urgency) =>
    acquire(name, { urgency }).catch(() => void refused.push(name));
  for (let i = 0; i < 10; i++) void queue(`ann ${i}`, unhurriedFor('ann'));
  void queue('bob', unhurriedFor('bob'));
  await clock.advance(1000);
  void queue('daily 1', forDailyRun);
  void queue('daily 2', forDailyRun);
  await clock.advance(60_000);
  expect(names().slice(0, 5)).toEqual(['ann 0', 'daily 1', 'daily 2', 'bob', 'ann 1']);
  expect(refused.filter((name) => name.startsWith('daily'))).toEqual([]);
});

test('a read of a job that the daily run joins is made in the turn of the daily run', async () => {
  const { acquire, clock, names } = start();
  for (let i = 0; i < 4; i++) acquire(`ann ${i}`, { urgency: unhurriedFor('ann') }).catch(() => {});
  const shared = createUrgency();
  shared.follow(unhurriedFor('ann'));
  acquire('shared', { urgency: shared }).catch(() => {});
  await clock.advance(1000);
  shared.follow(forDailyRun);
  await clock.advance(30_000);
  expect(names().slice(0, 3)).toEqual(['ann 0', 'shared', 'ann 1']);
});

test('an urgent call is made immediately, though calls of the daily run are queued', async () => {
  const { acquire, clock, granted } = start();
  for (let i = 0; i < 8; i++) void acquire(`daily ${i}`, { urgency: forDailyRun });
  await clock.advance(4000);
  void acquire('urgent');
  await clock.settle();
  expect(granted.at(-1)).toMatchObject({ name: 'urgent', atMs: 4000 });
});

test('a call of the daily run that becomes urgent moves up', async () => {
  const { acquire, clock, granted, scheduler, drain } = start();
  await drain();
  void acquire('daily', { urgency: forDailyRun, maxWaitMs: 100_000 });
  const urgency = createUrgency();
  void acquire('joined', { urgency });
  await clock.advance(10_000);
  expect(granted).toEqual([]);
  expect(scheduler.queuedCalls()).toEqual({ urgent: 0, daily: 2 });
  urgency.becomeUrgent();
  expect(scheduler.queuedCalls()).toEqual({ urgent: 1, daily: 1 });
  await clock.settle();
  expect(granted).toMatchObject([{ name: 'joined', atMs: 10_000 }]);
});

test('a call that becomes urgent waits for up to 25 s from then on', async () => {
  const { acquire, clock, drain } = start({ perMinute: 1 });
  await drain();
  const urgency = createUrgency();
  const refused = jest.fn();
  acquire('joined', { urgency }).catch(refused);
  await clock.advance(20_000);
  urgency.becomeUrgent();
  await clock.advance(24_999);
  expect(refused).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(refused).toHaveBeenCalledTimes(1);
});

test('after 25 s a call fails with an exhausted budget and the number of queued calls', async () => {
  const { acquire, clock, scheduler, drain } = start();
  await drain();
  const ninth = Array.from({ length: 9 }, (_, i) => acquire(`${i}`)).at(-1);
  const refused = expect(ninth).rejects.toMatchObject({
    kind: 'budget_exhausted',
    message:
      'cannot be called within 25 s: the store budget of 20 calls a minute is exhausted (4 calls queued)',
  });
  await clock.advance(10_000);
  for (let i = 0; i < 3; i++) acquire(`later ${i}`, { urgency: forDailyRun }).catch(() => {});
  await clock.advance(15_000);
  await refused;
  await clock.advance(10_000);
  expect(scheduler.queuedCalls()).toEqual({ urgent: 0, daily: 0 });
});

test('a caller that gives up while waiting spends nothing', async () => {
  const { acquire, clock, buckets, names, drain } = start();
  await drain();
  const leaving = new AbortController();
  const first = acquire('leaving', { signal: leaving.signal });
  void acquire('staying');
  await clock.advance(1000);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toMatchObject({ kind: 'abandoned' });
  await clock.advance(60_000);
  expect(names()).toEqual(['staying']);
  expect(buckets.taken).toHaveLength(21);
});

test('a token that was taken for an urgent caller that gave up meanwhile is not used by the daily run', async () => {
  const { acquire, clock, buckets, names, drain } = start();
  await drain();
  const leaving = new AbortController();
  acquire('leaving', { signal: leaving.signal }).catch(() => {});
  void acquire('daily', { urgency: forDailyRun, maxWaitMs: 100_000 });
  buckets.state.duringTake = () => leaving.abort();
  await clock.advance(10_000);
  expect(names()).toEqual([]);
  await clock.advance(60_000);
  expect(names()).toEqual(['daily']);
});

test('a caller that has already given up is not queued', async () => {
  const { acquire, buckets } = start();
  await expect(acquire('gone', { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'abandoned' });
  expect(buckets.state.takeCount).toBe(0);
});

test('the address with most calls left is used, and each address has its own budget', async () => {
  const { acquire, clock, granted } = start({ addresses: ['direct', 'a', 'b'], perMinute: 2 });
  for (let i = 0; i < 6; i++) void acquire(`${i}`);
  await clock.settle();
  const used = granted.map(({ on }) => on);
  expect(used.slice(0, 3).sort()).toEqual(['a', 'b', 'direct']);
  expect(used.slice(3).sort()).toEqual(['a', 'b', 'direct']);
  expect(granted.every(({ atMs }) => atMs === 0)).toBe(true);
});

test('an address with an open breaker is skipped, for that endpoint only', async () => {
  const { acquire, openBreaker, granted, clock } = start({ addresses: ['direct', 'a'] });
  openBreaker('itunes-search', 'direct');
  for (let i = 0; i < 4; i++) void acquire(`search ${i}`);
  await clock.settle();
  expect(granted.map(({ on }) => on)).toEqual(['a', 'a', 'a', 'a']);
  void acquire('lookup', { endpoint: 'itunes-lookup' });
  await clock.settle();
  expect(granted.at(-1)).toMatchObject({ name: 'lookup', on: 'direct' });
});

test('an endpoint whose breaker is open on the only address with calls left delays no other endpoint', async () => {
  const { acquire, openBreaker, granted, clock } = start({ addresses: ['direct', 'a'], perMinute: 2 });
  openBreaker('itunes-search', 'direct');
  await Promise.all([acquire('a 1'), acquire('a 2')]);
  void acquire('search waits for a');
  void acquire('lookup', { endpoint: 'itunes-lookup' });
  await clock.settle();
  expect(granted.at(-1)).toMatchObject({ name: 'lookup', on: 'direct', atMs: 0 });
  await clock.advance(14_000);
  expect(granted.map(({ name }) => name)).not.toContain('search waits for a');
});

test('an excluded address is not used', async () => {
  const { acquire, granted, clock } = start({ addresses: ['direct', 'a'] });
  void acquire('elsewhere', { excluded: ['direct'] });
  await clock.settle();
  expect(granted).toMatchObject([{ on: 'a' }]);
});

test('while all breakers of an endpoint are open, new and queued calls are refused immediately', async () => {
  const { acquire, openBreaker, clock, buckets, drain } = start();
  await drain();
  const waiting = expect(acquire('waiting')).rejects.toMatchObject({ kind: 'circuit_open' });
  openBreaker('itunes-search', 'direct');
  await clock.settle();
  await waiting;
  await expect(acquire('new')).rejects.toMatchObject({ kind: 'circuit_open' });
  expect(buckets.taken).toHaveLength(20);
});

test('after the open time a single probe goes through, and all other calls are refused until it has ended', async () => {
  const { acquire, openBreaker, clock, granted } = start();
  openBreaker('itunes-search', 'direct');
  await clock.advance(15_000);
  const outcomes = Promise.allSettled([acquire('probe'), acquire('second'), acquire('third')]);
  await clock.settle();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  granted[0]?.slot.breakerCall.succeed();
  await expect(acquire('later')).resolves.toBeDefined();
});

test('an address is used again after its breaker’s open time for a call that is queued', async () => {
  const { acquire, openBreaker, granted, clock } = start({ addresses: ['direct', 'a'], perMinute: 2 });
  openBreaker('itunes-search', 'direct');
  await Promise.all([acquire('a 1'), acquire('a 2')]);
  void acquire('waits');
  await clock.advance(15_000);
  expect(granted.at(-1)).toMatchObject({ name: 'waits', on: 'direct', atMs: 15_000 });
});

test('an urgent call and one of the daily run that become possible at the same moment: the urgent one goes first', async () => {
  const { acquire, openBreaker, granted, clock, buckets } = start({
    addresses: ['direct', 'a'],
    perMinute: 1,
  });
  openBreaker('itunes-search', 'direct');
  await acquire('a 1');
  acquire('daily', { urgency: forDailyRun }).catch(() => {});
  void acquire('urgent');
  await clock.advance(15_000);
  expect(granted.slice(1)).toMatchObject([{ name: 'urgent', on: 'direct', atMs: 15_000 }]);
  expect(buckets.taken.at(-1)).toMatchObject({ isUrgent: true });
  await clock.advance(15_000);
});

test('when the database fails all queued calls are refused, and no slot is granted', async () => {
  const { acquire, clock, buckets, granted } = start();
  buckets.state.failure = new Error('no database');
  const outcomes = await Promise.allSettled([
    acquire('1'),
    acquire('2'),
    acquire('3', { urgency: forDailyRun }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(granted).toEqual([]);
  buckets.state.failure = null;
  await expect(acquire('again')).resolves.toBeDefined();
  await clock.settle();
});

test('while no slot can be granted the database is not queried', async () => {
  const { acquire, clock, buckets, drain } = start();
  await drain();
  const before = buckets.state.takeCount;
  for (let i = 0; i < 5; i++) void acquire(`${i}`);
  await clock.advance(2900);
  expect(buckets.state.takeCount).toBe(before);
  await clock.advance(200);
  expect(buckets.state.takeCount).toBe(before + 1);
});

test('setting the clock back by an hour delays calls by a minute, not by an hour', async () => {
  const { acquire, clock, granted, drain } = start();
  await drain();
  clock.setBack(3_600_000);
  const setBackAtMs = clock.now().getTime();
  void acquire('after', { maxWaitMs: 100_000 });
  await clock.advance(100_000);
  const { atMs } = granted.at(-1) ?? { atMs: Number.NaN };
  expect(granted.at(-1)).toMatchObject({ name: 'after' });
  expect(atMs + 3_600_000).toBeLessThanOrEqual(63_000);
  expect(clock.now().getTime() - setBackAtMs).toBe(100_000);
});

test('a call that excludes the only address with calls left delays no call behind it', async () => {
  const { acquire, granted, clock } = start({ addresses: ['direct', 'a'], perMinute: 2 });
  await Promise.all([acquire('a 1', { excluded: ['direct'] }), acquire('a 2', { excluded: ['direct'] })]);
  void acquire('elsewhere', { excluded: ['direct'] });
  for (const name of ['behind 1', 'behind 2']) void acquire(name);
  await clock.settle();
  expect(granted.slice(2)).toMatchObject([
    { name: 'behind 1', on: 'direct', atMs: 0 },
    { name: 'behind 2', on: 'direct', atMs: 0 },
  ]);
  await clock.advance(25_000);
});

test('a token whose caller has given up is not granted to a call that excludes its address', async () => {
  const { acquire, granted, clock, buckets } = start({ addresses: ['direct', 'a'], perMinute: 1 });
  await acquire('a 1', { excluded: ['direct'] });
  const leaving = new AbortController();
  acquire('leaving', { signal: leaving.signal }).catch(() => {});
  acquire('elsewhere', { excluded: ['direct'] }).catch(() => {});
  buckets.state.duringTake = () => leaving.abort();
  await clock.settle();
  expect(granted.map(({ name }) => name)).toEqual(['a 1']);
  await clock.advance(25_000);
});

test('a stop refuses all queued calls and all later ones immediately', async () => {
  const { acquire, clock, scheduler, drain } = start();
  await drain();
  const waiting = Promise.allSettled([acquire('1'), acquire('2', { urgency: forDailyRun })]);
  await clock.settle();
  scheduler.stop();
  for (const outcome of await waiting)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  await expect(acquire('late')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.settle();
  expect(scheduler.queuedCalls()).toEqual({ urgent: 0, daily: 0 });
  expect(clock.waiting()).toBe(0);
});

test('a full queue refuses calls immediately; a full queue of the daily run does not affect urgent calls', async () => {
  const { acquire, clock, scheduler, drain } = start({ perMinute: 1 });
  await drain();
  const leave = new AbortController();
  setMaxListeners(0, leave.signal);
  for (let i = 0; i < 10_000; i++)
    acquire(`${i}`, { urgency: forDailyRun, signal: leave.signal }).catch(() => {});
  await expect(acquire('one more', { urgency: forDailyRun })).rejects.toMatchObject({
    kind: 'budget_exhausted',
  });
  const urgentOne = acquire('urgent', { signal: leave.signal });
  urgentOne.catch(() => {});
  expect(scheduler.queuedCalls()).toEqual({ urgent: 1, daily: 10_000 });
  leave.abort();
  await clock.settle();
  expect(scheduler.queuedCalls()).toEqual({ urgent: 0, daily: 0 });
});

test('two processes on one database share a budget, and urgent calls of one go before the daily run of the other', async () => {
  const { acquire, clock, granted, process, buckets } = start();
  const other = process();
  const daily = () => acquire('daily', { urgency: forDailyRun, from: other }).then(() => {});
  const runDaily = async () => {
    for (let i = 0; i < 60; i++) await daily().catch(() => {});
  };
  void runDaily();
  await clock.advance(30_000);
  const before = granted.length;
  for (let i = 0; i < 25; i++) acquire(`urgent ${i}`).catch(() => {});
  await clock.advance(25_000);
  const since = granted.slice(before).map(({ name }) => name);
  expect(since.filter((name) => name.startsWith('urgent'))).toHaveLength(25);
  expect(since.filter((name) => name === 'daily').length).toBeLessThanOrEqual(1);
  await clock.advance(120_000);
  for (const { atMs } of buckets.taken) {
    const minute = buckets.taken.filter((each) => each.atMs >= atMs && each.atMs < atMs + 60_000);
    expect(minute.length).toBeLessThanOrEqual(40);
  }
});

test('in any order of arrival no call of the daily run overtakes an urgent one, and no call is lost', async () => {
  const arrivals = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 4000 }),
      isUrgent: fc.boolean(),
      callerId: fc.constantFrom('ann', 'bob', 'eve'),
    }),
    {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    },
  );
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 40 }), async (calls, perMinute) => {
      const { acquire, clock, granted, scheduler } = start({ perMinute, addresses: ['direct', 'a'] });
      const waiting = new Set<string>();
      const overtaken: string[] = [];
      let refused = 0;
      for (const [i, { afterMs, isUrgent, callerId }] of calls.entries()) {
        await clock.advance(afterMs);
        const name = `${isUrgent ? 'urgent' : 'daily'} ${i}`;
        if (isUrgent) waiting.add(name);
        acquire(name, { urgency: isUrgent ? urgentFor(callerId) : forDailyRun }).then(
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
      expect(granted.length + refused).toBe(calls.length);
      expect(scheduler.queuedCalls()).toEqual({ urgent: 0, daily: 0 });
      expect(clock.waiting()).toBe(0);
    }),
    { numRuns: 25 },
  );
});
