import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { questionAbout } from '../../test/question-about.ts';
import type { Attempt, Endpoint } from '../store-health/endpoints.ts';
import type { Question } from '../store-health/question.ts';
import { StoreFailure, type StoreFailureKind } from '../store-health/store-failure.ts';
import { createStoreAccess } from './store-access.ts';
import { createUrgency, forDailyRun, type Urgency, urgent, urgentFor } from './urgency.ts';

function start(options: { addresses?: string[]; perMinute?: number; random?: () => number } = {}) {
  const clock = createFakeClock();
  const { addresses: labels = ['direct'], perMinute = 60, random = () => 1 } = options;
  // The dispatcher shows the test which address an attempt uses.
  const addresses = labels.map((label) => ({ label, dispatcher: { label } as never }));
  const buckets = createMemoryBuckets(clock);
  const calls: { endpoint: Endpoint; outcome: string; failure: StoreFailure | null; ms: number }[] = [];
  const refused: string[] = [];
  const access = createStoreAccess({
    addresses,
    buckets,
    clock,
    random,
    perMinute: { itunes: perMinute, 'itunes-hints': 60, 'itunes-pages': 60, play: 60 },
    observer: {
      onCall: (call) => calls.push(call),
      onRefused: ({ endpoint, reason }) => refused.push(`${endpoint} ${reason}`),
      onSlotGranted: () => {},
    },
  });

  let requests = 0;

  /** Calls a store that has these outcomes in turn; records when and through which address. */
  function makeCall(
    outcomes: readonly (StoreFailureKind | Error | 'ok')[],
    request: { endpoint?: Endpoint; question?: Question; signal?: AbortSignal; urgency?: Urgency } = {},
  ) {
    const attempts: { atMs: number; on: string }[] = [];
    const {
      endpoint = 'itunes-search',
      question = questionAbout(`request ${requests++}`),
      signal = new AbortController().signal,
      urgency = urgent,
    } = request;
    const startedAtMs = clock.now().getTime();
    const answer = access.callWithBudget(
      { endpoint, question, signal, urgency },
      async ({ dispatcher }: Attempt) => {
        const outcome = outcomes[attempts.length] ?? 'ok';
        attempts.push({
          atMs: clock.now().getTime() - startedAtMs,
          on: (dispatcher as unknown as { label: string }).label,
        });
        if (outcome === 'ok') return 'the answer';
        throw outcome instanceof Error ? outcome : new StoreFailure(outcome, `failed (${outcome})`);
      },
    );
    answer.catch(() => {});
    return { answer, attempts };
  }

  /** Opens the breaker of an address. */
  function refuse(label: string, endpoint: Endpoint = 'itunes-search') {
    const address = access.addresses.find((each) => each.label === label);
    if (!address) throw new Error(`no address ${label}`);
    for (let i = 0; i < 2; i++)
      access.breakers
        .get(endpoint, address)
        .startCall(questionAbout(`refused ${i}`))
        .fail(new StoreFailure('blocked', 'refused the call'));
  }
  return { clock, buckets, makeCall, calls, refused, access, refuse };
}

test.each(['error', 'timeout', 'unreachable'] as const)(
  '%s is tried three times, and may be asked again',
  async (kind) => {
    const { makeCall, clock, calls } = start();
    const question = questionAbout('failed');
    const { answer, attempts } = makeCall([kind, kind, kind], { question });
    await clock.advance(5000);
    await expect(answer).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringContaining(`The App Store failed (${kind}). `),
      cause: { kind },
    });
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 500, 1500]);
    expect(calls.map(({ outcome }) => outcome)).toEqual([kind, kind, kind]);
    expect(await makeCall(['ok'], { question }).answer).toBe('the answer');
  },
);

test('a retry that succeeds gives the answer', async () => {
  const { makeCall, clock } = start({ random: () => 0.5 });
  const { answer, attempts } = makeCall(['timeout', 'error', 'ok']);
  await clock.advance(5000);
  expect(await answer).toBe('the answer');
  expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 250, 750]);
});

test('every attempt takes a call slot of its own', async () => {
  const { makeCall, clock, buckets } = start({ perMinute: 2 });
  const { attempts } = makeCall(['error', 'error', 'ok']);
  await clock.advance(60_000);
  expect(buckets.taken).toHaveLength(2);
  expect(attempts).toHaveLength(2);
});

