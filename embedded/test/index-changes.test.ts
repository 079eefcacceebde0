import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as waitForNextTick } from 'node:timers/promises';
import { createEngine, type Engine } from '../src/engine/create-engine.ts';
import type { Doc } from '../src/semantics/bson.ts';
import { openKeyValueStore } from '../src/storage/key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-changes-'));
let engine: Engine;

beforeAll(async () => {
  engine = createEngine({
    store: openKeyValueStore(join(folder, 'store.mdb')),
    now: () => new Date(0),
    onFault: (error) => {
      throw error;
    },
  });
  await run({ insert: 'c', documents: Array.from({ length: 500 }, (_, n) => ({ _id: n, a: n % 5 })) });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: Doc) => engine.run({ ...command, $db: 'd' }, engine);

test('queries find every document while an index is built and dropped', async () => {
  for (let round = 0; round < 5; round++) {
    let isDone = false;
    const changed = run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      expect((await run({ count: 'c', query: { a: 3 } })).n).toBe(100);
      await waitForNextTick();
    }
    await changed;
    await run({ dropIndexes: 'c', index: 'a' });
    expect((await run({ count: 'c', query: { a: 3 } })).n).toBe(100);
  }
});

test('a cursor on a dropped index ends with an error instead of early', async () => {
  await run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
  const reply = await run({ find: 'c', filter: { a: 3 }, batchSize: 2 });
  const { id } = reply.cursor as { id: bigint };
  await run({ dropIndexes: 'c', index: 'a' });
  await expect(run({ getMore: Number(id), collection: 'c' })).rejects.toMatchObject({ code: 43 });
});
