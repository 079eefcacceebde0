import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../testing/find-free-port.ts';
import type { Api } from '../../testing/system/api.ts';
import {
  connectAssistant,
  endConnection,
  listApps,
  renewTokens,
} from '../../testing/system/connect-assistant.ts';
import { pageHeaders, signIn } from '../../testing/system/sign-in.ts';
import { until } from '../../testing/until.ts';
import { waitUntilIdle } from '../scripts/record-examples/wait-until-idle.ts';
import { storefront, trackExample, useSystems } from './use-systems.ts';

const { dataDir, start, backup } = useSystems();
const target = mkdtempSync(join(tmpdir(), 'sw-backup-'));
afterAll(() => rmSync(target, { recursive: true, force: true }));

test('a backup under writes holds every write that was acknowledged before it, and a restored copy starts', async () => {
  const port = await findFreePort();
  const settings = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
  const system = await start(settings);
  await trackExample(system);
  const api = system.api;
  const acknowledged = new Set<string>();
  let isWriting = true;
  async function writeUntilStopped() {
    for (let batch = 0; isWriting; batch += 1) {
      const keywords = [0, 1].map((n) => `planner ${batch} ${n}`);
      const { status } = await api('POST', '/keywords', { keywords, app_id: 1, ...storefront });
      if (status === 200) for (const keyword of keywords) acknowledged.add(keyword);
    }
  }
  const folder = join(target, 'copy');
  const cookie = await signIn(system.url, system.key ?? '');
  const draft = { title: 'Habit Planner' };
  const typed = await fetch(`${system.url}/dashboard/apps/1/draft`, {
    method: 'PUT',
    headers: { ...pageHeaders, cookie },
    body: JSON.stringify(draft),
  });
  expect(typed.status).toBe(200);
  const { body: link } = await api('POST', '/applications/1/share-links', { days: 7, label: 'For us' });
  const connection = await connectAssistant(settings.PUBLIC_URL, cookie);
  const { body: note } = await api('POST', '/applications/1/notes', {
    date: '2026-01-31',
    text: 'Ads began',
  });
  const writing = writeUntilStopped();
  await api('POST', '/keywords', { keywords: ['before the backup'], app_id: 1, ...storefront });
  const before = ['habit tracker', 'daily planner', 'routine', 'before the backup', ...acknowledged];
  const words = Array.from({ length: 100 }, (_, n) => `routine ${n}`);
  const { body: job } = await api('POST', '/jobs', { kind: 'track_keywords', app_id: 1, keywords: words });
  const made = await backup(['--to', folder, '--json']);
  isWriting = false;
  await writing;
  expect(made.stderr).toBe('');
  expect(JSON.parse(made.stdout)).toMatchObject({
    folder,
    bytes: expect.any(Number),
    pages: expect.any(Number),
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ['store.mdb', 'demo-key']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(await backup(['--to', folder])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('already exists'),
  });
  expect(await system.end()).toBe(0);

  rmSync(dataDir(), { recursive: true });
  cpSync(folder, dataDir(), { recursive: true });
  const restored = await start(settings);
  expect(restored.key).toBe(system.key);
  const { body } = await restored.api('GET', '/keywords');
  const names = body.data.map(({ keyword }: { keyword: string }) => keyword);
  expect(names).toEqual(expect.arrayContaining(before));
  expect((await fetch(`${restored.url}/dashboard/sessions`, { headers: { cookie } })).status).toBe(200);
  const page = await fetch(`${restored.url}/dashboard/apps/1/simulator`, {
    headers: { cookie, accept: 'application/json' },
  });
  expect(await page.json()).toMatchObject({ model: { draft: { texts: draft } } });
  const { body: links } = await restored.api('GET', '/applications/1/share-links');
  expect(links.data).toMatchObject([{ id: link.data.id, label: 'For us' }]);
  const { body: notes } = await restored.api('GET', '/applications/1/notes');
  expect(notes.data).toEqual([note.data]);
  await listApps(settings.PUBLIC_URL, connection.token);
  const { access_token: next } = await renewTokens(settings.PUBLIC_URL, connection);
  await listApps(settings.PUBLIC_URL, next);
  // What had not ended goes on.
  const hasEnded = async () => {
    // A claim of the copy that is gone ends in time.
    restored.pass(1000);
    return (await restored.api('GET', `/jobs/${job.data.id}`)).body.data.finished_at !== null;
  };
  await until(hasEnded, { everyMs: 100 });
  const { data: ended } = (await restored.api('GET', `/jobs/${job.data.id}`)).body;
  expect(ended).toMatchObject({ state: 'done', done: words.length, failed: 0 });
  await restored.end();

  // Also without a running system.
  expect(await backup(['--to', join(target, 'second')])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Backed up .* MB to /),
  });
});

test('connections of a restored copy are as they were: what ended since lives again, and what was renewed since ends', async () => {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const settings = { PORT: String(port), PUBLIC_URL: url };
  const system = await start(settings);
  const cookie = await signIn(system.url, system.key ?? '');
  const ended = await connectAssistant(url, cookie);
  const renewed = await connectAssistant(url, cookie);
  const folder = join(target, 'with connections');
  expect(await backup(['--to', folder])).toMatchObject({ code: 0 });
  await endConnection(url, ended);
  await expect(listApps(url, ended.token)).rejects.toThrow('401');
  const { refresh_token: refreshToken } = await renewTokens(url, renewed);
  expect(await system.end()).toBe(0);

  rmSync(dataDir(), { recursive: true });
  cpSync(folder, dataDir(), { recursive: true });
  await start(settings);
  await listApps(url, ended.token);
  await expect(renewTokens(url, { ...renewed, refreshToken })).rejects.toThrow('invalid_grant');
  await expect(listApps(url, renewed.token)).rejects.toThrow('401');
});

test('a restored copy has the result pages of past days, from which shares of voice are computed', async () => {
  const [day, nextDay] = ['2026-02-04', '2026-02-05'];
  const readShares = async ({ api }: { api: Api }) =>
    (await api('GET', `/applications/1/share-of-voice?from=${day}&to=${day}`)).body.data;
  const system = await start({ SAMPLE_DAY: day });
  await trackExample(system);
  // The words of the listing are read in the background.
  await waitUntilIdle(system.system, system.pass);
  const { history } = await readShares(system);
  expect(history).toMatchObject([{ date: day, apps: [{ share: expect.any(Number) }] }]);
  expect(await system.end()).toBe(0);
  const folder = join(target, 'with pages');
  expect(await backup(['--to', folder])).toMatchObject({ code: 0 });

  rmSync(dataDir(), { recursive: true });
  cpSync(folder, dataDir(), { recursive: true });
  // No store shows the pages of a day again. The shares themselves follow the traffic scores of today.
  const restored = await start({ SAMPLE_DAY: nextDay });
  const [{ terms, terms_read: termsRead }] = history;
  expect(termsRead).toBeGreaterThan(4);
  expect((await readShares(restored)).history).toMatchObject([
    { date: day, terms, terms_read: termsRead, apps: [{ share: expect.any(Number) }] },
  ]);
});

test('what cannot be backed up is said in one sentence, and no folder is left', async () => {
  const folder = join(target, 'none');
  const onServer = await backup(['--to', folder], { MONGODB_URI: 'mongodb://127.0.0.1:1' });
  expect(onServer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('mongodump') });
  const empty = await backup(['--to', folder]);
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database in') });
  expect(await backup([])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--to FOLDER is required'),
  });
  expect(existsSync(folder)).toBe(false);
});
