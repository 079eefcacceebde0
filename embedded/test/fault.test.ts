import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../src/engine/create-engine.ts';
import { openKeyValueStore } from '../src/storage/key-value-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'fault-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a write that the disk refuses is not acknowledged, and the engine reports the failure', async () => {
  const store = openKeyValueStore(join(folder, 'store.mdb'));
  const full = new Error('no space left');
  const faults: unknown[] = [];
  const engine = createEngine({
    store: { ...store, transact: () => Promise.reject(full) },
    now: () => new Date(0),
    onFault: (error) => faults.push(error),
  });
  await expect(engine.run({ insert: 'c', documents: [{ _id: 1 }], $db: 'd' }, {})).rejects.toBe(full);
  expect(faults).toEqual([full]);
  await engine.close();
});
