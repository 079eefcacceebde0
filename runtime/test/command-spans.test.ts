import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { useClosing } from '../../testing/use-closing.ts';
import { useDatabaseServer } from '../../testing/use-database-server.ts';
import { useTracing } from '../../testing/use-tracing.ts';
import { createBatches } from '../src/concurrency/batches.ts';
import { connectMongo } from '../src/mongo/connect-mongo.ts';
import { currentTracing, type Span, type Tracing } from '../src/tracing/tracing.ts';
import { createRecordingLogger } from './recording-logger.ts';

const server = useDatabaseServer();
const traces = useTracing();
const closing = useClosing();

/** Connects while tracing is on, as a process does. */
async function connect(): Promise<Connection> {
  const { logger } = createRecordingLogger();
  const database = `spans_${randomUUID().slice(0, 18)}`;
  const connection = await connectMongo({ uri: server(), database, logger });
  closing.push(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  return connection;
}

function inRoot<Result>(name: string, work: (span: Span) => Promise<Result>): Promise<Result> {
  const tracing = currentTracing() as Tracing;
  const span = tracing.start({ name, kind: 'server', parent: null });
  return tracing.runIn(span, () => work(span)).finally(() => span.end());
}

/** More than the pool has connections, so that most of them wait for one. */
const requests = 60;

test('each command is in the span of its request, also when requests wait for connections of the pool', async () => {
  const connection = await connect();
  const work = (n: number) =>
    inRoot(`request ${n}`, async () => {
      const rows = connection.collection<{ _id: number; n: number }>(`rows_${n}`);
      await rows.insertMany(Array.from({ length: 5 }, (_, _id) => ({ _id, n })));
      for await (const row of rows.find().batchSize(2)) expect(row.n).toBe(n);
      await Promise.all([rows.countDocuments({ n }), rows.updateOne({ _id: 1 }, { $set: { n: 0 } })]);
    });
  await Promise.all(Array.from({ length: requests }, (_, n) => work(n)));

  const perRequest = ['insert', 'find', 'getMore', 'getMore', 'aggregate', 'update'];
  const spans = await traces.until(requests * (perRequest.length + 1));
  for (let n = 0; n < requests; n++) {
    const root = spans.find(({ name }) => name === `request ${n}`);
    const commands = spans.filter(({ traceId, kind }) => traceId === root?.traceId && kind === 'client');
    expect(commands.map(({ attributes }) => attributes['db.operation.name']).sort()).toEqual(
      [...perRequest].sort(),
    );
    for (const { parentId, attributes, name } of commands) {
      expect(parentId).toBe(root?.spanId);
      expect(attributes['db.collection.name']).toBe(`rows_${n}`);
      expect(name).toBe(`${attributes['db.operation.name']} rows_${n}`);
      expect(attributes).toMatchObject({ 'db.system.name': 'mongodb', 'db.namespace': connection.name });
    }
  }
});

test('a span has nothing of the command, the reply or the error', async () => {
  const connection = await connect();
  await inRoot('request', async () => {
    const rows = connection.collection<{ _id: string; secret: string }>('rows');
    await rows.insertOne({ _id: 'first', secret: 'a-secret-value' });
    await rows.findOne({ secret: 'a-secret-value' });
    await rows.findOne({ $nonsense: 'a-secret-value' } as never).catch(() => {});
  });
  const spans = await traces.until(4);
  expect(spans.filter(({ isFailed }) => isFailed)).toMatchObject([
    { name: 'find rows', attributes: { 'error.type': 'MongoServerError' } },
  ]);
  for (const text of ['secret', 'nonsense', 'first']) expect(traces.hasReceived(text)).toBe(false);
});

test('commands outside of a trace have no span', async () => {
  const connection = await connect();
  await connection.collection('rows').findOne();
  await inRoot('request', async () => {});
  expect((await traces.until(1)).map(({ name }) => name)).toEqual(['request']);
});

test('a command for several requests is in the trace of the first of them', async () => {
  const connection = await connect();
  const find = createBatches<number, number>({
    run: async (items) => {
      await connection.collection(`rows_${items.join('_')}`).findOne();
      return items;
    },
    maxItems: 2,
  });
  await Promise.all([1, 2, 3, 4].map((n) => inRoot(`request ${n}`, () => find(n))));
  const spans = await traces.until(6);
  const rootOf = (name: string) => {
    const { traceId } = spans.find((span) => span.name === name) ?? {};
    return spans.find((span) => span.traceId === traceId && span.parentId === '')?.name;
  };
  expect([rootOf('find rows_1_2'), rootOf('find rows_3_4')]).toEqual(['request 1', 'request 3']);
});
