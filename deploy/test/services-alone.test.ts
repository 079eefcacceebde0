import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createApi } from '../scripts/lib/api.ts';

jest.setTimeout(120_000);

const fromSource = ['--import', 'tsx', '--conditions=source'];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

/** Starts one part from its settings only; what it says once it listens. */
async function startAlone(entry: string, settings: Record<string, string>) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...fromSource, entry], { env: { PATH, ...settings } });
  children.push(child);
  let output = '';
  const exit = once(child, 'exit');
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (/ listens on .*\n/.test(output)) resolve();
      });
  });
  await Promise.race([exit, said]);
  return {
    line: output,
    async end() {
      child.kill('SIGTERM');
      const [code] = await exit;
      return code;
    },
  };
}

const addressIn = (line: string) => line.match(/listens on (127\.0\.0\.1:\d+)/)?.[1] ?? '';

test('the three services, each started alone from its settings, are one system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-alone-'));
  const engine = await startEngine({ dataDir: folder });
  const MONGODB_URI = engine.mongodbUri;
  const GRPC_ADDRESS = '127.0.0.1:0';
  try {
    const storeFetch = await startAlone('services/store-fetch/src/main.ts', {
      STORE_SOURCE: 'sample',
      GRPC_ADDRESS,
    });
    expect(storeFetch.line).toContain('fictional');
    const STORE_FETCH_ADDRESS = addressIn(storeFetch.line);
    const tracking = await startAlone('services/tracking/src/main.ts', {
      ...{ MONGODB_URI, STORE_FETCH_ADDRESS, GRPC_ADDRESS },
    });
    expect(tracking.line).toContain('the outbox keeps its events');
    const TRACKING_ADDRESS = addressIn(tracking.line);
    const gateway = await startAlone('gateway/src/main.ts', {
      ...{ MONGODB_URI, STORE_FETCH_ADDRESS, TRACKING_ADDRESS, PORT: '0' },
    });
    const url = `http://127.0.0.1:${gateway.line.match(/port (\d+)/)?.[1]}`;

    const create = ['deploy/src/account.ts', 'create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'];
    const env = { ...process.env, MONGODB_URI, SHELFWISE_DATA_DIR: join(folder, 'none') };
    // Not the synchronous one: the database runs in this very process.
    const made = await promisify(execFile)(process.execPath, [...fromSource, ...create], { env });
    const api = createApi(url, JSON.parse(made.stdout).key);
    const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
    const tracked = await api('POST', '/applications', { app_id: '9005997251', ...market });
    expect(tracked.body.data.id).toBe(1);
    const added = await api('POST', '/keywords', { keywords: ['habit tracker'], app_id: 1, ...market });
    expect(added.body.data.success_count).toBe(1);
    expect(await (await fetch(`${url}/readyz`)).text()).toMatch(/KAFKA_BROKERS/);
    expect([await gateway.end(), await tracking.end(), await storeFetch.end()]).toEqual([0, 0, 0]);
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ['services/store-fetch/src/main.ts', ['STORE_SOURCE']],
  ['services/tracking/src/main.ts', ['MONGODB_URI', 'STORE_FETCH_ADDRESS']],
  ['gateway/src/main.ts', ['MONGODB_URI', 'TRACKING_ADDRESS', 'STORE_FETCH_ADDRESS']],
])('%s started without its settings names all that are missing', async (entry, missing) => {
  const { line } = await startAlone(entry, {});
  for (const setting of missing) expect(line).toContain(`${setting}: is missing`);
});
