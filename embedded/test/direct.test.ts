import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection, mongo } from 'mongoose';
import { embeddedWorker } from '../../testing/system/embedded-worker.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { connectDirectly } from '../src/direct/connect-directly.ts';
import type { Link } from '../src/direct/link.ts';
import { startEmbedded } from '../src/start-embedded.ts';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const root = mkdtempSync(join(tmpdir(), 'direct-'));
const closing = useClosing();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const starts = {
  'in its own thread': (dataDir: string) => startEngine({ dataDir }),
  'in another thread': (dataDir: string) =>
    startEmbedded({
      dataDir,
      worker: embeddedWorker(),
      onFailure: (error) => {
        throw error;
      },
    }),
};

/** The names of the commands that take the link; `without`: without the driver. */
type Linked = { connection: Connection; engine: RunningEngine; names: string[]; without: string[] };

async function connect(start: (dataDir: string) => Promise<RunningEngine>): Promise<Linked> {
  const engine = await start(mkdtempSync(join(root, 'data-')));
  closing.push(() => engine.stop());
  const names: string[] = [];
  const without: string[] = [];
  const { read, send } = engine.link;
  const link: Link = {
    ...engine.link,
    send(message, client, isTried) {
      const name = message.toString('latin1', 26, message.indexOf(0, 26));
      names.push(name);
      if (client instanceof mongo.MongoClient) without.push(name);
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
  return { connection, engine, names, without };
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

  test('writes of many documents, and those that return one, have the results and the errors of the driver', async () => {
    const { connection, engine, without } = await connect(start);
    const byDriver = mongoose.createConnection(engine.mongodbUri, { dbName: 'd' });
    closing.push(() => byDriver.close());
    await byDriver.asPromise();
    type Thing = { _id: number; n?: number; text?: string };
    const own = connection.collection<Thing>('own');
    const ofDriver = byDriver.collection<Thing>('of_driver');
    type Things = typeof own;
    const both = async (write: (things: Things) => Promise<unknown>) => {
      const outcomeOf = (things: Things) =>
        write(things).then(
          (result) => ({ result }),
          (error) => ({ error, seen: JSON.stringify(error).replaceAll('of_driver', 'own') }),
        );
      const [outcome, expected] = [await outcomeOf(own), await outcomeOf(ofDriver)];
      if ('error' in expected && 'error' in outcome) {
        expect(outcome.error.constructor.name).toBe(expected.error.constructor.name);
        expect(outcome.seen).toBe(expected.seen);
      } else expect(outcome).toEqual(expected);
      expect(await own.find().toArray()).toEqual(await ofDriver.find().toArray());
      return outcome;
    };
    const set = (_id: number, n: number, upsert = false) => ({
      updateOne: { filter: { _id }, update: { $set: { n } }, upsert },
    });
    const insert = (_id: number) => ({ insertOne: { document: { _id } } });

    await both((things) => things.bulkWrite([insert(1), insert(2), insert(3)]));
    await both((things) => things.bulkWrite([set(1, 5), set(8, 1), set(9, 9, true)], { ordered: false }));
    await both((things) => things.bulkWrite([{ updateMany: { filter: {}, update: { $inc: { n: 1 } } } }]));
    // Of several kinds, or with other options: through the driver.
    await both((things) => things.bulkWrite([set(1, 7), insert(20), { deleteOne: { filter: { _id: 2 } } }]));
    await both((things) => things.bulkWrite([insert(30), insert(1), insert(31)], { ordered: false }));
    await both((things) => things.bulkWrite([insert(40), insert(1), insert(41)]));
    await both((things) =>
      things.bulkWrite([set(1, 1), { updateOne: { filter: { _id: 3 }, update: { $set: { _id: 4 } } } }]),
    );
    await both((things) =>
      things.bulkWrite([set(1, 1), { updateOne: { filter: {}, update: { n: 1 } as never } }]),
    );
    await both((things) => things.bulkWrite([]));
    await both((things) => things.insertMany([{ _id: 50 }, { _id: 51 }]));
    await both((things) => things.insertMany([{ _id: 52 }, { _id: 51 }, { _id: 53 }], { ordered: false }));

    // Of values that are encoded, and of documents without an id.
    const made = () => ({ at: new Date(5), none: undefined, bytes: Buffer.from([1]) });
    const documents = [made(), made()].map((one) => ({ insertOne: { document: one as never } }));
    expect(await own.bulkWrite(documents)).toMatchObject({ insertedCount: 2 });
    for (const { insertOne } of documents) {
      const { _id } = insertOne.document as { _id: mongo.ObjectId };
      expect(_id).toBeInstanceOf(mongo.ObjectId);
      const stored = await own.findOne({ _id } as never);
      expect(stored).toMatchObject({ at: new Date(5), none: null });
      await own.deleteOne({ _id } as never);
    }

    const increment = { $inc: { n: 1 } };
    await both((things) => things.findOneAndUpdate({ _id: 1 }, increment));
    await both((things) => things.findOneAndUpdate({ _id: 1 }, increment, { returnDocument: 'after' }));
    await both((things) => things.findOneAndUpdate({ _id: 77 }, increment));
    await both((things) => things.findOneAndUpdate({ n: { $gt: 0 } }, increment, { sort: { n: -1 } }));
    await both((things) =>
      things.findOneAndUpdate({ _id: 60 }, increment, { upsert: true, returnDocument: 'after' }),
    );
    await both((things) =>
      things.findOneAndUpdate({ _id: 61 }, increment, { includeResultMetadata: true, upsert: true }),
    );
    await both((things) => things.findOneAndUpdate({ _id: 1 }, { $set: { _id: 2 } }));
    await both((things) => things.findOneAndUpdate({ _id: 1 }, { n: 1 } as never));
    const counts = ['insert', 'update', 'findAndModify'].map(
      (name) => without.filter((one) => one === name).length,
    );
    expect(counts).toEqual([6, 3, 7]);
    // More than a command may have.
    const text = 'x'.repeat(1_000_000);
    await both((things) => things.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: 100 + n, text }))));
    expect(await own.countDocuments({ _id: { $gte: 100 } })).toBe(20);
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
