import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import type { Readiness } from '@shelfwise/gateway/pages/readiness';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createApi } from '../../testing/system/api.ts';
import { withoutScores } from '../../testing/system/without-scores.ts';
import { until } from '../../testing/until.ts';
import {
  live,
  paste,
  runInShell,
  searchesFor,
  storefront,
  trackExample,
  useSharedSystem,
  useSystems,
} from './use-systems.ts';

const { dataDir, start, startProcess, account, events, stopAll, startStore } = useSystems();

test('a fresh start prints a key and four calls that work when pasted, and a restart shows the same data', async () => {
  const first = await start();
  expect(first.output()).toContain('fictional');
  const [application, keywords, ranks, health] = await paste(first.output());
  expect(application.data.id).toBe(1);
  expect(keywords.data).toMatchObject({ success_count: 3, error_count: 0 });
  expect(ranks.data).toHaveLength(3);
  expect(health.data).toMatchObject({ app: { id: 1 } });
  // The words of the app are measured in the background.
  const api = first.api;
  await until(async () => {
    const { report } = (await api('GET', '/applications/1/aso-health')).body.data;
    return report?.axes.length === 3;
  });
  expect(await first.end()).toBe(0);
  expect(first.output()).not.toMatch(/"level":(40|50|60)/);

  const again = await start();
  expect(again.key).toBe(first.key);
  const [tracked, added, relisted] = await paste(again.output());
  expect(tracked.data).toMatchObject([{ id: 1, keyword_count: 3 }]);
  expect(added.data).toMatchObject({ success_count: 0, error_count: 3 });
  expect(withoutScores(relisted.data)).toEqual(withoutScores(ranks.data));
});

test('after a kill -9 a start works immediately, and acknowledged writes are there', async () => {
  const first = await startProcess();
  const api = createApi(first.url, first.key ?? '');
  await trackExample(first);
  await first.end('SIGKILL');
  const again = await start();
  const { body } = await again.api('GET', '/keywords');
  expect(body.data).toHaveLength(3);
  await expect(api('GET', '/keywords')).rejects.toThrow();
});

/** Stores one document, as a version without layouts did. Returns all collections of the databases afterwards. */
async function useDataFolder(databases: readonly string[], collection?: string): Promise<string[]> {
  const logger = createLogger({ name: 'test', level: 'error', destination: process.stderr });
  const engine = await startEngine({ dataDir: dataDir() });
  const collections: string[] = [];
  for (const database of databases) {
    const connection = await connectMongo({ uri: engine.mongodbUri, database, logger });
    if (collection) await connection.collection(collection).insertOne({ last: 1 });
    collections.push(...(await connection.listCollections()).map(({ name }) => `${database}.${name}`));
    await connection.close();
  }
  await engine.stop();
  return collections;
}

test.each(['shelfwise_events_sample', 'shelfwise_chart_sample', 'shelfwise_gateway'])(
  'a data folder of another version is refused with one sentence and not changed (%s)',
  async (database) => {
    await useDataFolder([database], 'rows');
    const sentence =
      `The database ${database} was made by a version of Shelfwise that this one cannot migrate: delete the data folder ` +
      '(SHELFWISE_DATA_DIR) or, if the database is on the server of MONGODB_URI, use a server without it or another MONGODB_PREFIX, and start again.';
    await expect(start()).rejects.toThrow(new Error(`the system ended with 1:\n${sentence}\n`));
    const others = ['shelfwise_events_sample', 'shelfwise_tracking_sample', 'shelfwise_gateway'];
    expect(await useDataFolder([...new Set([database, ...others])])).toEqual([`${database}.rows`]);
  },
);

test('invalid settings stop the start, and the message names all of them', async () => {
  const failed = start({ PORT: 'eighty', KAFKA_BROKERS: 'x', STORE_SOURCE: 'both' });
  await expect(failed).rejects.toThrow(/PORT: .*\n.*STORE_SOURCE: .*\n.*KAFKA_BROKERS: /);
});

test('a live store has no demo account by default', async () => {
  const system = await start({ STORE_SOURCE: 'live', STORE_ITUNES_URL: 'http://127.0.0.1:1' });
  expect(system.key).toBeNull();
  expect(system.output()).toContain('live: the App Store');
});

