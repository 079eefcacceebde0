import { randomUUID } from 'node:crypto';
import type { LimitDecider, LimitedCall } from '../../src/limits/limit-decider.ts';
import type { UsageCounters } from '../../src/limits/usage-counters.ts';
import { type MonthUsage, toMonth } from '../../src/limits/usage-model.ts';

const at = new Date('2026-06-15T12:00:00.250Z');

export type TestedDecider = {
  decider: LimitDecider;
  /** The account gets this version of its key, as when the key is replaced. */
  replaceKey(accountId: string, keyVersion: number): Promise<void>;
};

/** Counters of API requests in memory. `counts` can be read and changed by a test. */
export function createFakeCounters() {
  const counts = new Map<string, number>();
  const keyOf = ({ accountId, at: time }: { accountId: string; at: Date }) => `${accountId}:${toMonth(time)}`;
  const read = (use: { accountId: string; at: Date }) => counts.get(keyOf(use)) ?? 0;
  const reached = (spent: number, cap: number) => ({ spent, cap, renewsAt: '2026-07-01T00:00:00.000Z' });
  const counters: Pick<UsageCounters, 'spend' | 'refund' | 'findCapReached' | 'readMonth'> = {
    async spend({ cap, ...use }) {
      if (cap !== null && read(use) >= cap) return reached(read(use), cap);
      counts.set(keyOf(use), read(use) + 1);
      return null;
    },
    findCapReached: async ({ cap, ...use }) => (read(use) >= cap ? reached(read(use), cap) : null),
    async refund(use) {
      counts.set(keyOf(use), Math.max(0, read(use) - 1));
    },
    readMonth: async (accountId, time) => ({ api_requests: read({ accountId, at: time }) }) as MonthUsage,
  };
  return { counters, counts, read };
}

/**
 * What every decider promises, each test with an account of its own.
 * @param burst how many calls of an account it admits in a second
 */
export function testDecider(
  create: (counters: ReturnType<typeof createFakeCounters>['counters']) => Promise<TestedDecider>,
  burst: 5 | 10 = 5,
): void {
  async function createAccount() {
    const fake = createFakeCounters();
    const { decider, replaceKey } = await create(fake.counters);
    const accountId = randomUUID();
    const decide = (call: Partial<LimitedCall> = {}) =>
      decider.decide({ accountId, keyVersion: 1, quotaCost: 0, quotaLimit: null, at, ...call });
    const times = (count: number, call?: Partial<LimitedCall>) =>
      Promise.all(Array.from({ length: count }, () => decide(call)));
    return {
      decide,
      times,
      refund: () => decider.refund({ accountId, quotaCost: 1, at }),
      spent: (time = at) => fake.read({ accountId, at: time }),
      replaceKey: (version: number) => replaceKey(accountId, version),
    };
  }

  test(`${burst} of 50 concurrent calls are admitted; the others get the time until the window has room`, async () => {
    const { times } = await createAccount();
    const decisions = await times(50);
    expect(decisions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(burst);
    for (const decision of decisions.filter(({ outcome }) => outcome !== 'admitted')) {
      expect(decision).toEqual({ outcome: 'rate-limited', limit: burst, retryAfterMs: expect.any(Number) });
      const { retryAfterMs } = decision as { retryAfterMs: number };
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(1000);
    }
  });

  test('an account does not use up the windows of another', async () => {
    const { times, decide } = await createAccount();
    await times(burst + 1);
    expect(await decide({ accountId: randomUUID() })).toEqual({ outcome: 'admitted' });
  });

  test('a call refused by a window spends no quota', async () => {
    const { times, spent } = await createAccount();
    await times(20, { quotaCost: 1, quotaLimit: 100 });
    expect(spent()).toBe(burst);
  });

  test('an exceeded quota comes with its usage, and a refunded request can be spent again', async () => {
    const { decide, refund } = await createAccount();
    const call = { quotaCost: 1, quotaLimit: 1 } as const;
    expect(await decide(call)).toEqual({ outcome: 'admitted' });
    expect(await decide(call)).toEqual({
      outcome: 'quota-exceeded',
      usage: { api_requests: 1, api_requests_per_month: 1, renews_at: '2026-07-01T00:00:00.000Z' },
    });
    await refund();
    expect(await decide(call)).toEqual({ outcome: 'admitted' });
  });

  test('concurrent calls do not pass the cap; calls that cost nothing and other months are admitted', async () => {
    const { times, decide, spent } = await createAccount();
    const call = { quotaCost: 1, quotaLimit: 2 } as const;
    const decisions = await times(3, call);
    expect(decisions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(2);
    expect(await decide({ ...call, quotaCost: 0 })).toEqual({ outcome: 'admitted' });
    const july = new Date('2026-07-01T00:00:00Z');
    expect(await decide({ ...call, at: july })).toEqual({ outcome: 'admitted' });
    expect([spent(), spent(july)]).toEqual([2, 1]);
  });

  test('a cap of 0 admits nothing, and without a cap uses are counted', async () => {
    const { decide, spent } = await createAccount();
    expect(await decide({ quotaCost: 1, quotaLimit: 0 })).toMatchObject({ outcome: 'quota-exceeded' });
    expect(await decide({ quotaCost: 1 })).toEqual({ outcome: 'admitted' });
    expect(spent()).toBe(1);
  });

  test('a replaced key is refused at once, and the new key has the windows of the old one', async () => {
    const { decide, times, replaceKey } = await createAccount();
    await times(burst - 1);
    await replaceKey(2);
    expect(await decide({ keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
    expect(await decide({ keyVersion: 2 })).toEqual({ outcome: 'admitted' });
    expect(await decide({ keyVersion: 2 })).toMatchObject({ outcome: 'rate-limited' });
    expect(await decide({ keyVersion: 1 })).toEqual({ outcome: 'key-replaced' });
  });
}
