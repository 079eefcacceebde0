import { createLogger } from '@shelfwise/runtime/log/logger';
import { builtInPlans, findPlan } from '../plans/plans.ts';
import { createUseCounting, explainCapReached } from './count-use.ts';
import type { CapReached, Use } from './usage-counters.ts';

const { limits } = findPlan(builtInPlans, 'unlimited');
const now = new Date('2026-06-30T23:59:59Z');

function create({
  hasCallerAborted = false,
  ...counters
}: {
  hasCallerAborted?: boolean;
  refund?: () => Promise<void>;
  spend?: () => Promise<CapReached | null>;
} = {}) {
  const refunded: Use[] = [];
  const spend = async () => null;
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const refund = async (use: Use) => void refunded.push(use);
  const countUse = createUseCounting({
    accountId: 'a',
    limits,
    counters: { spend, refund, ...counters },
    requestId: 'r',
    hasCallerAborted: () => hasCallerAborted,
    now,
    logger,
  });
  return { countUse, refunded, lines };
}

const fail = () => Promise.reject(new RangeError('the work failed'));

test('failed work refunds its use in the month of the use', async () => {
  const { countUse, refunded } = create();
  await expect(countUse('metadata_simulations', fail)).rejects.toThrow('the work failed');
  expect(refunded).toEqual([{ accountId: 'a', counter: 'metadata_simulations', at: now }]);
});

test('a caller that disconnected gets no refund', async () => {
  const { countUse, refunded } = create({ hasCallerAborted: true });
  await expect(countUse('metadata_simulations', fail)).rejects.toThrow('the work failed');
  expect(refunded).toEqual([]);
});

test('a failed refund is logged and does not hide why the work failed', async () => {
  const { countUse, lines } = create({ refund: () => Promise.reject(new Error('no database')) });
  await expect(countUse('keyword_inspections', fail)).rejects.toThrow('the work failed');
  expect(lines.join()).toMatch(/keyword_inspections.*could not be refunded/s);
});

test('a result that is not a use is returned, and the use is refunded', async () => {
  const { countUse, refunded } = create();
  const work = async () => 'kept';
  const isUse = (result: string) => result !== 'kept';
  expect(await countUse('niche_analyses', work, { isUse })).toBe('kept');
  expect(refunded).toEqual([{ accountId: 'a', counter: 'niche_analyses', at: now }]);
});

test('a result that is a use is not refunded', async () => {
  const { countUse, refunded } = create();
  await countUse('niche_analyses', async () => 'fresh', { isUse: (result) => result === 'fresh' });
  await countUse('autocomplete_queries', async () => 'done');
  expect(refunded).toEqual([]);
});

test('at the cap only what costs no use is returned, and nothing is refunded', async () => {
  const spend = async () => ({ spent: 1, cap: 1, renewsAt: '2026-07-01T00:00:00.000Z' });
  const { countUse, refunded } = create({ spend });
  const atCap = async () => 'kept';
  expect(await countUse('niche_analyses', fail, { isUse: () => false, atCap })).toBe('kept');
  const refusals = [{}, { atCap: async () => null }].map((options) =>
    countUse('niche_analyses', fail, options),
  );
  for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: 'PLAN_LIMIT' });
  expect(refunded).toEqual([]);
});

test('the message of a reached cap uses singular and plural correctly', () => {
  const renewsAt = '2026-07-01T00:00:00.000Z';
  const say = (cap: number) => explainCapReached('niche_analyses', { cap, renewsAt });
  expect([0, 1, 2].map(say)).toEqual([
    'Your plan has no niche analyses (niche_analyses_per_month is 0).',
    `Your plan has 1 niche analysis a month (niche_analyses_per_month), and it is spent. The next month begins at ${renewsAt}.`,
    `Your plan has 2 niche analyses a month (niche_analyses_per_month), and all are spent. The next month begins at ${renewsAt}.`,
  ]);
});
