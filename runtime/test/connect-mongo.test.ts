import { randomUUID } from 'node:crypto';
import { mongo, Schema } from 'mongoose';
import { monitored } from '../../testing/record-commands.ts';
import { until } from '../../testing/until.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { connectionOptions, connectMongo } from '../src/mongo/connect-mongo.ts';
import { createRecordingLogger } from './recording-logger.ts';

const databaseUri = useDatabaseServer();

/** An address whose options promise less. */
function weakened(uri: string): string {
  const url = new URL(monitored(uri));
  const weaker = {
    w: '1',
    j: 'false',
    journal: 'false',
    readConcernLevel: 'local',
    readPreference: 'secondaryPreferred',
  };
  for (const [name, value] of Object.entries(weaker)) url.searchParams.set(name, value);
  return url.href;
}

type Sent = { commandName: string; command: mongo.Document };

test('every write waits for most members and their disks, and every read sees only such writes, whatever the address says', async () => {
  const { logger } = createRecordingLogger();
  const database = `connect_${randomUUID().slice(0, 18)}`;
  const connection = await connectMongo({ uri: weakened(databaseUri()), database, logger });
  const sent: Sent[] = [];
  connection.getClient().on('commandStarted', (event: Sent) => sent.push(event));
  try {
    const model = connection.model('Row', new Schema({ number: Number }), 'rows');
    await model.createIndexes();
    await model.create({ number: 1 });
    await model.updateOne({ number: 1 }, { $set: { number: 2 } });
    await model.findOneAndUpdate({ number: 2 }, { $inc: { number: 1 } });
    await model.bulkWrite([{ insertOne: { document: { number: 4 } } }]);
    await model.collection.bulkWrite([{ deleteOne: { filter: { number: 4 } } }]);
    const raw = connection.collection('rows');
    await raw.insertMany([{ number: 5 }]);
    await raw.deleteMany({ number: 5 });
    await model.findOne({ number: 3 });
    await model.countDocuments({ number: 3 });
    await raw.find({ number: 3 }).toArray();
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
  const withConcern = ['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'dropDatabase'];
  const writes = sent.filter(({ commandName }) => withConcern.includes(commandName));
  expect(new Set(writes.map(({ commandName }) => commandName)).size).toBeGreaterThanOrEqual(5);
  for (const { command } of writes) expect(command.writeConcern).toEqual({ w: 'majority', j: true });
  const reads = sent.filter(({ commandName }) => ['find', 'aggregate'].includes(commandName));
  expect(reads).toHaveLength(3);
  for (const { command } of reads) {
    expect(command.readConcern).toEqual({ level: 'majority' });
    expect(command.$readPreference ?? { mode: 'primary' }).toEqual({ mode: 'primary' });
  }
});

test.each([
  ['mongodb://ann:secret@db', 'admin'],
  ['mongodb://ann:secret@db/', 'admin'],
  ['mongodb://ann:secret@one,two/?replicaSet=main', 'admin'],
  ['mongodb://ann:secret@db/users', 'users'],
  ['mongodb://ann:secret@db/users?authSource=other', 'other'],
])('the user of %s is looked up in %s', (uri, source) => {
  const { autoIndex, autoCreate, ...options } = connectionOptions(uri);
  const ofDriver = { ...options, dbName: 'shelfwise_lamp' } as mongo.MongoClientOptions;
  const client = new mongo.MongoClient(uri, ofDriver);
  expect(client.options.credentials?.source).toBe(source);
});

test('an address without a user needs no database of users', () => {
  expect(connectionOptions('mongodb://127.0.0.1:27017')).not.toHaveProperty('authSource');
});

test('a percent sign in the address that encodes nothing is reported like any wrong address', async () => {
  const { logger } = createRecordingLogger();
  const uri = 'mongodb://ann:secret@127.0.0.1:1/%zz';
  await expect(connectMongo({ uri, database: 'lamp', logger })).rejects.toThrow(/MONGODB_URI is correct/);
});

test('a server that was never reached is no lost connection: the only message says what to check', async () => {
  const { logger, lines } = createRecordingLogger();
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  try {
    let problem: unknown;
    connectMongo({ uri: 'mongodb://127.0.0.1:1', database: 'connect_never', logger }).catch((error) => {
      problem = error;
    });
    while (problem === undefined) {
      await jest.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(String(problem)).toContain('Check that it runs and that MONGODB_URI is correct.');
    expect(lines).toEqual([]);
  } finally {
    jest.useRealTimers();
  }
});

/** Internals of the driver. */
type Pool = { poolState: string; minPoolSizeTimer: unknown; totalConnectionCount: number };

test('a pool of connections keeps no timer, unless the address asks for a minimum or for an end of idle ones', async () => {
  const { logger } = createRecordingLogger();
  const poolOf = async (uri: string) => {
    const connection = await connectMongo({ uri, database: 'pools', logger });
    await connection.db?.command({ ping: 1 });
    const { topology } = connection.getClient() as unknown as {
      topology: { s: { servers: Map<string, { pool: Pool }> } };
    };
    const [server] = topology.s.servers.values();
    return { connection, pool: server?.pool as Pool };
  };
  const withOption = (name: string, value: string) => {
    const url = new URL(databaseUri());
    url.searchParams.set(name, value);
    return poolOf(url.href);
  };
  const usual = await poolOf(databaseUri());
  const withMinimum = await withOption('minPoolSize', '2');
  const withEnd = await withOption('maxIdleTimeMS', '60000');
  try {
    expect(usual.pool).toMatchObject({ poolState: 'ready', minPoolSizeTimer: undefined });
    await until(() => withMinimum.pool.totalConnectionCount >= 2);
    expect(withMinimum.pool.minPoolSizeTimer).toBeDefined();
    expect(withEnd.pool.minPoolSizeTimer).toBeDefined();
  } finally {
    for (const { connection } of [usual, withMinimum, withEnd]) await connection.close();
  }
});
