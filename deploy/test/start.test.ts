import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import type { Readiness } from '@shelfwise/gateway/pages/readiness';
import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
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

/** A command in a process of its own; like a shell, what it printed and its exit code. */
async function command(entry: string, words: string[], settings: Record<string, string>) {
  const args = ['--import', 'tsx', '--conditions=source', entry, ...words];
  const env = { ...process.env, SHELFWISE_DATA_DIR: dataDir, ...settings };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const account = (words: string[], settings: Record<string, string> = {}) =>
  command('deploy/src/account.ts', words, settings);
const snapshot = (words: string[], settings: Record<string, string> = {}) =>
  command('deploy/src/snapshot.ts', words, settings);

/** Runs lines of shell as they stand; see the stand-in for why curl is not the system's. */
function runInShell(script: string): string {
  const standIn = `curl() { '${process.execPath}' deploy/test/curl-stand-in.mjs "$@"; }`;
  return execFileSync('sh', ['-c', `${standIn}\n${script}`], { encoding: 'utf8' });
}

/** The calls that the start prints, run by a shell as they stand. */
function paste(output: string) {
  const lines = output.split('\n').map((line) => line.trim());
  const calls = lines.filter((line) => line.startsWith('curl '));
  return calls.map((call) => JSON.parse(runInShell(call)));
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

const live = (url: string) => ({
  STORE_SOURCE: 'live',
  STORE_ITUNES_URL: url,
  STORE_ITUNES_HINTS_URL: url,
  STORE_APPS_URL: url,
  STORE_PLAY_URL: url,
  STORE_TIMEOUT_MS: '3000',
  SHELFWISE_DEMO_ACCOUNT: 'true',
});
const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };

test('what was read from the sample is never shown as read from a live store', async () => {
  const store = await startFakeStore();
  try {
    const sample = await start();
    paste(sample.output());
    await sample.end('SIGINT');

    const real = await start(live(store.url));
    const api = createApi(real.url, real.key ?? '');
    expect((await api('GET', '/applications')).body.data).toEqual([]);
    const tracked = await api('POST', '/applications', { app_id: '700000001', ...market });
    const id = tracked.body.data.id;
    const words = { keywords: ['habit tracker'], app_id: id, ...market };
    expect((await api('POST', '/keywords', words)).body.data.success_count).toBe(1);
    expect(store.counts()).toMatchObject({ '/search': 1 });
    await real.end('SIGINT');

    const again = await start();
    const { body } = await createApi(again.url, again.key ?? '')('GET', '/keywords');
    expect(body.data).toHaveLength(3);
  } finally {
    await store.stop();
  }
});

test('while it drains it says so, answers what is in flight, and a second start waits', async () => {
  const store = await startFakeStore();
  try {
    const first = await start(live(store.url));
    const api = createApi(first.url, first.key ?? '');
    const tracked = await api('POST', '/applications', { app_id: '700000001', ...market });
    store.setFault('ok', { delayMs: 1500 });
    const inFlight = api('POST', '/keywords', {
      keywords: ['notes'],
      app_id: tracked.body.data.id,
      ...market,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ended = first.end('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await fetch(`${first.url}/readyz`)).status).toBe(503);
    const second = start(live(store.url));
    expect((await inFlight).body.data).toMatchObject({ success_count: 1, error_count: 0 });
    expect(await ended).toBe(0);
    expect((await second).key).toBe(first.key);
  } finally {
    await store.stop();
  }
});

test('a port in use, or a data folder that is none, is one sentence', async () => {
  const system = await start();
  const port = new URL(system.url).port;
  const other = mkdtempSync(join(tmpdir(), 'sw-other-'));
  const taken = await start({ PORT: port, SHELFWISE_DATA_DIR: other }).catch((error: Error) => error.message);
  expect(taken).toContain(`Port ${port} is in use. Set PORT to another one.`);
  expect(taken).not.toContain('    at ');
  const unusable = await start({ SHELFWISE_DATA_DIR: '/dev/null/x' }).catch((error: Error) => error.message);
  expect(unusable).toMatch(/The data folder \/dev\/null\/x cannot be used: .* Set SHELFWISE_DATA_DIR/);
  expect(unusable).not.toContain('    at ');
  rmSync(other, { recursive: true });
});

test('an account command does not write into another database than the one that is meant', async () => {
  await start();
  const failed = await account(['list'], { MONGODB_URI: 'mongodb://127.0.0.1:1' });
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/another database than MONGODB_URI/);
});

test('the calls that are printed work for a demo account that was not the first to track', async () => {
  const first = await start({ SHELFWISE_DEMO_ACCOUNT: 'false' });
  const made = JSON.parse(
    (await account(['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'])).stdout,
  );
  const api = createApi(first.url, made.key);
  expect(first.output()).toContain('npm run account -- create');
  await api('POST', '/applications', { app_id: '9008188700', ...market });
  await first.end('SIGINT');

  const again = await start();
  const script = again
    .output()
    .split('\n')
    .filter((line) => /^ {2}(curl|ID=)/.test(line))
    .join('\n');
  const printed = runInShell(script);
  expect(printed).toMatch(/^tracked as 2\n/);
  expect(printed).toContain('"success_count":3');
});

test('MONGODB_URI takes the place of the embedded database, for the system and for the account command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-db-'));
  const engine = await startEngine({ dataDir: folder });
  const settings = { MONGODB_URI: engine.mongodbUri };
  try {
    const idle = await account(['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'], settings);
    expect(idle.stderr).toContain('on the database of MONGODB_URI');
    const { key } = JSON.parse(idle.stdout);

    const system = await start(settings);
    expect(system.key).toBeNull();
    const ready = (await (await fetch(`${system.url}/readyz`)).json()) as Readiness;
    const { tracking = [] } = ready.services;
    expect(tracking.map(({ name, is_embedded }) => [name, is_embedded])).toEqual([
      ['database', false],
      ['events', true],
      ['daily run', false],
    ]);
    const api = createApi(system.url, key);
    const tracked = await api('POST', '/applications', { app_id: '9005997251', ...market });
    expect(tracked.status).toBe(200);
    const busy = await account(['list', '--json'], settings);
    expect(busy.stderr).toContain('carried out by the Shelfwise that runs');
    expect(JSON.parse(busy.stdout).total).toBe(1);
  } finally {
    await Promise.all(systems.splice(0).map((system) => system.end('SIGINT')));
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('a past day of the sample is filled in by the running system, and its history shows it', async () => {
  const system = await start();
  paste(system.output());
  const day = dayBefore(3);
  const first = await snapshot(['--day', day, '--json']);
  expect(first.stderr).toContain('done by the Shelfwise that runs on');
  expect(first.stderr).toMatch(/\d read, 0 failed, \d left/);
  expect(JSON.parse(first.stdout)).toMatchObject({ is_complete: true, done: 3, failed: 0, left: 0 });

  const api = createApi(system.url, system.key ?? '');
  const { body } = await api('GET', '/keywords/1/ranks/history');
  const days = body.data.apps[0].history.map((row: { date: string }) => row.date);
  expect(days).toEqual([day, dayBefore(0)]);
  // Ranks are those of the latest day still.
  expect((await api('GET', '/keywords')).body.data).toEqual(paste(system.output())[2].data);

  const again = await snapshot(['--day', day]);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain('Nothing is due.');
});

test('without a running system the snapshot command does it by itself and leaves nothing behind', async () => {
  const system = await start();
  paste(system.output());
  await system.end('SIGINT');
  const day = dayBefore(1);
  const done = await snapshot(['--day', day]);
  expect(done.stderr).toMatch(/no Shelfwise runs on .*: done by this command .*sample/);
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 read in .*, 0 failed, 0 left\.\n$/),
  });

  const again = await start();
  const { body } = await createApi(again.url, again.key ?? '')('GET', '/keywords/1/ranks/history');
  expect(body.data.apps[0].history).toHaveLength(2);
});

