import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import mongoose, { type Connection } from 'mongoose';
import { executeAccountCommand } from '../src/accounts/account-commands.ts';
import { type Accounts, createAccounts } from '../src/accounts/accounts.ts';
import { builtInPlans } from '../src/plans/plans.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { startDatabase } from './harness/start-database.ts';

let connection: Connection;
let stop: () => Promise<void>;
let accounts: Accounts;
let seconds = 0;
const replaced: [string, number][] = [];

beforeAll(async () => {
  ({ connection, stop } = await startDatabase());
  accounts = createAccounts({
    connection,
    plans: builtInPlans,
    logger: createRecordingLogger().logger,
    now: () => new Date(Date.UTC(2026, 5, 15, 12, 0, ++seconds)),
    monotonicMs: () => 0,
    isOnlyWriter: true,
    onKeyReplaced: async (id, version) => void replaced.push([id, version]),
  });
  await prepareDatabase(connection);
});
afterAll(() => stop());

const unlimited = 'unlimited';

test('create answers {id, email, plan, key}, with the email in lower case', async () => {
  const made = await executeAccountCommand(
    { action: 'create', email: ' Ada@Example.COM ', plan: unlimited },
    accounts,
  );
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: 'ada@example.com',
    plan: unlimited,
    key: expect.stringMatching(/^sw_live_[0-9A-Za-z]{43}$/),
  });
});

test('the key itself is not stored, only its hash and its first 12 characters', async () => {
  const { key, id } = await accounts.create({ email: 'stored@example.com', plan: unlimited });
  const stored = await connection.collection('accounts').findOne({ _id: id as never });
  expect(JSON.stringify(stored)).not.toContain(key.slice(12));
  expect(stored).toMatchObject({ key_prefix: key.slice(0, 12), key_version: 1 });
});

test('a key that was replaced was made at that time; the first one with its account', async () => {
  const { id } = await accounts.create({ email: 'made@example.com', plan: unlimited });
  const stored = () => connection.collection('accounts').findOne({ _id: id as never });
  const made = async () => (await accounts.read({ id }))?.keyMadeAt;
  const first = await stored();
  expect(await made()).toEqual(first?.created_at);
  await accounts.regenerateKey({ id });
  const second = await stored();
  expect(second?.key_made_at > first?.created_at).toBe(true);
  expect(await made()).toEqual(second?.key_made_at);
});

test('an email has one account, in any letter case', async () => {
  await accounts.create({ email: 'twice@example.com', plan: unlimited });
  await expect(accounts.create({ email: 'TWICE@example.com', plan: 'free' })).rejects.toMatchObject({
    code: 'DUPLICATE',
  });
});

