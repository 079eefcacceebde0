import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { StoreFailure, type StoreFailureKind } from '../sources/store-failure.ts';
import type { Attempt, Endpoint } from './ask-store.ts';
import { createPoliteness } from './store-access.ts';
import { createUrgency, forDailyRun, type Urgency, urgent } from './urgency.ts';

function start(options: { addresses?: string[]; perMinute?: number; random?: () => number } = {}) {
  const clock = createFakeClock();
  const { addresses: labels = ['direct'], perMinute = 60, random = () => 1 } = options;
  // A dispatcher tells the test which address an attempt goes through.
  const addresses = labels.map((label) => ({ label, dispatcher: { label } as never }));
  const buckets = createMemoryBuckets(clock);
  const calls: { endpoint: Endpoint; outcome: string; ms: number }[] = [];
  const notAsked: string[] = [];
  const politeness = createPoliteness({
    addresses,
    buckets,
    clock,
    random,
    perMinute: { itunes: perMinute, 'itunes-hints': 60, 'itunes-pages': 60, play: 60 },
    log: {
      onCall: (call) => calls.push(call),
      onNotAsked: ({ endpoint, reason }) => notAsked.push(`${endpoint} ${reason}`),
      onTurn: () => {},
    },
  });

  /** Asks, and fails as often as said before it answers; remembers when and through which address. */
  function ask(
    outcomes: readonly (StoreFailureKind | Error | 'ok')[],
    question: { endpoint?: Endpoint; signal?: AbortSignal; urgency?: Urgency } = {},
  ) {
    const tries: { atMs: number; on: string }[] = [];
    const { endpoint = 'itunes-search', signal = new AbortController().signal, urgency = urgent } = question;
    const begunAtMs = clock.now().getTime();
    const answer = politeness.askStore({ endpoint, signal, urgency }, async ({ dispatcher }: Attempt) => {
      const outcome = outcomes[tries.length] ?? 'ok';
      tries.push({
        atMs: clock.now().getTime() - begunAtMs,
        on: (dispatcher as unknown as { label: string }).label,
      });
      if (outcome === 'ok') return 'the answer';
      throw outcome instanceof Error ? outcome : new StoreFailure(outcome, `failed (${outcome})`);
    });
    answer.catch(() => {});
    return { answer, tries };
  }
  return { clock, buckets, ask, calls, notAsked, politeness };
}

test.each(['error', 'silence', 'unreachable'] as const)('%s is tried three times in all', async (kind) => {
  const { ask, clock, calls } = start();
  const { answer, tries } = ask([kind, kind, kind]);
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringContaining(`The App Store failed (${kind}). `),
    cause: { kind },
  });
  expect(tries.map(({ atMs }) => atMs)).toEqual([0, 500, 1500]);
  expect(calls.map(({ outcome }) => outcome)).toEqual([kind, kind, kind]);
});

test('a retry that succeeds is the answer', async () => {
  const { ask, clock } = start({ random: () => 0.5 });
  const { answer, tries } = ask(['silence', 'error', 'ok']);
  await clock.advance(5000);
  expect(await answer).toBe('the answer');
  expect(tries.map(({ atMs }) => atMs)).toEqual([0, 250, 750]);
});

test('every try takes its own turn', async () => {
  const { ask, clock, buckets } = start({ perMinute: 2 });
  const { tries } = ask(['error', 'error', 'ok']);
  await clock.advance(60_000);
  expect(buckets.taken).toHaveLength(2);
  expect(tries).toHaveLength(2);
});

test('garbage is tried once more only', async () => {
  const { ask, clock } = start();
  const { answer, tries } = ask(['garbage', 'garbage', 'ok']);
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'garbage' } });
  expect(tries).toHaveLength(2);
});

test.each(['blocked', 'captcha'] as const)('%s is never tried again from the same address', async (kind) => {
  const { ask, clock } = start();
  const { answer, tries } = ask([kind, 'ok']);
  await clock.advance(60_000);
  await expect(answer).rejects.toMatchObject({ cause: { kind } });
  expect(tries).toHaveLength(1);
});

test.each(['blocked', 'captcha'] as const)('%s is tried at once from another address', async (kind) => {
  const { ask, clock } = start({ addresses: ['direct', 'a', 'b'] });
  const { answer, tries } = ask([kind, kind, 'ok']);
  await clock.settle();
  expect(await answer).toBe('the answer');
  expect(tries.map(({ atMs }) => atMs)).toEqual([0, 0, 0]);
  expect(new Set(tries.map(({ on }) => on)).size).toBe(3);
});

test('a refused call is not repeated where every other address rests', async () => {
  const { ask, clock } = start({ addresses: ['direct', 'a'] });
  // Blocks both addresses twice.
  for (let i = 0; i < 2; i++) {
    const blocked = ask(['blocked', 'blocked']);
    await clock.advance(1000);
    await blocked.answer.catch(() => {});
  }
  const { answer, tries } = ask(['ok']);
  await clock.settle();
  await expect(answer).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(
      /^The App Store is not asked until 12:00:1\d UTC: the last 2 calls failed, the last of them failed \(blocked\)\. Try again after that\.$/,
    ),
  });
  expect(tries).toEqual([]);
});

