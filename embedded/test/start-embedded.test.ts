import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'embedded-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Runs a scenario of embedded-program.ts in a process, because only ESM can resolve the worker. Resolves with its
 * output.
 */
function run(scenario: string, dataDir: string): Promise<{ printed: string; code: number | null }> {
  const program = join(__dirname, 'embedded-program.ts');
  const args = ['--import', 'tsx', '--conditions=shelfwise-source', program, scenario, dataDir];
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
  const dataDir = join(root, 'data');
  expect(await run('write-and-stop', dataDir)).toEqual({ printed: '1', code: 0 });
  expect(await run('write-and-stop', dataDir)).toEqual({ printed: '2', code: 0 });
});

test('the death of the thread is reported', async () => {
  expect((await run('thread-dies', join(root, 'data'))).printed).toBe('the disk is gone');
});

test('a database that cannot start reports the reason', async () => {
  expect((await run('cannot-start', '/dev/null/data')).printed).toMatch('ENOTDIR');
});
