import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../testing/until.ts';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const key = `sw_live_${'Ab3'.repeat(14)}x`;
/** An API whose answers the tests decide. */
let answer: RequestListener = () => {};
const api = createServer((request, response) => answer(request, response));
let folder: string;
let command: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shelfwise-cli-'));
  const npmEnv = { PATH: process.env.PATH, HOME: process.env.HOME };
  const pack = ['pack', '-w', 'cli', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root, env: npmEnv })).stdout);
  await run('npm', ['init', '-y'], { cwd: folder, env: npmEnv });
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)];
  await run('npm', install, { cwd: folder, env: npmEnv });
  command = join(folder, 'node_modules/.bin/shelfwise');
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address() as AddressInfo;
  env = { PATH: process.env.PATH, HOME: folder, SHELFWISE_BASE_URL: `http://127.0.0.1:${port}` };
});
afterAll(() => {
  api.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the packed program runs in an empty folder, with a key file', async () => {
  writeFileSync(join(folder, 'key'), `${key}\n`, { mode: 0o600 });
  answer = (request, response) => {
    const isKnown = request.headers['x-api-key'] === key;
    response.setHeader('content-type', 'application/json');
    response.end(isKnown ? '{"data":[],"meta":{"total":0}}' : '{"error":"no","code":"MISSING_API_KEY"}');
  };
  const options = { cwd: folder, env };
  expect((await run(command, ['--version'], options)).stdout).toBe('0.1.0\n');
  expect((await run(command, ['--help'], options)).stdout).toMatch(/^Usage: shelfwise COMMAND/);
  const listed = await run(command, ['apps', '--json', '--key-file', 'key'], options);
  expect(listed).toEqual({ stdout: '{"data":[],"meta":{"total":0}}\n', stderr: '' });
});

test('without a key it ends with 3, and says what to do', async () => {
  const { code, stdout, stderr } = await run(command, ['apps'], { cwd: folder, env }).catch((error) => error);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/^There is no API key\. Set SHELFWISE_API_KEY/);
});

test('a reader that has enough ends it quietly', async () => {
  answer = (_request, response) => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ keyword: `word ${index}`, rivals: [] }));
    response.end(JSON.stringify({ data: rows, meta: {} }));
  };
  const line = `'${command}' gap 1 | head -1`;
  const options = { cwd: folder, env: { ...env, SHELFWISE_API_KEY: key } };
  expect(await run('bash', ['-o', 'pipefail', '-c', line], options)).toMatchObject({
    stdout: expect.stringMatching(/^keyword/),
    stderr: '',
  });
});

test('Ctrl-C ends a call that waits, with 130, in the API too', async () => {
  let isWaiting = false;
  let isGone = false;
  answer = (request) => {
    isWaiting = true;
    request.once('close', () => {
      isGone = true;
    });
  };
  const child = spawn(command, ['apps'], { cwd: folder, env: { ...env, SHELFWISE_API_KEY: key } });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = once(child, 'close');
  await until(() => isWaiting);
  child.kill('SIGINT');
  const [code] = await closed;
  expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({ code: 130, stderr: 'Interrupted.' });
  await until(() => isGone);
});