test('an app that the store does not have is its answer: no retry, no failure', async () => {
  const { ask, clock, calls } = start();
  const notFound = new AppError('APP_NOT_FOUND', 'no such app');
  for (let i = 0; i < 6; i++) {
    const { answer, tries } = ask([notFound]);
    await clock.advance(1000);
    await expect(answer).rejects.toBe(notFound);
    expect(tries).toHaveLength(1);
  }
  expect(calls.every(({ outcome }) => outcome === 'ok')).toBe(true);
});

test('a question that is given up is never asked again, and does not count against the store', async () => {
  const { ask, clock, calls } = start();
  for (let i = 0; i < 6; i++) {
    const { answer, tries } = ask(['abandoned', 'ok']);
    await clock.advance(1000);
    await expect(answer).rejects.toMatchObject({ cause: { kind: 'abandoned' } });
    expect(tries).toHaveLength(1);
  }
  expect(calls.map(({ outcome }) => outcome)).toEqual(Array(6).fill('abandoned'));
  const { answer } = ask(['ok']);
  await clock.settle();
  expect(await answer).toBe('the answer');
});

test('one who gives up between two tries is not asked for again', async () => {
  const { ask, clock } = start();
  const hurried = new AbortController();
  const { answer, tries } = ask(['error', 'ok'], { signal: hurried.signal });
  await clock.advance(100);
  hurried.abort();
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  expect(tries).toHaveLength(1);
});

test('no try begins after 25 s; what the store said before is the error', async () => {
  const { ask, clock } = start({ perMinute: 2 });
  await clock.settle();
  ask(['ok']);
  await clock.settle();
  // The second call of the minute fails; the next one would come back after 30 s.
  const { answer, tries } = ask(['error', 'ok']);
  await clock.advance(26_000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'error' } });
  expect(tries).toHaveLength(1);
});

test('a spent budget is told as such, and counted without a call', async () => {
  const { ask, clock, notAsked, calls } = start({ perMinute: 1 });
  ask(['ok']);
  await clock.settle();
  const { answer } = ask(['ok'], { endpoint: 'itunes-lookup' });
  await clock.advance(25_000);
  await expect(answer).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message:
      'The App Store has no call left for this within 25 s: its budget of 1 calls a minute is spoken for (1 wait). ' +
      'Try again in a minute; more outgoing addresses (STORE_PROXIES) allow more calls.',
  });
  expect(notAsked).toEqual(['itunes-lookup busy']);
  expect(calls).toHaveLength(1);
});

test('five failures in a row rest the endpoint, not the others of its store', async () => {
  const { ask, clock, notAsked } = start();
  ask(['error', 'error', 'error']);
  await clock.advance(5000);
  ask(['error', 'error', 'error']);
  await clock.advance(5000);
  const { answer, tries } = ask(['ok']);
  const other = ask(['ok'], { endpoint: 'itunes-lookup' });
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'resting' } });
  expect(tries).toEqual([]);
  expect(await other.answer).toBe('the answer');
  expect(notAsked).toContain('itunes-search resting');
});

test.each(['unreachable', 'silence', 'error', 'garbage'] as const)(
  'after %s a retry goes through another address, though the one that failed has more calls left',
  async (kind) => {
    const { ask, clock, politeness } = start({ addresses: ['direct', 'a'] });
    const [direct] = politeness.addresses;
    if (!direct) throw new Error('there are two');
    for (let i = 0; i < 2; i++)
      politeness.breakers.of('itunes-lookup', direct).enter().fail(new StoreFailure('blocked', 'refused'));
    for (let i = 0; i < 5; i++) ask(['ok'], { endpoint: 'itunes-lookup' });
    await clock.settle();
    const { answer, tries } = ask([kind, 'ok']);
    await clock.advance(1000);
    expect(await answer).toBe('the answer');
    expect(tries.map(({ on }) => on)).toEqual(['direct', 'a']);
  },
);

test('a try that fails too late for another one is the answer at once', async () => {
  const { ask, clock } = start({ perMinute: 3 });
  for (let i = 0; i < 3; i++) ask(['ok']);
  await clock.advance(15_200);
  ask(['ok']);
  const { answer, tries } = ask(['error', 'ok']);
  const told = jest.fn();
  answer.catch(told);
  await clock.advance(24_800);
  expect(tries.map(({ atMs }) => atMs)).toEqual([24_800]);
  expect(told).toHaveBeenCalledTimes(1);
});

test('where the endpoint rests on all other addresses a retry goes through the one that failed', async () => {
  const { ask, clock, politeness } = start({ addresses: ['direct', 'a'] });
  const [, a] = politeness.addresses;
  if (!a) throw new Error('there are two');
  for (let i = 0; i < 2; i++)
    politeness.breakers.of('itunes-search', a).enter().fail(new StoreFailure('blocked', 'refused the call'));
  const { answer, tries } = ask(['silence', 'ok']);
  await clock.advance(1000);
  expect(await answer).toBe('the answer');
  expect(tries.map(({ on }) => on)).toEqual(['direct', 'direct']);
});