test('a malformed answer is retried only once', async () => {
  const { makeCall, clock } = start();
  const { answer, attempts } = makeCall(['malformed', 'malformed', 'ok']);
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'malformed' } });
  expect(attempts).toHaveLength(2);
});

test.each(['blocked', 'captcha'] as const)('%s is never retried from the same address', async (kind) => {
  const { makeCall, clock } = start();
  const { answer, attempts } = makeCall([kind, 'ok']);
  await clock.advance(60_000);
  await expect(answer).rejects.toMatchObject({ cause: { kind } });
  expect(attempts).toHaveLength(1);
});

test.each(['blocked', 'captcha'] as const)('%s is retried immediately from another address', async (kind) => {
  const { makeCall, clock } = start({ addresses: ['direct', 'a', 'b'] });
  const { answer, attempts } = makeCall([kind, kind, 'ok']);
  await clock.settle();
  expect(await answer).toBe('the answer');
  expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 0, 0]);
  expect(new Set(attempts.map(({ on }) => on)).size).toBe(3);
});

test('a request fails without a call while the breakers of all addresses are open', async () => {
  const { makeCall, clock } = start({ addresses: ['direct', 'a'] });
  // Blocks both addresses, for two callers.
  for (let i = 0; i < 3; i++) {
    const blocked = makeCall(['blocked', 'blocked'], { urgency: urgentFor(`account ${i}`) });
    await clock.advance(1000);
    await blocked.answer.catch(() => {});
  }
  const { answer, attempts } = makeCall(['ok']);
  await clock.settle();
  await expect(answer).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message: expect.stringMatching(
      /^The App Store is not called until 12:00:1\d UTC: the last 2 calls failed, most recently because it failed \(blocked\)\. Try again after that\.$/,
    ),
  });
  expect(attempts).toEqual([]);
});

test('an app that the store does not have is an answer: not retried, not counted as a failure, asked again', async () => {
  const { makeCall, clock, calls } = start();
  const notFound = new AppError('APP_NOT_FOUND', 'no such app');
  const question = questionAbout('missing');
  for (let i = 0; i < 6; i++) {
    const { answer, attempts } = makeCall([notFound], { question });
    await clock.advance(1000);
    await expect(answer).rejects.toBe(notFound);
    expect(attempts).toHaveLength(1);
  }
  expect(calls.every(({ outcome }) => outcome === 'ok')).toBe(true);
});

test('an abandoned request is not retried, and does not count against the store', async () => {
  const { makeCall, clock, calls } = start();
  for (let i = 0; i < 6; i++) {
    const { answer, attempts } = makeCall(['abandoned', 'ok']);
    await clock.advance(1000);
    await expect(answer).rejects.toMatchObject({ cause: { kind: 'abandoned' } });
    expect(attempts).toHaveLength(1);
  }
  expect(calls.map(({ outcome }) => outcome)).toEqual(Array(6).fill('abandoned'));
  const { answer } = makeCall(['ok']);
  await clock.settle();
  expect(await answer).toBe('the answer');
});

test('no attempt starts after 25 s, and the error is the previous failure', async () => {
  const { makeCall, clock } = start({ perMinute: 2 });
  await clock.settle();
  makeCall(['ok']);
  await clock.settle();
  // The second call of the minute fails; the next token comes back after 30 s.
  const { answer, attempts } = makeCall(['error', 'ok']);
  await clock.advance(26_000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'error' } });
  expect(attempts).toHaveLength(1);
});

test('an exhausted budget is reported and counted without a call', async () => {
  const { makeCall, clock, refused, calls } = start({ perMinute: 1 });
  makeCall(['ok']);
  await clock.settle();
  const { answer } = makeCall(['ok'], { endpoint: 'itunes-lookup' });
  await clock.advance(25_000);
  await expect(answer).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
    message:
      'The App Store cannot be called within 25 s: the store budget of 1 call a minute is exhausted (1 call queued). ' +
      'Try again in a minute; more outgoing addresses (STORE_PROXIES) allow more calls.',
  });
  expect(refused).toEqual(['itunes-lookup budget_exhausted']);
  expect(calls).toHaveLength(1);
});

