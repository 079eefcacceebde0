import type { JobBatch } from '@shelfwise/proto/jobs/v1/jobs';
import type { KeywordTracking } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import type { AccountState } from '../accounts/accounts.ts';
import type { Use } from '../limits/usage-counters.ts';
import { builtInPlans } from '../plans/plans.ts';
import { countSpent, createSpendBatch } from './spend-batch.ts';

const now = new Date('2026-06-15T12:00:00Z');
const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const call = { requestId: 'r', deadline: new Date('2999-01-01') };
const renewsAt = '2026-07-01T00:00:00.000Z';

const ann: AccountState = {
  id: 'ann',
  email: 'ann@example.com',
  plan: 'free',
  keyVersion: 1,
  version: 1,
  keyPrefix: '',
  keyMadeAt: null,
  dashboard: { seenAt: null, lastVisitEndedAt: null, hasShortcuts: false },
};

/** With counters that have room for so many more uses. */
function create({
  account = ann as AccountState | null,
  room = {} as Record<string, number>,
  tracked = [] as string[],
  failing = '',
  failingCounter = '',
} = {}) {
  const spent: string[] = [];
  const counters = {
    async spend({ counter, cap }: Use & { cap: number | null }) {
      if (counter === failingCounter) throw new AppError('SERVICE_UNAVAILABLE', 'Away.');
      const left = room[counter] ?? 100;
      if (left === 0) return { spent: cap ?? 0, cap: cap ?? 0, renewsAt };
      room[counter] = left - 1;
      spent.push(counter);
      return null;
    },
    async refund({ counter }: Use) {
      spent.push(`-${counter}`);
    },
  };
  const tracking = {
    listKeywordTracking: async ({ keyword }: { keyword: string }) => {
      if (keyword === failing) throw new AppError('SERVICE_UNAVAILABLE', 'Away.');
      return { rows: tracked.includes(keyword) ? [{} as KeywordTracking] : [] };
    },
  };
  const accounts = { read: async () => account };
  return {
    spend: createSpendBatch({ accounts, plans: builtInPlans, counters, tracking, now: () => now }),
    spent,
  };
}

const batch = (id: number, texts: string[], isSpent = false): JobBatch => ({
  job_id: id,
  account_id: 'ann',
  claim: 'c',
  target: { storefront },
  items: texts.map((text, index) => ({ position: index + 1, text, is_spent: isSpent })),
});

test('tracking spends nothing here; the plan of the account says how many keywords it may track', async () => {
  const { spend, spent } = create();
  expect(await spend(batch(1, ['one', 'two']), call)).toEqual({
    job_id: 1,
    claim: 'c',
    items: [
      { position: 1, is_capped: false },
      { position: 2, is_capped: false },
    ],
    refusal: null,
    max_keywords: 25,
  });
  expect(spent).toEqual([]);
});

test('an inspection spends an API request, and a use of its feature unless the account tracks the keyword', async () => {
  const { spend, spent } = create({ tracked: ['two'] });
  const { items, refusal } = await spend(batch(2, ['one', 'two']), call);
  expect(items.map(({ is_capped }) => is_capped)).toEqual([true, false]);
  expect(refusal).toBeNull();
  expect(spent).toEqual(['api_requests', 'keyword_inspections', 'api_requests']);
});

test('what an earlier attempt has counted is not counted again', async () => {
  const { spend, spent } = create();
  const { items } = await spend(batch(2, ['one'], true), call);
  expect(items).toEqual([{ position: 1, is_capped: false }]);
  expect(spent).toEqual([]);
});

test('at a spent quota, what an earlier attempt has counted still runs', async () => {
  const { spend } = create({ room: { api_requests: 0 } });
  const [fresh, counted] = batch(2, ['one', 'two']).items;
  const items = [fresh, { ...counted, is_spent: true }] as JobBatch['items'];
  const request = await spend({ ...batch(2, []), items }, call);
  expect(request).toMatchObject({
    items: [{ position: 2, is_capped: false }],
    refusal: { code: 'QUOTA_EXCEEDED' },
  });
});

test('when tracking fails in the middle, what was counted before is refunded', async () => {
  const { spend, spent } = create({ failing: 'two' });
  await expect(spend(batch(2, ['one', 'two']), call)).rejects.toThrow('Away.');
  expect(spent).toEqual(['api_requests', 'keyword_inspections', '-api_requests', '-keyword_inspections']);
});

test('when the use cannot be counted, the request of the same keyword is refunded, too', async () => {
  const { spend, spent } = create({ failingCounter: 'keyword_inspections' });
  await expect(spend(batch(2, ['one']), call)).rejects.toThrow('Away.');
  expect(spent).toEqual(['api_requests', '-api_requests']);
});

test('a batch that did not run has spent what was counted for it, and nothing in a job that tracks', () => {
  const { items } = batch(2, ['one', 'two', 'three']);
  const [first, ...others] = items as [JobBatch['items'][number], ...JobBatch['items']];
  const granted = items.map(({ position }) => ({ position, is_capped: position === 2 }));
  const taken = { job_id: 2, items: [{ ...first, is_spent: true }, ...others] };
  expect(countSpent(taken, granted)).toEqual({ requests: 2, uses: 1 });
  expect(countSpent({ ...taken, job_id: 1 }, granted)).toEqual({ requests: 0, uses: 0 });
});

test('at a spent quota the keywords before it run, and the refusal says when the next month begins', async () => {
  const { spend, spent } = create({ room: { api_requests: 1 } });
  const { items, refusal } = await spend(batch(2, ['one', 'two', 'three']), call);
  expect(items.map(({ position }) => position)).toEqual([1]);
  expect(refusal).toEqual({ code: 'QUOTA_EXCEEDED', message: expect.stringContaining(renewsAt) });
  expect(spent).toEqual(['api_requests', 'keyword_inspections']);
});

test('at a reached cap the API request is refunded', async () => {
  const { spend, spent } = create({ room: { keyword_inspections: 0 } });
  const { items, refusal } = await spend(batch(2, ['one', 'two']), call);
  expect(items).toEqual([]);
  expect(refusal).toMatchObject({ code: 'PLAN_LIMIT' });
  expect(spent).toEqual(['api_requests', '-api_requests']);
});

test('nothing runs for a deleted account', async () => {
  const { spend, spent } = create({ account: null });
  expect(await spend(batch(2, ['one']), call)).toMatchObject({ items: [], refusal: { code: 'NOT_FOUND' } });
  expect(spent).toEqual([]);
});

test('a plan that does not exist any more ends the job, but for what was counted before', async () => {
  const { spend, spent } = create({ account: { ...ann, plan: 'gone' } });
  const [fresh, counted] = batch(2, ['one', 'two']).items;
  const items = [fresh, { ...counted, is_spent: true }] as JobBatch['items'];
  expect(await spend({ ...batch(2, []), items }, call)).toMatchObject({
    items: [{ position: 2, is_capped: false }],
    refusal: { code: 'PLAN_REQUIRED' },
  });
  expect(await spend(batch(1, ['one']), call)).toMatchObject({ items: [], max_keywords: 0 });
  expect(spent).toEqual([]);
});
