import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { DatabaseSchema, Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import { runAlone as runStoreFetch } from '@shelfwise/store-fetch/run-alone';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import { startServiceProcess } from '../../testing/system/service-process.ts';
import { startServiceHere } from '../../testing/system/start-service-here.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { migrate as migrateCommand, migrateDatabases } from '../src/commands/migrate.ts';
import { schemas } from '../src/schemas.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});
const databaseUri = useDatabaseServer();

/** A prefix of its own, whose databases are dropped after the test. */
function usePrefix(): string {
  const prefix = `t${randomUUID().slice(0, 8)}-`;
  for (const { database } of schemas)
    cleanups.push(() => openDatabase(prefix + database, (db) => db.dropDatabase()));
  return prefix;
}

type Connection = Awaited<ReturnType<typeof connectMongo>>;

async function openDatabase<Result>(database: string, use: (connection: Connection) => Promise<Result>) {
  const connection = await connectMongo({ uri: databaseUri(), database, logger });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Runs `npm run migrate`, in a process of its own. */
async function migrateApart(args: string[], prefix: string) {
  const env = { ...process.env, MONGODB_URI: databaseUri(), MONGODB_PREFIX: prefix };
  return promisify(execFile)(process.execPath, [...nodeArguments('app/src/commands/migrate.ts'), ...args], {
    env,
  });
}

/** The same in this process. */
const migrate = (args: string[], prefix: string) =>
  runCommandHere(migrateCommand, args, { MONGODB_URI: databaseUri(), MONGODB_PREFIX: prefix });

/** Runs the command in this process on some databases. */
function run(prefix: string, wanted: readonly DatabaseSchema[], isStatus = false) {
  const settings = { MONGODB_URI: databaseUri(), MONGODB_PREFIX: prefix };
  const signal = new AbortController().signal;
  return migrateDatabases({ isStatus }, { settings, logger, signal, print: () => {}, schemas: wanted });
}

test('a service on an empty server names the command, and starts after it, on databases with the prefix', async () => {
  const prefix = usePrefix();
  const settings = {
    MONGODB_URI: databaseUri(),
    MONGODB_PREFIX: prefix,
    STORE_SOURCE: 'sample',
    GRPC_ADDRESS: '127.0.0.1:0',
    // Without it the service warns.
    GRPC_SECRET: 'x'.repeat(32),
  };
  const refused = await startServiceProcess('services/store-fetch/src/main.ts', settings);
  expect(refused.line).toBe(
    `The database ${prefix}shelfwise_store_fetch is empty. Run "npm run migrate" with the same MONGODB_URI and MONGODB_PREFIX, then start again.\n`,
  );
  expect(await refused.end()).toBe(1);
  expect(await openDatabase(`${prefix}shelfwise_store_fetch`, (db) => db.listCollections())).toEqual([]);

  await expect(migrateApart(['--status', '--json'], prefix)).rejects.toMatchObject({ code: 3 });
  const { code, stdout } = await migrate(['--json'], prefix);
  expect(code).toBe(0);
  const { databases } = JSON.parse(stdout);
  expect(databases.map(({ database }: { database: string }) => database).sort()).toEqual(
    ['chart', 'gateway', 'niche', 'notify', 'scoring', 'store_fetch', 'tracking'].map(
      (name) => `${prefix}shelfwise_${name}`,
    ),
  );
  expect(databases[0]).toMatchObject({ was_new: true, is_current: true, migrations: [] });
  expect(await migrate(['--status'], prefix)).toMatchObject({
    code: 0,
    stdout: databases.map(({ database }: { database: string }) => `${database}: up to date\n`).join(''),
  });

  const service = await startServiceHere(runStoreFetch, settings);
  expect(service.line).toContain('store-fetch listens on');
  expect(await service.end()).toBe(0);
});

test('a missing index is named by --status and created by the next run; nothing else is changed', async () => {
  const prefix = usePrefix();
  const gateway = schemas.filter(({ database }) => database === 'shelfwise_gateway');
  await run(prefix, gateway);
  await openDatabase(`${prefix}shelfwise_gateway`, (db) => db.collection('accounts').dropIndex('email_1'));
  const [before] = await run(prefix, gateway, true);
  expect(before).toMatchObject({ is_current: false, indexes: ['accounts (email; unique)'] });
  expect(migrateCommand.format?.({ databases: before ? [before] : [] }, { isStatus: true }, {})).toBe(
    `${prefix}shelfwise_gateway: 0 migrations and 1 index pending\n  accounts (email; unique)`,
  );
  const [repaired] = await run(prefix, gateway);
  expect(repaired).toMatchObject({ is_current: true, indexes: ['accounts (email; unique)'] });
  expect(await run(prefix, gateway, true)).toMatchObject([{ is_current: true, indexes: [] }]);
});

test('when one database was migrated by a newer version, none is changed', async () => {
  const prefix = usePrefix();
  const added: Migration = { id: '2027-01-05-newer', run: async () => {} };
  const [first, second] = schemas as [DatabaseSchema, DatabaseSchema];
  await run(prefix, [{ ...second, migrations: [added] }]);
  await expect(run(prefix, [first, second])).rejects.toMatchObject({
    name: 'StartError',
    message: `The database ${prefix}${second.database} was migrated by a newer version of Shelfwise (2027-01-05-newer). Start that version, or restore a backup from before.`,
  });
  expect(await openDatabase(prefix + first.database, (db) => db.listCollections())).toEqual([]);
});

test.each([
  ['Prod_', /MONGODB_PREFIX: must be 1 to 31 lower-case letters, digits, _ or -/],
  ['a.b', /MONGODB_PREFIX: must be/],
])('the prefix %s is refused', async (prefix, message) => {
  expect(await migrate([], prefix)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
});
