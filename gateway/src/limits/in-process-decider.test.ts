import fc from 'fast-check';
import { createInProcessDecider } from './in-process-decider.ts';
import type { LimitedCall } from './limit-decider.ts';

const at = new Date('2026-06-15T12:00:00.250Z');

/** A month with `left` unspent API requests. */
function createFakeCounters(left = Number.POSITIVE_INFINITY) {
  const counters = {
    left,
    spend: async ({ cap }: { cap: number | null }) => {
      if (counters.left === 0) return { spent: cap ?? 0, cap: cap ?? 0, renewsAt: '2026-07-01' };
      counters.left--;
      return null;
    },
    refund: async () => {
      counters.left++;
    },
  };
  return counters;
}

function create(left?: number) {
  const clock = { ms: 0 };
  const counters = createFakeCounters(left);
  const decider = createInProcessDecider({ counters, monotonicMs: () => clock.ms });
  const decide = (call: Partial<LimitedCall> = {}) =>
    decider.decide({ accountId: 'a', keyVersion: 1, quotaCost: 0, quotaLimit: null, at, ...call });
  return { clock, counters, decider, decide };
}

test('concurrent accounts do not use up each other’s windows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 0, 0, 1, 200, 1000)), {
        maxLength: 200,
      }),
      async (calls) => {
        const { clock, decide } = create();
        const admitted = new Map<number, number[]>();
        for (const [account, pauseMs] of calls) {
          clock.ms += pauseMs;
          const times = admitted.get(account) ?? [];
          const hasRoom =
            times.filter((time) => time > clock.ms - 1000).length < 5 &&
            times.filter((time) => time > clock.ms - 60_000).length < 59;
          const { outcome } = await decide({ accountId: `account-${account}` });
          expect(outcome).toBe(hasRoom ? 'admitted' : 'rate-limited');
          if (hasRoom) admitted.set(account, [...times, clock.ms]);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('5 of 50 concurrent calls are admitted', async () => {
  const { decide } = create();
  const decisions = await Promise.all(Array.from({ length: 50 }, () => decide()));
  expect(decisions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(5);
});

test('a refusal contains whole seconds, rounded up, and the time as Unix seconds', async () => {
  const { clock, decide } = create();
  for (let call = 0; call < 5; call++) await decide();
  clock.ms = 100;
  expect(await decide()).toEqual({
    outcome: 'rate-limited',
    limit: 5,
    retryAfterSeconds: 1,
    resetAtSeconds: Math.ceil((at.getTime() + 900) / 1000),
  });
});

test('a call refused by a window spends no quota', async () => {
  const { counters, decide } = create(100);
  for (let call = 0; call < 20; call++) await decide({ quotaCost: 1, quotaLimit: 100 });
  expect(counters.left).toBe(95);
});

test('an exceeded quota comes with its usage, and a refunded request can be spent again', async () => {
  const { decider, decide } = create(1);
  expect(await decide({ quotaCost: 1, quotaLimit: 1 })).toEqual({ outcome: 'admitted' });
  expect(await decide({ quotaCost: 1, quotaLimit: 1 })).toMatchObject({
    outcome: 'quota-exceeded',
    usage: { api_requests: 1, api_requests_per_month: 1 },
  });
  await decider.refund({ accountId: 'a', quotaCost: 1, at });
  expect(await decide({ quotaCost: 1, quotaLimit: 1 })).toEqual({ outcome: 'admitted' });
});

test('a replaced key is refused immediately', async () => {
  const { decider, decide } = create();
  expect(await decide({ keyVersion: 1 })).toEqual({ outcome: 'admitted' });
  decider.replaceKey('a', 2);
  expect(await decide({ keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
  expect(await decide({ keyVersion: 2 })).toEqual({ outcome: 'admitted' });
});

test('a new key does not reset the rate windows', async () => {
  const { decider, decide } = create();
  for (let call = 0; call < 5; call++) await decide({ keyVersion: 1 });
  decider.replaceKey('a', 2);
  expect(await decide({ keyVersion: 2 })).toMatchObject({ outcome: 'rate-limited' });
});

describe('a refusal is repeated without a decision', () => {
  const again = { accountId: 'a', keyVersion: 1, at };

  test('only after a window has refused a call, and only while it is full', async () => {
    const { clock, decider, decide } = create();
    for (let call = 0; call < 5; call++) await decide();
    expect(decider.repeatRefusal(again)).toBeNull();
    const refusal = await decide();
    expect(refusal).toMatchObject({ outcome: 'rate-limited', limit: 5 });
    expect(decider.repeatRefusal(again)).toEqual(refusal);
    expect(decider.repeatRefusal({ ...again, accountId: 'b' })).toBeNull();
    clock.ms = 1000;
    expect(decider.repeatRefusal(again)).toBeNull();
    expect(await decide()).toEqual({ outcome: 'admitted' });
  });

  test('a replaced key is refused as replaced', async () => {
    const { decider, decide } = create();
    for (let call = 0; call < 6; call++) await decide();
    decider.replaceKey('a', 2);
    expect(decider.repeatRefusal(again)).toEqual({ outcome: 'key-replaced' });
  });
});

test('accounts idle for a minute take no memory', async () => {
  const { clock, decider, decide } = create();
  for (let account = 0; account < 1000; account++) await decide({ accountId: `account-${account}` });
  expect(decider.windowCount()).toBe(1000);
  clock.ms += 60_000;
  await decide({ accountId: 'late' });
  expect(decider.windowCount()).toBe(1);
});
