import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApi } from '../scripts/lib/api.ts';
import { type SystemProcess, startSystemProcess } from '../scripts/lib/system-process.ts';

// Each start compiles the sources anew, several times on a busy machine.
jest.setTimeout(120_000);

let dataDir: string;
const systems: SystemProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
});
afterEach(async () => {
  await Promise.all(systems.splice(0).map((system) => system.end('SIGKILL')));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}): Promise<SystemProcess> {
  const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir, ...settings });
  systems.push(system);
  return system;
}

/** The account command in a process of its own; like a shell, what it printed and its exit code. */
async function account(words: string[], settings: Record<string, string> = {}) {
  const args = ['--import', 'tsx', '--conditions=source', 'deploy/src/account.ts', ...words];
  const env = { ...process.env, SHELFWISE_DATA_DIR: dataDir, ...settings };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

/** The calls that the start prints, run by a shell as they stand. */
function paste(output: string) {
  const lines = output.split('\n').map((line) => line.trim());
  const calls = lines.filter((line) => line.startsWith('curl '));
  return calls.map((call) => JSON.parse(execFileSync('bash', ['-c', call], { encoding: 'utf8' })));
}

test('a fresh start prints a key and three calls that work when pasted; a restart knows it all', async () => {
  const first = await start();
  expect(first.output()).toContain('fictional');
  const [application, keywords, ranks] = paste(first.output());
  expect(application.data.id).toBe(1);
  expect(keywords.data).toMatchObject({ success_count: 3, error_count: 0 });
  expect(ranks.data).toHaveLength(3);
  expect(await first.end('SIGINT')).toBe(0);
  expect(first.output()).not.toMatch(/"level":(40|50|60)/);

  const again = await start();
  expect(again.key).toBe(first.key);
  const [tracked, added, kept] = paste(again.output());
  expect(tracked.data).toMatchObject([{ id: 1, keyword_count: 3 }]);
  expect(added.data).toMatchObject({ success_count: 0, error_count: 3 });
  expect(kept).toEqual(ranks);
});

test('the demo key is kept in a file for its owner alone', async () => {
  const system = await start();
  expect(readFileSync(join(dataDir, 'demo-key'), 'utf8').trim()).toBe(system.key);
  expect(statSync(join(dataDir, 'demo-key')).mode & 0o777).toBe(0o600);
});

test('a second start on the same data folder says so and ends with 1', async () => {
  const system = await start();
  await expect(start()).rejects.toThrow(new RegExp(`ended with 1:[^]*in use by another[^]*${system.url}`));
});

test('after a kill -9 a start works at once, and what was acknowledged is there', async () => {
  const first = await start();
  const api = createApi(first.url, first.key ?? '');
  paste(first.output());
  await first.end('SIGKILL');
  const again = await start();
  const { body } = await createApi(again.url, again.key ?? '')('GET', '/keywords');
  expect(body.data).toHaveLength(3);
  await expect(api('GET', '/keywords')).rejects.toThrow();
});

test('settings that cannot be used stop the start and are all named', async () => {
  const failed = start({
    PORT: 'eighty',
    KAFKA_BROKERS: 'x:9092',
    REDIS_URL: 'redis://x',
    STORE_SOURCE: 'both',
  });
  await expect(failed).rejects.toThrow(/PORT: .*\n.*STORE_SOURCE: .*\n.*REDIS_URL: .*\n.*KAFKA_BROKERS: /);
});

test('a live store makes no demo account unless it is asked for', async () => {
  const system = await start({ STORE_SOURCE: 'live', STORE_ITUNES_URL: 'http://127.0.0.1:1' });
  expect(system.key).toBeNull();
  expect(system.output()).toContain('live: the App Store');
});

test('accounts are made while the system runs and while it does not, and the plan decides what a key may do', async () => {
  const before = await account(['create', '--email', 'a@b.c', '--plan', 'free', '--json']);
  const made = JSON.parse(before.stdout);
  expect(Object.keys(made)).toEqual(['id', 'email', 'plan', 'key']);
  expect(before.stderr).toContain('no Shelfwise runs');

  const system = await start();
  const api = createApi(system.url, made.key);
  expect(await api('GET', '/account/usage')).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
  const changed = await account(['set-plan', '--email', 'a@b.c', '--plan', 'unlimited', '--json']);
  expect(changed.stderr).toContain('carried out by the Shelfwise that runs');
  expect(await api('GET', '/account/usage')).toMatchObject({ status: 200 });

  const renewed = JSON.parse((await account(['regenerate', '--id', made.id, '--json'])).stdout);
  expect(await api('GET', '/account/usage')).toMatchObject({
    status: 401,
    body: { code: 'INVALID_API_KEY' },
  });
  expect(await createApi(system.url, renewed.key)('GET', '/account/usage')).toMatchObject({ status: 200 });
});

test('an account command that fails prints nothing on stdout and does not end with 0', async () => {
  const failed = await account(['create', '--email', 'nobody', '--plan', 'gold', '--json']);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(await account(['destroy'])).toMatchObject({ code: 2, stdout: '' });
  const help = await account(['--help']);
  expect(help.stdout).toContain('Usage');
});
