import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { startEmbedded } from '../src/start-embedded.ts';
import { startEngine } from '../src/start-engine.ts';
import { addThing } from './add-thing.ts';

const root = mkdtempSync(join(tmpdir(), 'embedded-'));
const dataDir = join(root, 'data');
const worker = pathToFileURL(require.resolve('@shelfwise/embedded/worker'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a program of this folder on a data folder. */
function runProgram(name: string, folder: string): Promise<{ printed: string; code: number | null }> {
  const program = join(__dirname, name);
  const args = ['--import', 'tsx', '--conditions=shelfwise-source', program, folder];
  const child = spawn(process.execPath, args, { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ printed: printed.trim(), code }));
  });
}

test('the database runs from source in a worker thread, and the process ends after stop()', async () => {
  expect(await addThing(dataDir, worker)).toBe(1);
  expect(await runProgram('embedded-program.ts', dataDir)).toEqual({ printed: '2', code: 0 });
});

test('the death of the thread is reported', async () => {
  const folder = mkdtempSync(join(root, 'dying-'));
  const program = `
    import { watch } from 'node:fs';
    import { parentPort, workerData } from 'node:worker_threads';
    watch(workerData.dataDir, () => { throw new Error('the disk is gone'); });
    parentPort.postMessage({ mongodbUri: 'mongodb://nowhere' });`;
  const dying = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const failure = new Promise<Error>((resolve, reject) => {
    startEmbedded({ dataDir: folder, worker: dying, onFailure: resolve }).then(
      () => writeFileSync(join(folder, 'change'), ''),
      reject,
    );
  });
  expect((await failure).message).toBe('the disk is gone');
});

test('when the thread dies, writes in flight and those that wait fail as on a lost server; acknowledged ones are on disk', async () => {
  const folder = mkdtempSync(join(root, 'in-flight-'));
  const { printed, code } = await runProgram('dying-program.ts', folder);
  const { acknowledged, errors } = JSON.parse(printed);
  expect(code).toBe(0);
  expect(errors).toContain('MongoNetworkError');
  for (const name of errors) expect(name).toMatch(/^(MongoNetworkError|PoolClearedOnNetworkError)$/);
  expect(acknowledged).toEqual(expect.arrayContaining([50, ...Array.from({ length: 20 }, (_, id) => id)]));
  const engine = await startEngine({ dataDir: folder });
  const connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'd' }).asPromise();
  const stored = await connection.collection<{ _id: number }>('things').find().toArray();
  expect(stored.map(({ _id }) => _id)).toEqual(expect.arrayContaining(acknowledged));
  await connection.close();
  await engine.stop();
});

test('a database that cannot start reports the reason', async () => {
  const onFailure = jest.fn();
  const start = startEmbedded({ dataDir: '/dev/null/data', worker, onFailure });
  await expect(start).rejects.toThrow('ENOTDIR');
});