test('five failures in a row open the breaker of their endpoint, and of no other endpoint of the store', async () => {
  const { makeCall, clock, refused } = start();
  makeCall(['error', 'error', 'error']);
  await clock.advance(5000);
  makeCall(['error', 'error', 'error']);
  await clock.advance(5000);
  const { answer, attempts } = makeCall(['ok']);
  const other = makeCall(['ok'], { endpoint: 'itunes-lookup' });
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'circuit_open' } });
  expect(attempts).toEqual([]);
  expect(await other.answer).toBe('the answer');
  expect(refused).toContain('itunes-search circuit_open');
});

test.each(['unreachable', 'timeout', 'error', 'malformed'] as const)(
  'after %s the retry goes through another address, even if the failed one has more calls left',
  async (kind) => {
    const { makeCall, clock, refuse } = start({ addresses: ['direct', 'a'] });
    refuse('direct', 'itunes-lookup');
    for (let i = 0; i < 5; i++) makeCall(['ok'], { endpoint: 'itunes-lookup' });
    await clock.settle();
    const { answer, attempts } = makeCall([kind, 'ok']);
    await clock.advance(1000);
    expect(await answer).toBe('the answer');
    expect(attempts.map(({ on }) => on)).toEqual(['direct', 'a']);
  },
);

test('a failure that leaves no time for a retry is reported immediately', async () => {
  const { makeCall, clock } = start({ perMinute: 3 });
  for (let i = 0; i < 3; i++) makeCall(['ok']);
  await clock.advance(15_200);
  makeCall(['ok']);
  const { answer, attempts } = makeCall(['error', 'ok']);
  const rejected = jest.fn();
  answer.catch(rejected);
  await clock.advance(24_800);
  expect(attempts.map(({ atMs }) => atMs)).toEqual([24_800]);
  expect(rejected).toHaveBeenCalledTimes(1);
});

test('while the breakers of all other addresses are open, the retry goes through the address that failed', async () => {
  const { makeCall, clock, refuse } = start({ addresses: ['direct', 'a'] });
  refuse('a');
  const { answer, attempts } = makeCall(['timeout', 'ok']);
  await clock.advance(1000);
  expect(await answer).toBe('the answer');
  expect(attempts.map(({ on }) => on)).toEqual(['direct', 'direct']);
});

test('a permanent error is not retried', async () => {
  const { makeCall, clock } = start();
  const { answer, attempts } = makeCall([
    new StoreFailure('error', 'answered 404', { isPermanent: true }),
    'ok',
  ]);
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'error' } });
  expect(attempts).toHaveLength(1);
});

test('a request that becomes urgent late has as much time for its retries as any urgent request', async () => {
  const { makeCall, clock } = start({ perMinute: 2 });
  const urgency = createUrgency();
  for (let i = 0; i < 2; i++) makeCall(['ok']);
  const { answer, attempts } = makeCall(['error', 'ok'], { urgency, endpoint: 'itunes-lookup' });
  await clock.advance(24_000);
  expect(attempts).toEqual([]);
  urgency.becomeUrgent();
  await clock.advance(20_000);
  expect(attempts.map(({ atMs }) => atMs)).toEqual([30_000]);
  // 19 of the 25 s were left for its second slot when the first attempt failed, and no token comes back in that time.
  await clock.advance(4_999);
  const rejected = jest.fn();
  answer.catch(rejected);
  await clock.settle();
  expect(rejected).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(rejected).toHaveBeenCalledTimes(1);
});

test('a retry waits for its slot until 25 s after the request, and no longer', async () => {
  const { makeCall, clock } = start({ perMinute: 2, random: () => 0 });
  makeCall(['ok']);
  const { answer } = makeCall(['error', 'ok']);
  const rejected = jest.fn();
  answer.catch(rejected);
  await clock.advance(24_999);
  expect(rejected).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(rejected).toHaveBeenCalledTimes(1);
});

test('a request whose caller gives up between two attempts ends immediately', async () => {
  const { makeCall, clock } = start();
  const leaving = new AbortController();
  const { answer, attempts } = makeCall(['timeout', 'ok'], { signal: leaving.signal });
  await clock.advance(100);
  leaving.abort(new Error('gone'));
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
  expect(clock.waiting()).toBe(0);
  await clock.advance(5000);
  expect(attempts).toHaveLength(1);
});

