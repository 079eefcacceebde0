import { readdirSync } from 'node:fs';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { trackingDatabase } from '@shelfwise/tracking/config';
import { seedTrackedKeywords } from '../../testing/system/seed-tracked-keywords.ts';
import { createUnlimitedSource } from '../../testing/system/unlimited-source.ts';
import { withoutScores } from '../../testing/system/without-scores.ts';
import { daysAgo } from '../../testing/system-clock.ts';
import { until } from '../../testing/until.ts';
import { live, searchesFor, storefront, trackExample, useSharedSystem, useSystems } from './use-systems.ts';

const day = '2026-06-12';
const today = '2026-06-15';

const sample = useSharedSystem(async () => ({ SAMPLE_DAY: today }));
const { dataDir, start, snapshot, startCommand, startStore } = useSystems();

test('the running system fills in a past day of the sample, and the rank history shows it', async () => {
  const settings = { SAMPLE_DAY: today, SHELFWISE_DATA_DIR: sample.dataDir() };
  const tracked = await trackExample(sample.system());
  const first = await snapshot(['--day', day, '--json'], settings);
  expect(first.stderr).toContain('using the Shelfwise that runs on');
  expect(first.stderr).toMatch(/\d read, 0 failed, \d left/);
  expect(JSON.parse(first.stdout)).toMatchObject({ is_complete: true, done: 3, failed: 0, left: 0 });

  const api = sample.api();
  const { body } = await api('GET', '/keywords/1/ranks/history');
  const days = body.data.apps[0].history.map((row: { date: string }) => row.date);
  expect(days).toEqual([day, today]);
  // The current rank is still the rank of the latest day.
  const rows = withoutScores((await api('GET', '/keywords')).body.data);
  expect(rows).toEqual(withoutScores(tracked));

  const again = await snapshot(['--day', day], settings);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain('Nothing is due.');
});

test.each([
  ['does not exist', '/missing'],
  ['exists', ''],
])(
  'without a running system the snapshot command fails, also when the data folder %s',
  async (_what, path) => {
    const folder = `${dataDir()}${path}`;
    const failed = await snapshot([], { SHELFWISE_DATA_DIR: folder });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toBe(
      `No Shelfwise runs on ${folder}. Start it with "npm start", or set TRACKING_ADDRESS to the address of a running tracking service.\n`,
    );
    // Nothing is started or created.
    expect(readdirSync(dataDir())).toEqual([]);
  },
);

test('a live store is not read for another day, and a keyword is read once per day', async () => {
  const store = await startStore();
  const { api } = await start(live(store.url));
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const keywordsBody = { keywords: ['habit tracker'], app_id: tracked.body.data.id, ...storefront };
  await api('POST', '/keywords', keywordsBody);
  const refused = await snapshot(['--day', day, '--json']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^--day works on the sample only: a live store shows only the current day\.$/m,
  );
  expect(await snapshot(['--all'])).toMatchObject({ code: 0 });
  expect(searchesFor(store, 'habit tracker')).toBe(1);
});

test('a failed or misused snapshot command prints nothing on stdout and exits with an error code', async () => {
  expect(await snapshot(['--day', '2999-01-01', '--json'])).toMatchObject({ code: 2, stdout: '' });
  const nowhere = await snapshot(['--json'], { TRACKING_ADDRESS: '127.0.0.1:1' });
  expect(nowhere).toMatchObject({ code: 1, stdout: '' });
  expect((await snapshot(['--help'])).stdout).toContain('Usage');
});

test('a snapshot command refuses to use a system with another store source', async () => {
  const failed = await snapshot([], { STORE_SOURCE: 'live', SHELFWISE_DATA_DIR: sample.dataDir() });
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/has STORE_SOURCE=sample, not live/);
});

/** Fills a data folder with a keyword of a live store that was tracked and read yesterday. */
async function trackYesterday(folder: string, store: string): Promise<void> {
  const logger = createLogger({ name: 'test', level: 'error', destination: process.stderr });
  const engine = await startEngine({ dataDir: folder });
  const connection = await connectMongo({ uri: engine.mongodbUri, database: trackingDatabase, logger });
  const now = () => daysAgo(1);
  const source = createUnlimitedSource(store, now);
  const tracked = { ...storefront, store: 'ITUNES' as const, app_id: '700000001', keyword: 'habit tracker' };
  await seedTrackedKeywords([tracked], { connection, source, now, logger });
  await connection.close();
  await engine.stop();
}

test('Ctrl-C ends the command while a hanging store blocks the run, and the next command sees the run end', async () => {
  const store = await startStore();
  await trackYesterday(dataDir(), store.url);
  store.setFault('hang');
  await start(live(store.url));
  const stuck = startCommand('snapshot', ['--all', '--json']);
  await stuck.waitForStderr(/1 left/);
  stuck.interrupt();
  const interrupted = await stuck.result;
  expect(interrupted.code).toBe(1);
  expect(JSON.parse(interrupted.stdout)).toMatchObject({
    is_complete: false,
    done: 0,
    next: expect.stringMatching(/^The service continues the run\. .*stay due/),
  });

  store.setFault('ok');
  // After enough calls have failed, the store is left alone for a while.
  await until(async () => (await snapshot(['--all'])).code === 0);
});