test('a live store is not asked for another day, and what is read today is read once', async () => {
  const store = await startFakeStore();
  try {
    const system = await start(live(store.url));
    const api = createApi(system.url, system.key ?? '');
    const tracked = await api('POST', '/applications', { app_id: '700000001', ...market });
    const words = { keywords: ['habit tracker'], app_id: tracked.body.data.id, ...market };
    await api('POST', '/keywords', words);
    const refused = await snapshot(['--day', dayBefore(1), '--json']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/sample/);
    expect(await snapshot(['--all'])).toMatchObject({ code: 0 });
    expect(store.counts()['/search']).toBe(1);
  } finally {
    await store.stop();
  }
});

test('a snapshot command that fails or is misused prints nothing on stdout and does not end with 0', async () => {
  expect(await snapshot(['--day', '2999-01-01', '--json'])).toMatchObject({ code: 2, stdout: '' });
  const nowhere = await snapshot(['--json'], { TRACKING_ADDRESS: '127.0.0.1:1' });
  expect(nowhere).toMatchObject({ code: 1, stdout: '' });
  expect((await snapshot(['--help'])).stdout).toContain('Usage');
});

test('a snapshot command does not read another store than the one that was asked for', async () => {
  await start();
  const failed = await snapshot([], { STORE_SOURCE: 'live' });
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/has STORE_SOURCE=sample, not live/);
});
