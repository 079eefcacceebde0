import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'embedded-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs a program as main.ts runs, since only ESM knows where the worker is; answers what it printed. */
function run(program: string): Promise<{ printed: string; code: number | null }> {
  const script = `
    import mongoose from 'mongoose';
    import { startEmbedded } from '@shelfwise/embedded/start-embedded';
    const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
    const dataDir = ${JSON.stringify(dataDir)};
    ${program}`;
  const args = ['--import', 'tsx', '--conditions=source', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, {
    cwd: join(__dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ printed: printed.trim(), code }));
  });
}

test('the database runs from source in a thread of its own, and lets the process end when it is stopped', async () => {
  const { printed, code } = await run(`
    const embedded = await startEmbedded({ dataDir, worker, onFailure: () => console.log('failed') });
    const connection = await mongoose.createConnection(embedded.mongodbUri).asPromise();
    await connection.collection('things').insertOne({ n: 1 });
    console.log(await connection.collection('things').countDocuments());
    await connection.close();
    await embedded.stop();
    await embedded.stop();`);
  expect({ printed, code }).toEqual({ printed: '1', code: 0 });
});

test('a thread that dies is reported', async () => {
  const { printed } = await run(`
    const dying = new URL('data:text/javascript,' + encodeURIComponent(
      "import { parentPort } from 'node:worker_threads';" +
      "parentPort.postMessage({ mongodbUri: 'x' }); setTimeout(() => { throw new Error('disk gone') }, 50)"));
    await startEmbedded({ dataDir, worker: dying, onFailure: ({ message }) => console.log(message) });`);
  expect(printed).toBe('disk gone');
});

test('a database that cannot start says why', async () => {
  const { printed } = await run(`
    await startEmbedded({ dataDir: '/dev/null/x', worker, onFailure: () => {} })
      .catch(({ message }) => console.log(message));`);
  expect(printed).toMatch('ENOTDIR');
});
