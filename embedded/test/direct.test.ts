import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose, { type Connection, mongo } from 'mongoose';
import { useClosing } from '../../testing/use-closing.ts';
import { connectDirectly } from '../src/direct/connect-directly.ts';
import type { Link } from '../src/direct/link.ts';
import { startEmbedded } from '../src/start-embedded.ts';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const root = mkdtempSync(join(tmpdir(), 'direct-'));
const worker = pathToFileURL(require.resolve('@shelfwise/embedded/worker'));
const closing = useClosing();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const starts = {
  'in its own thread': (dataDir: string) => startEngine({ dataDir }),
  'in another thread': (dataDir: string) =>
    startEmbedded({
      dataDir,
      worker,
      onFailure: (error) => {
        throw error;
      },
    }),
};

/** The names of the commands that take the link. */
type Linked = { connection: Connection; engine: RunningEngine; names: string[] };

async function connect(start: (dataDir: string) => Promise<RunningEngine>): Promise<Linked> {
  const engine = await start(mkdtempSync(join(root, 'data-')));
  closing.push(() => engine.stop());
  const names: string[] = [];
  const { read, send } = engine.link;
  const link: Link = {
    ...engine.link,
    send(message, client, isTried) {
      names.push(message.toString('latin1', 26, message.indexOf(0, 26)));
      return send(message, client, isTried);
    },
  };
  if (read)
    link.read = (command) => {
      names.push(...Object.keys(command).slice(0, 1));
      return read(command);
    };
  const { options, adopt } = connectDirectly(link);
  const connection = mongoose.createConnection(engine.mongodbUri, {
    ...options,
    dbName: 'd',
    serverSelectionTimeoutMS: 2000,
  });
  adopt(connection);
  await connection.asPromise();
  closing.push(() => connection.close());
  return { connection, engine, names };
}