test('accounts are created with and without a running system, and the plan decides what a key may do', async () => {
  const before = await account(['create', '--email', 'a@b.c', '--plan', 'free', '--json']);
  const created = JSON.parse(before.stdout);
  expect(Object.keys(created)).toEqual(['id', 'email', 'plan', 'key']);
  expect(before.stderr).toContain('no Shelfwise runs');
  // A command that opens a database first leaves one that a start accepts.
  expect(await events(['lag'])).toMatchObject({ code: 0, stdout: 'No group has consumed events yet.\n' });

  const system = await start();
  const api = createApi(system.url, created.key);
  expect(await api('GET', '/account/usage')).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
  const changed = await account(['set-plan', '--email', 'a@b.c', '--plan', 'unlimited', '--json']);
  expect(changed.stderr).toContain('using the Shelfwise that runs');
  expect(await api('GET', '/account/usage')).toMatchObject({ status: 200 });

  const renewed = JSON.parse((await account(['regenerate', '--id', created.id, '--json'])).stdout);
  expect(await api('GET', '/account/usage')).toMatchObject({
    status: 401,
    body: { code: 'INVALID_API_KEY' },
  });
  expect(await createApi(system.url, renewed.key)('GET', '/account/usage')).toMatchObject({ status: 200 });
});

