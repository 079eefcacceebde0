import type { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import type { Connection } from 'mongoose';
import { createManualClock } from '../../testing/manual-clock.ts';
import { until } from '../../testing/until.ts';
import { type Accounts, createAccounts } from '../src/accounts/accounts.ts';
import { createDeletedAccounts } from '../src/accounts/deleted-accounts.ts';
import { createUsageCounters, type UsageCounters } from '../src/limits/usage-counters.ts';
import { builtInPlans } from '../src/plans/plans.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { startDatabase } from './harness/start-database.ts';

let connection: Connection;
let stopDatabase: () => Promise<void>;
let accounts: Accounts;
let counters: UsageCounters;
let deletedAccounts: ReturnType<typeof createDeletedAccounts>;
const clock = createManualClock('2026-06-15T12:00:00Z');
const calls: string[] = [];
let sweeps = 0;
let answer: () => { deleted: number; is_complete: boolean };
const replaced: [string, number][] = [];

/** A service that has rows of accounts. */
function fakeService(name: string): GrpcClient<typeof AccountRowsServiceService> {
  return {
    async deleteAccountRows({ account_id: accountId }) {
      calls.push(`${name} ${accountId}`);
      return answer();
    },
  };
}

beforeAll(async () => {
  ({ connection, stop: stopDatabase } = await startDatabase());
  const { logger } = createRecordingLogger();
  counters = createUsageCounters(connection);
  deletedAccounts = createDeletedAccounts({
    connection,
    owned: [counters, { deleteAccount: async (id) => void calls.push(`own rows ${id}`) }],
    expiring: [{ sweep: async () => void sweeps++ }],
    services: { tracking: fakeService('tracking'), scoring: fakeService('scoring') },
    logger,
    now: clock.now,
    sleep: clock.sleep,
  });
  accounts = createAccounts({
    connection,
    plans: builtInPlans,
    logger,
    now: clock.now,
    monotonicMs: () => clock.now().getTime(),
    isOnlyWriter: true,
    onKeyReplaced: async (id, version) => void replaced.push([id, version]),
    onDeleted: () => deletedAccounts.wake(),
  });
  await prepareDatabase(connection);
  deletedAccounts.start();
});
beforeEach(() => {
  calls.length = 0;
  answer = () => ({ deleted: 1, is_complete: true });
});
afterAll(async () => {
  await deletedAccounts.stop();
  await stopDatabase();
});

const stored = (id: string) => connection.collection('accounts').findOne({ _id: id as never });
const create = (email: string) => accounts.create({ email, plan: 'unlimited' });
/** Waits until the loop sleeps, moves the clock and waits until it sleeps again. */
async function advance(ms: number): Promise<void> {
  await until(() => clock.sleeping() === 1);
  clock.advance(ms);
  await until(() => clock.sleeping() === 1);
}

test('the key of a deleted account is refused at once, and its email and key are erased', async () => {
  const { id, key } = await create('ann@example.com');
  expect(await accounts.findByKey(key)).not.toBeNull();
  expect(await accounts.delete({ email: 'Ann@example.com' })).toEqual({
    id,
    email: 'ann@example.com',
    deleted: true,
  });
  expect(await accounts.findByKey(key)).toBeNull();
  expect(replaced.at(-1)).toEqual([id, 2]);
  expect(JSON.stringify(await stored(id))).not.toMatch(/ann@example|sw_live|key_hash/);
  const { accounts: listed } = await accounts.list({ page: 1, perPage: 100 });
  expect(listed.filter((account) => account.id === id)).toEqual([]);
});

test('a deleted account cannot be changed or deleted again, and its email is free', async () => {
  const { id } = await create('bob@example.com');
  await accounts.delete({ id });
  for (const change of [
    accounts.delete({ id }),
    accounts.regenerateKey({ id }),
    accounts.changePlan({ id, plan: 'free' }),
    accounts.delete({ email: 'bob@example.com' }),
  ])
    await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await create('bob@example.com')).id).not.toBe(id);
});

test('the rows are deleted in every service at once, and once more ten minutes later, before the account itself', async () => {
  const { id } = await create('cora@example.com');
  await counters.spend({ accountId: id, counter: 'api_requests', cap: null, at: clock.now() });
  await accounts.delete({ id });
  const callsOf = () => calls.filter((call) => call.endsWith(id));
  await until(() => callsOf().length === 3);
  expect(callsOf()).toEqual([`tracking ${id}`, `scoring ${id}`, `own rows ${id}`]);
  await advance(9 * 60_000);
  expect(await stored(id)).not.toBeNull();
  expect(await connection.collection('usage').countDocuments({ account_id: id })).toBe(0);
  await advance(60_000);
  expect(await stored(id)).toBeNull();
  calls.length = 0;
  await advance(60_000);
  expect(callsOf()).toEqual([]);
});

test('many accounts at once: none waits until others are settled, and none is repeated before', async () => {
  await until(() => clock.sleeping() === 1);
  const ids: string[] = [];
  for (let index = 0; index < 30; index++) ids.push((await create(`many${index}@example.com`)).id);
  for (const id of ids) await accounts.delete({ id });
  // Earlier tests leave accounts that are still to be settled.
  const theirCalls = () => calls.filter((call) => ids.some((id) => call.endsWith(id)));
  await until(() => theirCalls().length === 90);
  await advance(60_000);
  expect(theirCalls().toSorted()).toEqual(
    ids.flatMap((id) => [`tracking ${id}`, `scoring ${id}`, `own rows ${id}`]).toSorted(),
  );
  await advance(10 * 60_000);
  expect(theirCalls()).toHaveLength(180);
  for (const id of ids) expect(await stored(id)).toBeNull();
});

test('expired rows are swept every minute', async () => {
  await until(() => clock.sleeping() === 1);
  const before = sweeps;
  await advance(60_000);
  await advance(60_000);
  expect(sweeps).toBe(before + 2);
});

test('an account stays in the list of deletions while a service fails or has rows left', async () => {
  const { id } = await create('dan@example.com');
  answer = () => {
    throw new AppError('SERVICE_UNAVAILABLE', 'away');
  };
  await accounts.delete({ id });
  await until(() => calls.includes(`tracking ${id}`));
  await advance(11 * 60_000);
  expect(await stored(id)).not.toBeNull();
  answer = () => ({ deleted: 0, is_complete: false });
  await advance(60_000);
  expect(calls).toContain(`scoring ${id}`);
  expect(await stored(id)).not.toBeNull();
  answer = () => ({ deleted: 0, is_complete: true });
  await advance(60_000);
  expect(await stored(id)).toBeNull();
});