describe.each(Object.entries(starts))('an engine %s', (_, start) => {
  test('commands take the link, and events and errors are those of the driver', async () => {
    const { connection, names } = await connect(start);
    const things = connection.collection('things');
    await things.createIndex({ n: 1 }, { unique: true });
    await things.insertOne({ n: 1 });
    const refused = await things.insertOne({ n: 1 }).catch((error) => error);
    expect(refused).toBeInstanceOf(mongo.MongoServerError);
    expect(refused).toMatchObject({ code: 11000, keyPattern: { n: 1 }, keyValue: { n: 1 } });
    expect(await things.findOne({ n: 1 })).toMatchObject({ n: 1 });
    expect(names).toEqual(expect.arrayContaining(['createIndexes', 'insert', 'find']));
  });

  test('documents have the values that they have through the driver, and so do filters with values that BSON changes', async () => {
    const { connection, engine } = await connect(start);
    const byDriver = mongoose.createConnection(engine.mongodbUri, { dbName: 'd' });
    closing.push(() => byDriver.close());
    await byDriver.asPromise();
    const things = connection.collection<{ _id: number; n: unknown }>('things');
    const rows = [
      ...[null, 'some text', 4, -0, 2 ** 31, 2 ** 53, 1.5, true, new Date(5), new mongo.ObjectId()],
      ...[Buffer.from([1, 2]), [1, [null, { a: 'b' }]], { a: { b: new Date(-1) } }, {}, []],
    ].map((n, _id) => ({ _id, n }));
    await things.insertMany([...rows, { _id: 100 } as never]);
    const ofDriver = byDriver.collection<{ _id: number; n: unknown }>('things');
    const all = await things.find().toArray();
    const allOfDriver = await ofDriver.find().toArray();
    expect(all).toHaveLength(rows.length + 1);
    expect(all).toEqual(allOfDriver);
    const classOf = ({ n }: { n?: unknown }) => (n as object | null | undefined)?.constructor;
    expect(all.map(classOf)).toEqual(allOfDriver.map(classOf));
    const filters = [
      ...[undefined, null, /me te/, Buffer.from([1, 2]), new mongo.Long(4), new mongo.Int32(4), 2 ** 53],
      ...[{ $in: [new Date(5), 'some text'] }, { $gt: 3 }, { $ne: null }],
    ];
    for (const n of filters) {
      const filter = { n } as mongo.Filter<{ _id: number; n: unknown }>;
      const found = await things.find(filter).toArray();
      expect([n, found.map(({ _id }) => _id)]).toEqual([
        n,
        (await ofDriver.find(filter).toArray()).map(({ _id }) => _id),
      ]);
      expect(found.length).toBeGreaterThan(0);
      expect(await things.findOne(filter)).toEqual(found[0]);
      expect(await things.countDocuments(filter)).toBe(found.length);
    }
    await expect(things.findOne({ n: { $near: 1 } })).rejects.toMatchObject({ code: 238 });
    await expect(things.findOne({ n: { $near: /x/ } })).rejects.toMatchObject({ code: 238 });
  });

  test('an acknowledged write is visible to the next read', async () => {
    const { connection } = await connect(start);
    const things = connection.collection<{ _id: number; n: number }>('things');
    for (let n = 0; n < 100; n += 1) {
      await Promise.all([
        things.insertOne({ _id: n, n }),
        things.updateOne({ _id: n - 1 }, { $set: { n: -n } }),
      ]);
      expect(await things.findOne({ _id: n })).toEqual({ _id: n, n });
      expect(await things.countDocuments()).toBe(n + 1);
      if (n > 0) expect(await things.findOne({ _id: n - 1 })).toEqual({ _id: n - 1, n: -n });
    }
  });

  test('an index is used as soon as it exists, also when its documents have arrays', async () => {
    const { connection } = await connect(start);
    const things = connection.collection<{ _id: number; tags: number[] | number }>('things');
    await things.insertOne({ _id: 1, tags: 1 });
    expect(await things.countDocuments({ tags: { $gte: 1 } })).toBe(1);
    await things.createIndex({ tags: 1 });
    expect(await things.countDocuments({ tags: { $gte: 1 } })).toBe(1);
    await things.insertOne({ _id: 2, tags: [1, 2, 3] });
    expect(await things.countDocuments({ tags: { $gte: 1 } })).toBe(2);
    await things.dropIndexes();
    expect(await things.countDocuments({ tags: { $gte: 1 } })).toBe(2);
    await things.drop();
    expect(await things.countDocuments({ tags: { $gte: 1 } })).toBe(0);
  });

  test('a change of a returned document changes nothing in the store', async () => {
    const { connection } = await connect(start);
    const things = connection.collection<{ _id: number; list: number[] }>('things');
    const inserted = { _id: 1, list: [1] };
    await things.insertOne(inserted);
    inserted.list.push(2);
    const found = await things.findOne({ _id: 1 });
    found?.list.push(3);
    expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1, list: [1] });
  });

  test('a result of several batches is complete, and its cursor closes with its client', async () => {
    const { connection } = await connect(start);
    const things = connection.collection('things');
    await things.insertMany(Array.from({ length: 2500 }, (_, n) => ({ n, text: 'x'.repeat(100) })));
    expect(await things.find().batchSize(100).toArray()).toHaveLength(2500);
    expect(await things.find().sort({ text: 1, n: -1 }).batchSize(3000).toArray()).toHaveLength(2500);
    const cursor = things.find().batchSize(10);
    expect(await cursor.next()).not.toBeNull();
    await cursor.close();
  });

  test('after the end of the engine, a command fails as on a lost server', async () => {
    const { connection, engine } = await connect(start);
    const things = connection.collection('things');
    await things.insertOne({ n: 1 });
    await engine.stop();
    await expect(things.findOne({})).rejects.toMatchObject({
      name: expect.stringMatching(/^(Mongo|PoolCleared)/),
    });
  });
});