test('a sign-in link is printed at the start and made by a command, with and without a running system', async () => {
  await account(['create', '--email', 'a@b.c', '--plan', 'free']);
  const before = await account(['sign-in', '--email', 'a@b.c', '--json'], {
    PUBLIC_URL: 'https://aso.example.com',
  });
  expect(JSON.parse(before.stdout)).toEqual({
    email: 'a@b.c',
    link: expect.stringMatching(/^https:\/\/aso\.example\.com\/dashboard\/sign-in#sw_link_/),
    expires_at: expect.any(String),
  });
  const system = await start();
  const port = new URL(system.url).port;
  const link = new RegExp(`http://localhost:${port}/dashboard/sign-in#(sw_link_\\w{43})`);
  const made = await account(['sign-in', '--email', 'a@b.c']);
  expect(made.stdout).toMatch(link);
  for (const [code, email, plan] of [
    [link.exec(system.output())?.[1], 'demo@example.com', 'unlimited'],
    [link.exec(made.stdout)?.[1], 'a@b.c', 'free'],
  ]) {
    const signedIn = await fetch(`${system.url}/dashboard/session/link`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-shelfwise-page': '1',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ code }),
    });
    expect(await signedIn.json()).toEqual({ data: { email, plan } });
  }
  await system.end();
  const off = await start({ DASHBOARD: 'false' });
  expect(off.output()).not.toContain('/dashboard');
  expect(await account(['sign-in', '--email', 'a@b.c'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DASHBOARD'),
  });
});

test('a failed account command prints nothing on stdout and exits with an error code', async () => {
  const failed = await account(['create', '--email', 'nobody', '--plan', 'gold', '--json']);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(await account(['destroy'])).toMatchObject({ code: 2, stdout: '' });
  const help = await account(['--help']);
  expect(help.stdout).toContain('Usage');
});

test('sample data is never shown as live data', async () => {
  const store = await startStore();
  const sample = await start();
  await trackExample(sample);
  await sample.end();

  const real = await start(live(store.url));
  const api = real.api;
  expect((await api('GET', '/applications')).body.data).toEqual([]);
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const id = tracked.body.data.id;
  const keywordsBody = { keywords: ['habit tracker'], app_id: id, ...storefront };
  expect((await api('POST', '/keywords', keywordsBody)).body.data.success_count).toBe(1);
  expect(searchesFor(store, 'habit tracker')).toBe(1);
  await real.end();

  const again = await start();
  const { body } = await again.api('GET', '/keywords');
  expect(body.data).toHaveLength(3);
});

test('a draining system reports it, answers open requests, and a second start waits', async () => {
  const store = await startStore();
  const first = await startProcess(live(store.url));
  const api = createApi(first.url, first.key ?? '');
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  store.setFault('ok', { isHeld: true });
  const inFlight = api('POST', '/keywords', {
    keywords: ['notes'],
    app_id: tracked.body.data.id,
    ...storefront,
  });
  await until(() => searchesFor(store, 'notes') === 1);
  const ended = first.end('SIGINT');
  await until(async () => (await fetch(`${first.url}/readyz`)).status === 503);
  const second = start(live(store.url));
  store.release();
  expect((await inFlight).body.data).toMatchObject({ success_count: 1, error_count: 0 });
  expect(await ended).toBe(0);
  expect((await second).key).toBe(first.key);
});

test('a request that waits for a hanging store gets 503 and does not prevent a clean exit', async () => {
  const store = await startStore();
  const system = await start({ ...live(store.url), STORE_TIMEOUT_MS: '30000' });
  const api = system.api;
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  store.setFault('hang');
  const keywordsBody = { keywords: ['notes'], app_id: tracked.body.data.id, ...storefront };
  const waiting = api('POST', '/keywords', keywordsBody);
  await until(() => store.calls().some(({ query }) => query.term === 'notes'));
  expect(await system.end()).toBe(0);
  expect(await waiting).toMatchObject({
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE', error: 'The service is stopping. Try again.' },
  });
});

test('the printed calls work for a demo account that was not the first to track', async () => {
  const first = await start({ SHELFWISE_DEMO_ACCOUNT: 'false' });
  const created = JSON.parse(
    (await account(['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'])).stdout,
  );
  const api = createApi(first.url, created.key);
  expect(first.output()).toContain('npm run account -- create');
  await api('POST', '/applications', { app_id: '9008188700', ...storefront });
  await first.end();

  const again = await start();
  const script = again
    .output()
    .split('\n')
    .filter((line) => /^ {2}(curl|ID=)/.test(line))
    .join('\n');
  const printed = await runInShell(script);
  expect(printed).toMatch(/^tracked as 2\n/);
  expect(printed).toContain('"success_count":3');
});

test('MONGODB_URI replaces the embedded database for the system and the account command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-db-'));
  const engine = await startEngine({ dataDir: folder });
  const settings = { MONGODB_URI: engine.mongodbUri };
  try {
    const idle = await account(['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'], settings);
    expect(idle.stderr).toContain('using the database of MONGODB_URI');
    const { key } = JSON.parse(idle.stdout);

    const system = await start(settings);
    expect(system.key).toBeNull();
    let tracking: Readiness['services'][string] = [];
    // The first view does not wait for a slow service.
    await until(async () => {
      const ready = (await (await fetch(`${system.url}/readyz`)).json()) as Readiness;
      tracking = ready.services.tracking ?? [];
      return tracking.length > 1;
    });
    expect(tracking.map((part) => [part.name, part.is_embedded])).toEqual([
      ['database', false],
      ['events', true],
      ['daily run', false],
    ]);
    const api = createApi(system.url, key);
    const tracked = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
    expect(tracked.status).toBe(200);
    const busy = await account(['list', '--json'], settings);
    expect(busy.stderr).toContain('using the Shelfwise that runs');
    expect(JSON.parse(busy.stdout).total).toBe(1);
  } finally {
    await stopAll();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('while a system runs', () => {
  const running = useSharedSystem();

  test('a second start on the same data folder reports the conflict and exits with 1', async () => {
    await expect(startProcess({ SHELFWISE_DATA_DIR: running.dataDir() })).rejects.toThrow(
      new RegExp(`ended with 1:[^]*in use by another[^]*${running.system().url}`),
    );
  });

  test('a port in use or an unusable data folder is reported in one sentence', async () => {
    const { port } = new URL(running.system().url);
    const otherFolder = mkdtempSync(join(tmpdir(), 'sw-other-'));
    const portMessage = await start({ PORT: port, SHELFWISE_DATA_DIR: otherFolder }).catch(
      (error: Error) => error.message,
    );
    expect(portMessage).toContain(`Port ${port} is in use. Set PORT to another one.`);
    expect(portMessage).not.toContain('    at ');
    for (const folder of ['/dev/null/x', '/proc/x']) {
      const folderMessage = await start({ SHELFWISE_DATA_DIR: folder }).catch(
        (error: Error) => error.message,
      );
      expect(folderMessage).toMatch(
        new RegExp(
          `The data folder ${folder} cannot be used: .* Set SHELFWISE_DATA_DIR to a folder that you can`,
        ),
      );
      expect(folderMessage).not.toContain('    at ');
    }
    rmSync(otherFolder, { recursive: true });
  });

  test('an account command refuses to write to another database than the running system uses', async () => {
    const elsewhere = { SHELFWISE_DATA_DIR: running.dataDir(), MONGODB_URI: 'mongodb://127.0.0.1:1' };
    const failed = await account(['list'], elsewhere);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/another database than MONGODB_URI/);
  });
});