test('an error that lasts is not asked about again', async () => {
  const { ask, clock } = start();
  const { answer, tries } = ask([new StoreFailure('error', 'answered 404', { isLasting: true }), 'ok']);
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'error' } });
  expect(tries).toHaveLength(1);
});

test('a question that becomes urgent late has as long for its retries as one that was urgent from the start', async () => {
  const { ask, clock } = start({ perMinute: 2 });
  const urgency = createUrgency();
  for (let i = 0; i < 2; i++) ask(['ok']);
  const { answer, tries } = ask(['error', 'ok'], { urgency, endpoint: 'itunes-lookup' });
  await clock.advance(24_000);
  expect(tries).toEqual([]);
  urgency.becomeUrgent();
  await clock.advance(20_000);
  expect(tries.map(({ atMs }) => atMs)).toEqual([30_000]);
  // Of the 25 s that it has since it became urgent, 19 were left for its second turn: none comes back in that time.
  await clock.advance(4_999);
  const told = jest.fn();
  answer.catch(told);
  await clock.settle();
  expect(told).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(told).toHaveBeenCalledTimes(1);
});

test('a retry waits for its turn until 25 s after the question, not anew', async () => {
  const { ask, clock } = start({ perMinute: 2, random: () => 0 });
  ask(['ok']);
  const { answer } = ask(['error', 'ok']);
  const told = jest.fn();
  answer.catch(told);
  await clock.advance(24_999);
  expect(told).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(told).toHaveBeenCalledTimes(1);
});

test('a question that is given up between two tries ends at once', async () => {
  const { ask, clock } = start();
  const hurried = new AbortController();
  const { answer, tries } = ask(['silence', 'ok'], { signal: hurried.signal });
  await clock.advance(100);
  hurried.abort(new Error('gone'));
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  expect(tries).toHaveLength(1);
  expect(clock.waiting()).toBe(0);
});

test('an app that the store does not have ends a row of failures', async () => {
  const { ask, clock, notAsked } = start();
  const fail = async (count: number) => {
    ask([...(Array(count).fill('error') as 'error'[])]);
    await clock.advance(5000);
  };
  await fail(3);
  ask([new AppError('APP_NOT_FOUND', 'no such app')]);
  await clock.settle();
  await fail(3);
  expect(await ask(['ok']).answer).toBe('the answer');
  expect(notAsked).toEqual([]);
});

test('a call that ends the rest lets those in line go on', async () => {
  const { ask, clock, politeness } = start({ addresses: ['direct', 'a'], perMinute: 2 });
  const [direct] = politeness.addresses;
  if (!direct) throw new Error('there are two');
  for (let i = 0; i < 2; i++)
    politeness.breakers
      .of('itunes-search', direct)
      .enter()
      .fail(new StoreFailure('blocked', 'refused the call'));
  for (let i = 0; i < 2; i++) ask(['ok']);
  await clock.advance(15_000);
  let release = () => {};
  const findsOut = new Promise<void>((resolve) => {
    release = resolve;
  });
  const question = {
    endpoint: 'itunes-search',
    urgency: urgent,
    signal: new AbortController().signal,
  } as const;
  const held = politeness.askStore(question, () => findsOut);
  await clock.settle();
  const { tries } = ask(['ok']);
  await clock.settle();
  expect(tries).toEqual([]);
  release();
  await held;
  await clock.settle();
  expect(tries).toEqual([{ atMs: 0, on: 'direct' }]);
});

test('a store that throttles is left alone at once, and not asked elsewhere', async () => {
  const { ask, clock, calls } = start({ addresses: ['direct', 'a'] });
  const { answer, tries } = ask(['throttled', 'ok'], { endpoint: 'itunes-hints' });
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'throttled' } });
  expect(tries).toHaveLength(1);
  expect(calls).toMatchObject([{ endpoint: 'itunes-hints', outcome: 'throttled' }]);
  const second = ask(['throttled'], { endpoint: 'itunes-hints' });
  await clock.settle();
  expect(second.tries).toHaveLength(1);
  const third = ask(['ok'], { endpoint: 'itunes-hints' });
  await clock.settle();
  await expect(third.answer).rejects.toMatchObject({
    cause: { kind: 'resting', cause: { kind: 'throttled' } },
  });
});

test('no database, no call', async () => {
  const { ask, clock, buckets } = start();
  buckets.state.failure = new AppError('SERVICE_UNAVAILABLE', 'no database');
  const { answer, tries } = ask(['ok']);
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(tries).toEqual([]);
});

test('a retry of the daily run is urgent once somebody waits for it', async () => {
  const { ask, clock } = start({ perMinute: 20 });
  const urgency = createUrgency();
  ask(['ok'], { urgency: forDailyRun });
  const { tries } = ask(['error', 'ok'], { urgency });
  await clock.advance(3025);
  expect(tries.map(({ atMs }) => atMs)).toEqual([3025]);
  urgency.becomeUrgent();
  await clock.advance(1000);
  expect(tries.map(({ atMs }) => atMs)).toEqual([3025, 3525]);
});
