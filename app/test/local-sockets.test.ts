import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { listeningPorts } from '../../testing/system/listening-ports.ts';
import { trackExample, useSystems } from './use-systems.ts';

const { dataDir, start, startProcess, snapshot, scores } = useSystems();

const sockets = ['control.sock', 'mongodb.sock', 'scoring.sock', 'tracking.sock'];
const explain = ['explain', '--store', 'ITUNES', '--country', 'US', '--keyword', 'camera', '--json'];

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a running system listens on its port only, and on local sockets that only its owner can reach',
  async () => {
    const before = listeningPorts(process.pid);
    const system = await start();
    await trackExample(system);
    const ready = await fetch(`${system.url}/readyz`);
    expect(ready.status).toBe(200);
    const added = listeningPorts(process.pid).filter((port) => !before.includes(port));
    expect(added).toEqual([Number(new URL(system.url).port)]);
    expect(readdirSync(join(dataDir(), 'run')).sort()).toEqual(sockets);
    expect(statSync(join(dataDir(), 'run')).mode & 0o777).toBe(0o700);
    await system.end();
    expect(readdirSync(join(dataDir(), 'run'))).toEqual([]);
  },
);

test('after a kill -9 the sockets left behind are replaced, and commands work', async () => {
  const killed = await startProcess();
  await killed.end('SIGKILL');
  expect(readdirSync(join(dataDir(), 'run')).sort()).toEqual(sockets);
  await start();
  expect(JSON.parse((await scores(explain)).stdout)).toMatchObject({ keyword: 'camera' });
  expect(JSON.parse((await snapshot(['--json'])).stdout)).toMatchObject({ is_complete: true });
});

test.each(['tracking.sock', 'scoring.sock'])(
  'something in the place of %s is named at the start',
  async (name) => {
    const path = join(realpathSync(dataDir()), 'run', name);
    mkdirSync(path, { recursive: true });
    const message = await start().catch((error: Error) => error.message);
    expect(message).toContain(`cannot be used: ${path} is in the place of a socket: remove it.`);
    expect(message).not.toContain('    at ');
  },
);

test('commands find the system on a data folder whose path is too long for a socket', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sw-long-'));
  const folder = join(root, 'x'.repeat(120));
  mkdirSync(folder);
  const settings = { SHELFWISE_DATA_DIR: folder };
  try {
    const system = await start(settings);
    expect(readdirSync(folder)).not.toContain('run');
    expect(readdirSync(dirname(controlSocketPath(folder))).sort()).toEqual(sockets);
    expect(JSON.parse((await scores(explain, settings)).stdout)).toMatchObject({ keyword: 'camera' });
    expect((await system.api('GET', '/applications')).status).toBe(200);
    await system.end();
  } finally {
    rmSync(dirname(controlSocketPath(folder)), { recursive: true, force: true });
    rmSync(root, { recursive: true });
  }
});