test('an app that the store does not have ends a series of failures', async () => {
  const { makeCall, clock, refused } = start();
  const fail = async (count: number) => {
    makeCall([...(Array(count).fill('error') as 'error'[])]);
    await clock.advance(5000);
  };
  await fail(3);
  makeCall([new AppError('APP_NOT_FOUND', 'no such app')]);
  await clock.settle();
  await fail(3);
  expect(await makeCall(['ok']).answer).toBe('the answer');
  expect(refused).toEqual([]);
});

test('a probe that closes the breaker releases the queued calls', async () => {
  const { makeCall, clock, access, refuse } = start({ addresses: ['direct', 'a'], perMinute: 2 });
  refuse('direct');
  let release = () => {};
  const probe = new Promise<void>((resolve) => {
    release = resolve;
  });
  const known = {
    endpoint: 'itunes-search',
    question: questionAbout('known'),
    urgency: urgent,
    signal: new AbortController().signal,
  } as const;
  let knownCalls = 0;
  makeCall(['ok']);
  await clock.settle();
  await access.callWithBudget(known, async () => (knownCalls++ === 0 ? null : probe));
  await clock.advance(15_000);
  const { attempts } = makeCall(['ok']);
  await clock.settle();
  expect(knownCalls).toBe(2);
  expect(attempts).toEqual([]);
  release();
  await clock.settle();
  expect(attempts).toEqual([{ atMs: 0, on: 'direct' }]);
});

test('a store that throttles is not called again, also not through another address', async () => {
  const { makeCall, clock, calls } = start({ addresses: ['direct', 'a'] });
  const { answer, attempts } = makeCall(['throttled', 'ok'], { endpoint: 'itunes-hints' });
  await clock.advance(5000);
  await expect(answer).rejects.toMatchObject({ cause: { kind: 'throttled' } });
  expect(attempts).toHaveLength(1);
  expect(calls).toMatchObject([{ endpoint: 'itunes-hints', outcome: 'throttled' }]);
  const second = makeCall(['throttled'], { endpoint: 'itunes-hints' });
  await clock.settle();
  expect(second.attempts).toHaveLength(1);
  const third = makeCall(['ok'], { endpoint: 'itunes-hints' });
  await clock.settle();
  await expect(third.answer).rejects.toMatchObject({
    cause: { kind: 'circuit_open', cause: { kind: 'throttled' } },
  });
});

