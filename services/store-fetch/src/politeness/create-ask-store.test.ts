import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { StoreFailure, type StoreFailureKind } from '../sources/store-failure.ts';
import type { Attempt, Endpoint } from './ask-store.ts';
import { createPoliteness } from './politeness.ts';
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
    ...{ addresses, buckets, clock, random },
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
  await clock.advance(3000);
  expect(tries.map(({ atMs }) => atMs)).toEqual([3000]);
  urgency.becomeUrgent();
  await clock.advance(1000);
  expect(tries.map(({ atMs }) => atMs)).toEqual([3000, 3500]);
});