test('20 concurrent creations with one email create one account', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => accounts.create({ email: 'race@example.com', plan: unlimited })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['an invalid email', { email: 'nobody', plan: unlimited }],
  ['an unknown plan', { email: 'plan@example.com', plan: 'gold' }],
])('%s is refused with INVALID_PARAMS', async (_what, account) => {
  await expect(accounts.create(account)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});

test('a new key replaces the old one immediately and has the next version', async () => {
  const old = await accounts.create({ email: 'rotate@example.com', plan: unlimited });
  expect(accounts.isKnownKey(old.key)).toBe(false);
  expect(await accounts.findByKey(old.key)).toMatchObject({ id: old.id, keyVersion: 1 });
  expect(accounts.isKnownKey(old.key)).toBe(true);
  const { key } = await accounts.regenerateKey({ email: 'Rotate@example.com' });
  expect(await accounts.findByKey(old.key)).toBeNull();
  expect(accounts.isKnownKey(old.key)).toBe(false);
  expect(await accounts.findByKey(key)).toMatchObject({ id: old.id, keyVersion: 2 });
  expect(replaced).toContainEqual([old.id, 2]);
});

test('a change of plan keeps the key and takes effect immediately', async () => {
  const { id, key } = await accounts.create({ email: 'upgrade@example.com', plan: 'free' });
  expect((await accounts.findByKey(key))?.plan).toBe('free');
  expect(await accounts.changePlan({ id, plan: unlimited })).toEqual({
    id,
    email: 'upgrade@example.com',
    plan: unlimited,
  });
  expect((await accounts.findByKey(key))?.plan).toBe(unlimited);
});

test('an unknown account is NOT_FOUND', async () => {
  await expect(accounts.regenerateKey({ id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(accounts.changePlan({ email: 'no@example.com', plan: unlimited })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('the list is newest first, in pages, and shows no key', async () => {
  const last = await accounts.create({ email: 'last@example.com', plan: 'free' });
  const { accounts: rows, total } = await accounts.list({ page: 1, perPage: 2 });
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    id: last.id,
    email: 'last@example.com',
    plan: 'free',
    key_prefix: last.key.slice(0, 12),
    created_at: expect.stringMatching(/^2026-06-15T12:00:\d\d\.000Z$/),
  });
  const all = await executeAccountCommand({ action: 'list', page: 1, per_page: 1000 }, accounts);
  expect(all).toMatchObject({ total, page: 1, per_page: 1000, accounts: { length: total } });
  expect((await accounts.list({ page: 99, perPage: 50 })).accounts).toEqual([]);
});

test.each([
  [null],
  ['create'],
  [{ action: 'drop' }],
  [{ action: 'create', email: { $gt: '' }, plan: unlimited }],
  [{ action: 'regenerate' }],
  [{ action: 'regenerate', email: 'a@example.com', id: 'x' }],
  [{ action: 'list', page: 0, per_page: 10 }],
  [{ action: 'create', email: 'a@example.com', plan: unlimited, more: 1 }],
])('a malformed command from the socket is refused: %j', async (command) => {
  await expect(executeAccountCommand(command, accounts)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
});

test('after a change whose result is not known, the account is read again', async () => {
  const { key, id } = await accounts.create({ email: 'unknown@example.com', plan: unlimited });
  expect(await accounts.findByKey(key)).toMatchObject({ plan: unlimited });
  const { collection } = connection.model('Account');
  const write = jest.spyOn(collection, 'findOneAndUpdate').mockImplementationOnce(async () => {
    await collection.updateOne({ _id: id as never }, { $set: { plan: 'free' } });
    throw new Error('the connection is lost');
  });
  await expect(accounts.changePlan({ id, plan: 'free' })).rejects.toThrow('lost');
  expect(await accounts.findByKey(key)).toMatchObject({ plan: 'free' });
  write.mockRestore();
});

test('a lookup waits for the connection of the database', async () => {
  const { key, id } = await accounts.create({ email: 'waiting@example.com', plan: unlimited });
  const later = mongoose.createConnection();
  const found = createAccounts({
    connection: later,
    plans: builtInPlans,
    logger: createRecordingLogger().logger,
    now: () => new Date(0),
    monotonicMs: () => 0,
    isOnlyWriter: true,
  }).findByKey(key);
  await new Promise((resolve) => later.once('buffer', resolve));
  const [server] = connection.getClient().options.hosts;
  const address = encodeURIComponent(server?.socketPath ?? '') || `${server?.host}:${server?.port}`;
  await later.openUri(`mongodb://${address}`, { dbName: connection.name });
  expect(await found).toMatchObject({ id });
  await later.close();
});

describe('numbered accounts', () => {
  const numbered = { email: 'many@example.com', count: 3 };
  const create = { action: 'create', ...numbered, plan: unlimited };
  const remove = { action: 'delete', ...numbered, yes: true };
  const emails = ['many+1@example.com', 'many+2@example.com', 'many+3@example.com'];

  test('are created with working keys, and deleted', async () => {
    const result = await executeAccountCommand(create, accounts);
    const created = 'created_accounts' in result ? result.created_accounts : [];
    expect(created.map(({ email }) => email)).toEqual(emails);
    for (const { key, email } of created)
      expect(await accounts.findByKey(key)).toMatchObject({ email, plan: unlimited });
    const deleted = await executeAccountCommand(remove, accounts);
    expect(deleted).toEqual({
      deleted_accounts: created.map(({ id, email }) => ({ id, email, deleted: true })),
    });
    for (const { key } of created) expect(await accounts.findByKey(key)).toBeNull();
    await expect(executeAccountCommand(remove, accounts)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are not created at all when one of them exists', async () => {
    await accounts.create({ email: 'many+2@example.com', plan: unlimited });
    await expect(executeAccountCommand(create, accounts)).rejects.toMatchObject({ code: 'DUPLICATE' });
    expect(await executeAccountCommand(remove, accounts)).toMatchObject({
      deleted_accounts: [{ email: 'many+2@example.com' }],
    });
  });
});