test('without the database no call is made', async () => {
  const { makeCall, clock, buckets } = start();
  buckets.state.failure = new AppError('SERVICE_UNAVAILABLE', 'no database');
  const { answer, attempts } = makeCall(['ok']);
  await clock.settle();
  await expect(answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(attempts).toEqual([]);
});

test('a retry of the daily run becomes urgent when a caller waits for it', async () => {
  const { makeCall, clock } = start({ perMinute: 20 });
  const urgency = createUrgency();
  makeCall(['ok'], { urgency: forDailyRun });
  const { attempts } = makeCall(['error', 'ok'], { urgency });
  await clock.advance(3025);
  expect(attempts.map(({ atMs }) => atMs)).toEqual([3025]);
  urgency.becomeUrgent();
  await clock.advance(1000);
  expect(attempts.map(({ atMs }) => atMs)).toEqual([3025, 3525]);
});

const badRequest = () =>
  new StoreFailure('error', 'answered with an error (HTTP 400)', { isPermanent: true });

describe('a question that the store lastingly fails to answer', () => {
  const broken = questionAbout('broken');

  test('is not asked again for five minutes: the same error, without a call and without budget', async () => {
    const { makeCall, clock, buckets, calls, refused } = start();
    const first = makeCall(['malformed', 'malformed'], { question: broken });
    await clock.advance(1000);
    await expect(first.answer).rejects.toMatchObject({ cause: { kind: 'malformed' } });
    for (let i = 0; i < 19; i++) {
      const { answer, attempts } = makeCall(['ok'], { question: broken });
      await clock.settle();
      await expect(answer).rejects.toMatchObject({
        code: 'STORE_FETCH_FAILED',
        message:
          'The App Store sent an answer that Shelfwise cannot read; it is not called for this again until 12:05:01 UTC. ' +
          'Try again in a few minutes; if that does not help, the store has changed its answers and Shelfwise must be updated.',
        cause: {
          kind: 'malformed',
          message: 'failed (malformed); it is not called for this again until 12:05:01 UTC',
        },
      });
      expect(attempts).toEqual([]);
    }
    expect(calls).toHaveLength(2);
    expect(buckets.taken).toHaveLength(2);
    expect(refused).toEqual(Array(19).fill('itunes-search failed_before'));
    await clock.advance(299_499);
    await expect(makeCall(['ok'], { question: broken }).answer).rejects.toMatchObject({
      cause: { kind: 'malformed' },
    });
    await clock.advance(1);
    expect(await makeCall(['ok'], { question: broken }).answer).toBe('the answer');
  });

  test.each([
    ['malformed', () => 'malformed' as const],
    ['a lasting 4xx', badRequest],
  ])('does not close the store for other questions: %s', async (_name, fail) => {
    const { makeCall, clock } = start({ perMinute: 6000 });
    for (let minute = 0; minute < 30; minute++) {
      makeCall([fail(), fail()], { question: broken });
      await clock.advance(60_000);
    }
    const other = makeCall(['ok']);
    await clock.settle();
    expect(await other.answer).toBe('the answer');
  });

  test('is remembered for its endpoint only', async () => {
    const { makeCall, clock } = start();
    makeCall([badRequest()], { question: broken });
    await clock.settle();
    expect(await makeCall(['ok'], { question: broken, endpoint: 'itunes-lookup' }).answer).toBe('the answer');
  });
});

test('a store that has changed its answers is called six times; users learn that it cannot be read, not why', async () => {
  const { makeCall, clock, calls } = start({ perMinute: 6000 });
  for (let i = 0; i < 20; i++) {
    makeCall(['malformed', 'malformed']);
    await clock.advance(600);
  }
  expect(calls.length).toBeLessThanOrEqual(6);
  const { answer, attempts } = makeCall(['ok']);
  await clock.settle();
  await expect(answer).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The App Store is not called until .*: the last \d calls failed, most recently because it sent an answer that Shelfwise cannot read\. /,
    ),
    cause: {
      kind: 'circuit_open',
      message: expect.stringContaining('failed (malformed)'),
      cause: { kind: 'malformed' },
    },
  });
  expect(attempts).toEqual([]);
});

test('a store that has changed its answers is called about once a minute by the daily run, however much is due', async () => {
  const { makeCall, clock, calls } = start({ perMinute: 6000 });
  for (let second = 0; second < 600; second++) {
    makeCall(['malformed', 'malformed'], { urgency: forDailyRun });
    await clock.advance(1000);
  }
  // The probes after 15 s, 30 s and then each minute, in ten minutes.
  expect(calls.slice(6).length).toBeLessThanOrEqual(12);
  expect(calls.slice(6).length).toBeGreaterThanOrEqual(9);
});

describe('when many different items of a store are unreadable', () => {
  async function startWithAnswer(knownOutcomes: readonly (StoreFailureKind | 'ok')[], perMinute = 6000) {
    const system = start({ perMinute });
    const known = system.makeCall(knownOutcomes);
    await system.clock.settle();
    return { ...system, known };
  }

  test('the store stays open for all other questions as long as it answers one that it has answered before', async () => {
    const { makeCall, clock, known, calls } = await startWithAnswer(Array(100).fill('ok'));
    for (let i = 0; i < 30; i++) {
      makeCall(['malformed', 'malformed']);
      await clock.advance(600);
    }
    const other = makeCall(['ok']);
    await clock.settle();
    expect(await other.answer).toBe('the answer');
    const probeCount = known.attempts.length - 1;
    expect(probeCount).toBeGreaterThan(0);
    expect(probeCount).toBeLessThanOrEqual(calls.length / 5);
  });

  test('calls wait for the check', async () => {
    const { makeCall, clock, access, known } = await startWithAnswer(['ok', 'ok', 'ok', 'ok'], 20);
    for (let i = 0; i < 14; i++) makeCall(['ok'], { endpoint: 'itunes-lookup' });
    for (let i = 0; i < 5; i++) makeCall(['malformed', 'malformed'], { urgency: urgentFor('one account') });
    await clock.settle();
    const others = Array.from({ length: 2 }, () => makeCall(['ok'], { urgency: urgentFor('another') }));
    await clock.settle();
    expect(access.schedulers.itunes.queuedCalls().urgent).toBeGreaterThan(0);
    await clock.advance(20_000);
    for (const { answer } of others) expect(await answer).toBe('the answer');
    expect(known.attempts.length).toBeGreaterThan(1);
  });

  test('the breaker stays open when that question fails too', async () => {
    const { makeCall, clock, known, calls } = await startWithAnswer(['ok', 'malformed']);
    for (let i = 0; i < 20; i++) {
      makeCall(['malformed', 'malformed']);
      await clock.advance(600);
    }
    expect(known.attempts).toHaveLength(2);
    expect(calls.length).toBeLessThanOrEqual(8);
  });
});

