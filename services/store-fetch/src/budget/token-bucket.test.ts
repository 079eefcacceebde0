import fc from 'fast-check';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { fullAfterEmptyMs, intervalMs, isPlausible } from './token-bucket.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');

/** Tries to take a call at each of these times; returns the times (ms after the start) at which one was taken. */
async function run(perMinute: number, attempts: readonly { atMs: number; isUrgent: boolean }[]) {
  const clock = { ms: startMs };
  const buckets = createMemoryBuckets({ now: () => new Date(clock.ms) });
  for (const { atMs, isUrgent } of [...attempts].sort((a, b) => a.atMs - b.atMs)) {
    clock.ms = startMs + atMs;
    await buckets.take({ id: 'b', perMinute }, isUrgent);
  }
  return buckets.taken.map(({ atMs, isUrgent }) => ({ atMs: atMs - startMs, isUrgent }));
}

const attempts = (isUrgent: fc.Arbitrary<boolean>) =>
  fc.array(fc.record({ atMs: fc.integer({ min: 0, max: 200_000 }), isUrgent }), {
    maxLength: 300,
    size: 'max',
  });
const perMinutes = fc.integer({ min: 1, max: 120 });

test('in any period no more calls are made than the bucket holds plus what the period brings back', async () => {
  await fc.assert(
    fc.asyncProperty(perMinutes, attempts(fc.boolean()), async (perMinute, arrivals) => {
      const taken = await run(perMinute, arrivals);
      for (const [first, { atMs: fromMs }] of taken.entries())
        for (const [more, { atMs: toMs }] of taken.slice(first).entries())
          if (more + 1 > perMinute + (perMinute * (toMs - fromMs)) / 60_000)
            throw new Error(`${more + 1} calls from ${fromMs} to ${toMs}`);
    }),
    { numRuns: 60 },
  );
});

test('the daily run alone spaces its calls evenly and makes no more than the budget in any 60 seconds', async () => {
  await fc.assert(
    fc.asyncProperty(perMinutes, attempts(fc.constant(false)), async (perMinute, arrivals) => {
      const taken = (await run(perMinute, arrivals)).map(({ atMs }) => atMs);
      for (const [i, atMs] of taken.entries()) {
        expect(taken.filter((other) => other >= atMs && other < atMs + 60_000).length).toBeLessThanOrEqual(
          perMinute,
        );
        if (i > 0) expect(atMs - (taken[i - 1] ?? 0)).toBeGreaterThanOrEqual(60_000 / perMinute);
      }
    }),
    { numRuns: 60 },
  );
});

test('the daily run alone uses the whole budget', async () => {
  const everyMs = Array.from({ length: 60_000 }, (_, atMs) => ({ atMs, isUrgent: false }));
  expect(await run(20, everyMs)).toHaveLength(20);
  expect(await run(60, everyMs)).toHaveLength(60);
});

test('the daily run delays an urgent call by at most one interval', async () => {
  // From 2 on: a bucket that holds a single call leaves nothing for urgent calls.
  const urgentArrivals = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 30 }), urgentArrivals, async (perMinute, arrivals) => {
      const alone = await serve(perMinute, arrivals, false);
      const withDailyRun = await serve(perMinute, arrivals, true);
      for (const [i, atMs] of withDailyRun.entries())
        expect(atMs - (alone[i] ?? 0)).toBeLessThanOrEqual(
          intervalMs({ id: 'b', perMinute }) + Math.ceil(500 / perMinute) + stepMs,
        );
    }),
    { numRuns: 40 },
  );
});

/** How often callers check whether a call is left. */
const stepMs = 50;

/** Serves urgent calls in order of arrival, together with a daily run that takes a call whenever it can. */
async function serve(perMinute: number, arrivals: readonly number[], withDailyRun: boolean) {
  const clock = { ms: startMs };
  const buckets = createMemoryBuckets({ now: () => new Date(clock.ms) });
  const bucket = { id: 'b', perMinute };
  const waiting = [...arrivals].sort((a, b) => a - b);
  const served: number[] = [];
  for (let atMs = 0; served.length < arrivals.length; atMs += stepMs) {
    clock.ms = startMs + atMs;
    // The daily run takes first: the worst case for urgent calls.
    if (withDailyRun) await buckets.take(bucket, false);
    while ((waiting[0] ?? Number.POSITIVE_INFINITY) <= atMs) {
      const { isTaken } = await buckets.take(bucket, true);
      if (!isTaken) break;
      waiting.shift();
      served.push(atMs);
    }
  }
  return served;
}

test('after a quiet minute, urgent calls may use the whole bucket in one burst', async () => {
  const atOnce = Array.from({ length: 50 }, () => ({ atMs: 1000, isUrgent: true }));
  expect(await run(20, atOnce)).toHaveLength(20);
});

test('a stored time is plausible if a clock within a minute of this one can have written it', () => {
  const bucket = { id: 'b', perMinute: 20 };
  const emptyMs = fullAfterEmptyMs(bucket, startMs);
  expect(emptyMs).toBe(startMs + 60_000);
  expect(isPlausible(bucket, emptyMs + 60_000, startMs)).toBe(true);
  expect(isPlausible(bucket, emptyMs + 60_001, startMs)).toBe(false);
  expect(isPlausible(bucket, 0, startMs)).toBe(true);
});
