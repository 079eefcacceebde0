import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { createCursors } from '../src/engine/cursors.ts';
import { localSocketPath } from '../src/local-socket.ts';
import { toBson } from '../src/semantics/bson.ts';
import { type RunningEngine, startEngine } from '../src/start-engine.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'wire-'));
let engine: RunningEngine;

beforeAll(async () => {
  engine = await startEngine({ dataDir });
});
afterAll(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends bytes and waits until the server closes the connection. Resolves with the bytes it received. */
function send(bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(localSocketPath(dataDir, 'mongodb.sock'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject).once('close', () => resolve(Buffer.concat(chunks)));
    socket.end(bytes);
  });
}

function message(body: Uint8Array, { opCode = 2013, length = 16 + body.length } = {}): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(length, 0);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

async function isAlive(): Promise<boolean> {
  const connection = await mongoose.createConnection(engine.mongodbUri).asPromise();
  await connection.db?.command({ ping: 1 });
  await connection.close();
  return true;
}

test.each([
  ['a length below the header', message(Buffer.alloc(0), { length: 3 })],
  ['a length of gigabytes', message(Buffer.alloc(0), { length: 0x7fffffff })],
  ['a negative length', message(Buffer.alloc(0), { length: -1 })],
  ['an unknown opcode', message(Buffer.alloc(8), { opCode: 2010 })],
  [
    'a document that claims to be longer than its message',
    message(Buffer.from([0, 0, 0, 0, 0, 99, 0, 0, 0, 0])),
  ],
  ['no document at all', message(Buffer.alloc(4))],
  ['unknown flags', message(Buffer.from([4, 0, 0, 0, 0, 5, 0, 0, 0, 0]))],
])('%s closes the connection and affects no other connection', async (_name, bytes) => {
  expect(await send(bytes)).toHaveLength(0);
  expect(await isAlive()).toBe(true);
});

test('random bytes close the connection and affect no other connection', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.boolean(), async (noise, framed) => {
      await send(framed ? message(noise) : noise);
    }),
    { numRuns: 200 },
  );
  expect(await isAlive()).toBe(true);
});

test('100 connections are served at once', async () => {
  const connections = await Promise.all(
    Array.from({ length: 100 }, () =>
      mongoose.createConnection(engine.mongodbUri, { maxPoolSize: 1 }).asPromise(),
    ),
  );
  await Promise.all(connections.map((connection, n) => connection.collection('c').insertOne({ n })));
  expect(await connections[0]?.collection('c').countDocuments()).toBe(100);
  await Promise.all(connections.map((connection) => connection.close()));
});

test('an unacknowledged write is finished before the next command of its connection', async () => {
  const connection = await mongoose.createConnection(engine.mongodbUri, { maxPoolSize: 1 }).asPromise();
  await connection.collection('w').insertOne({ n: 1 }, { writeConcern: { w: 0 } });
  expect(await connection.collection('w').countDocuments()).toBe(1);
  await connection.close();
});

test('cursors close after 10 idle minutes and with their connection', () => {
  let time = 0;
  const cursors = createCursors({ now: () => new Date(time) });
  const [first, second] = [{}, {}];
  const docs = Array.from({ length: 10 }, (_, n) => toBson({ n }));
  for (const connection of [first, second])
    cursors.open({ namespace: 'd.c', docs, connection, batchSize: 2 });
  expect(cursors.count()).toBe(2);
  cursors.closeForConnection(first);
  expect(() => cursors.getMore(1, 'd.c', first)).toThrow('cursor id 1 not found');
  time = 9 * 60_000;
  expect(cursors.getMore(2, 'd.c', second, 2)).toMatchObject({
    cursor: { nextBatch: { docs: [toBson({ n: 2 }), toBson({ n: 3 })] } },
  });
  time = 18 * 60_000;
  cursors.closeIdle();
  expect(cursors.count()).toBe(1);
  time = 20 * 60_000;
  cursors.closeIdle();
  expect(cursors.count()).toBe(0);
});