describe('when only a question that has failed is asked and the open time of the breaker is over', () => {
  const slow = questionAbout('slow');
  const known = questionAbout('known');

  /** A breaker that the slow question has opened 15 s ago. */
  async function openByTimeouts(knownOutcomes: readonly (StoreFailureKind | 'ok')[] | null) {
    const system = start({ perMinute: 6000 });
    const { makeCall, clock } = system;
    const answered = knownOutcomes && makeCall(knownOutcomes, { question: known });
    await clock.advance(1000);
    for (let i = 0; i < 2; i++) {
      makeCall(['timeout', 'timeout', 'timeout'], { question: slow });
      await clock.advance(3000);
    }
    await clock.advance(15_000);
    return { ...system, answered };
  }

  test('a question that the store has answered is the probe, and then the failed one is asked', async () => {
    const { makeCall, clock, calls, answered } = await openByTimeouts(['ok', 'ok']);
    const { answer, attempts } = makeCall(['ok'], { question: slow });
    await clock.settle();
    expect(await answer).toBe('the answer');
    expect(answered?.attempts).toHaveLength(2);
    expect(attempts).toHaveLength(1);
    expect(calls.slice(-2).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  test('an earlier answered question is the probe when the latest one is the one that has failed since', async () => {
    const { makeCall, clock } = start({ perMinute: 6000 });
    const earlier = makeCall(['ok', 'ok'], { question: known });
    await clock.advance(1000);
    makeCall(['ok'], { question: slow });
    await clock.advance(1000);
    for (let i = 0; i < 2; i++) {
      makeCall(['timeout', 'timeout', 'timeout'], { question: slow });
      await clock.advance(3000);
    }
    await clock.advance(15_000);
    const { answer } = makeCall(['ok'], { question: slow });
    await clock.settle();
    expect(await answer).toBe('the answer');
    expect(earlier.attempts).toHaveLength(2);
  });

  test('if that probe fails, the failed question is refused without a call', async () => {
    const { makeCall, clock, answered } = await openByTimeouts(['ok', 'timeout']);
    const { answer, attempts } = makeCall(['ok'], { question: slow });
    await clock.settle();
    await expect(answer).rejects.toMatchObject({ cause: { kind: 'circuit_open' } });
    expect(answered?.attempts).toHaveLength(2);
    expect(attempts).toEqual([]);
  });

  test('many requests at the same time cause one probe', async () => {
    const { makeCall, clock, answered } = await openByTimeouts(['ok', 'ok']);
    const requests = Array.from({ length: 10 }, () => makeCall(['ok'], { question: slow }));
    await clock.settle();
    for (const { answer } of requests) expect(await answer).toBe('the answer');
    expect(answered?.attempts).toHaveLength(2);
  });

  test('without an answered question it is refused for a minute after its failure, and any other question probes', async () => {
    const { makeCall, clock } = await openByTimeouts(null);
    const refused = makeCall(['ok'], { question: slow });
    await clock.settle();
    await expect(refused.answer).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The App Store is not called for this until another call has succeeded: /,
      ),
      cause: { kind: 'circuit_open' },
    });
    expect(refused.attempts).toEqual([]);
    expect(await makeCall(['ok']).answer).toBe('the answer');
    expect(await makeCall(['ok'], { question: slow }).answer).toBe('the answer');
  });

  test('without an answered question and without other requests it is the probe after a minute', async () => {
    const { makeCall, clock } = await openByTimeouts(null);
    await clock.advance(60_000);
    expect(await makeCall(['ok'], { question: slow }).answer).toBe('the answer');
  });
});
