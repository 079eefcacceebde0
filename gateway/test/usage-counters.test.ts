import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { createUsageCounters, type UsageCounters } from '../src/limits/usage-counters.ts';
import { startDatabase } from './harness/start-database.ts';

let connection: Connection;
let stop: () => Promise<void>;
/** Two gateways that share a database. */
let gateways: [UsageCounters, UsageCounters];
let accountCount = 0;

beforeAll(async () => {
  ({ connection, stop } = await startDatabase());
  gateways = [createUsageCounters(connection), createUsageCounters(connection)];
  // The first command of a model waits for the model.
  await spend(createId(), null);
});
afterAll(() => stop());

const june = new Date('2026-06-30T23:59:59.999Z');
const july = new Date('2026-07-01T00:00:00Z');
const createId = () => `account-${++accountCount}`;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const spend = (accountId: string, cap: number | null, at = june) =>
  gateways[0].spend({ accountId, counter: 'api_requests', cap, at });
const readSpent = async (accountId: string, at = june) =>
  (await gateways[0].readMonth(accountId, at)).api_requests;
const countAdmitted = (results: readonly unknown[]) => results.filter((result) => result === null).length;

/** Counts the commands with which the usage is written, while `work` runs. */
async function countWrites(work: () => Promise<unknown>): Promise<number> {
  const { collection } = connection.model('Usage');
  const writes = [jest.spyOn(collection, 'bulkWrite'), jest.spyOn(collection, 'updateOne')];
  try {
    await work();
    return writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const write of writes) write.mockRestore();
  }
}

test('uses of many accounts that are in flight at the same time share a write', async () => {
  const ids = Array.from({ length: 40 }, createId);
  const writes = await countWrites(() => Promise.all(ids.map((id) => spend(id, 10_000))));
  const isFerretDb = 'ferretdbVersion' in ((await connection.db?.admin().buildInfo()) ?? {});
  expect(writes).toBe(isFerretDb ? ids.length : 1);
  expect(await Promise.all(ids.map((id) => readSpent(id)))).toEqual(ids.map(() => 1));
});

test('the answer to a use waits for the write that has it', async () => {
  const id = createId();
  const { collection } = connection.model('Usage');
  const write = jest.spyOn(collection, 'bulkWrite');
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  write.mockImplementation(() => ended as never);
  const answered: string[] = [];
  const first = spend(id, 10).then(() => answered.push('first'));
  await nextTurn();
  const second = spend(id, 10).then(() => answered.push('second'));
  await nextTurn();
  expect(write).toHaveBeenCalledTimes(1);
  expect(answered).toEqual([]);
  end();
  await Promise.all([first, second]);
  expect(write).toHaveBeenCalledTimes(2);
  write.mockRestore();
});

test('when a write fails, every use in it fails, and the next write has only later ones', async () => {
  const ids = [createId(), createId()];
  const write = jest.spyOn(connection.model('Usage').collection, 'bulkWrite');
  write.mockRejectedValueOnce(new Error('the database does not answer'));
  const results = await Promise.allSettled(ids.map((id) => spend(id, 10)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  write.mockRestore();
  expect(await Promise.all(ids.map((id) => spend(id, 10)))).toEqual([null, null]);
  expect(await Promise.all(ids.map((id) => readSpent(id)))).toEqual([1, 1]);
});

test('a group larger than the room is counted one by one, up to the cap; others in the write are counted', async () => {
  const [full, other] = [createId(), createId()];
  await Promise.all([spend(full, 5), spend(full, 5), spend(full, 5)]);
  const results = await Promise.all([...Array.from({ length: 4 }, () => spend(full, 5)), spend(other, 5)]);
  expect(results.slice(0, 4).filter((result) => result === null)).toHaveLength(2);
  expect(results.find((result) => result !== null)).toEqual({
    spent: 5,
    cap: 5,
    renewsAt: '2026-07-01T00:00:00.000Z',
  });
  expect([await readSpent(full), await readSpent(other)]).toEqual([5, 1]);
});

test('the first uses of a month never create a count above the cap', async () => {
  const id = createId();
  expect(countAdmitted(await Promise.all(Array.from({ length: 9 }, () => spend(id, 2))))).toBe(2);
  expect(await readSpent(id)).toBe(2);
});

test('uses at the end of a month and at the start of the next are counted in their own months', async () => {
  const id = createId();
  const results = await Promise.all([june, june, june, july, july, july].map((at) => spend(id, 2, at)));
  expect(results.map((result) => result === null)).toEqual([true, true, false, true, true, false]);
  expect([await readSpent(id, june), await readSpent(id, july)]).toEqual([2, 2]);
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ account: fc.nat(2), gateway: fc.constantFrom(0, 1) }) },
  { weight: 2, arbitrary: fc.constant('turn') },
  { weight: 3, arbitrary: fc.constant('settle') },
);

test('any interleaving of two gateways admits exactly min(cap, uses), and stores what it admitted', async () => {
  const caps = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 }), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(caps, fc.array(step, { maxLength: 80 }), async (capOf, steps) => {
      const ids = capOf.map(createId);
      const uses = ids.map((): Promise<unknown>[] => []);
      for (const next of steps) {
        if (next === 'turn') await nextTurn();
        else if (next === 'settle') await Promise.all(uses.flat());
        else {
          const { account, gateway } = next as { account: number; gateway: 0 | 1 };
          const use = { accountId: ids[account] ?? '', counter: 'api_requests', at: june } as const;
          uses[account]?.push(gateways[gateway].spend({ ...use, cap: capOf[account] ?? null }));
        }
      }
      for (const [account, cap] of capOf.entries()) {
        const results = await Promise.all(uses[account] ?? []);
        const expected = Math.min(cap ?? Infinity, results.length);
        expect(countAdmitted(results)).toBe(expected);
        expect(await readSpent(ids[account] ?? '')).toBe(expected);
      }
    }),
    { numRuns: 50 },
  );
});

test('with refunds in any interleaving, the stored count is what was admitted and not refunded', async () => {
  const action = fc.constantFrom('spend', 'spend', 'spend', 'refund', 'turn');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(action, { maxLength: 60 }),
      async (cap, steps) => {
        const id = createId();
        const results: unknown[] = [];
        const running: Promise<unknown>[] = [];
        let refunded = 0;
        for (const next of steps) {
          if (next === 'turn') await nextTurn();
          else if (next === 'spend') running.push(spend(id, cap).then((result) => results.push(result)));
          else if (countAdmitted(results) > refunded) {
            refunded++;
            running.push(gateways[1].refund({ accountId: id, counter: 'api_requests', at: june }));
          }
        }
        await Promise.all(running);
        const admitted = countAdmitted(results);
        const stored = await readSpent(id);
        expect(stored).toBe(admitted - refunded);
        expect(stored).toBeLessThanOrEqual(cap);
        expect(admitted).toBeGreaterThanOrEqual(Math.min(cap, results.length));
      },
    ),
    { numRuns: 50 },
  );
});
