import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flagsOfTestProgram } from '../../testing/system/node-arguments.ts';
import { type Claim, claimDataFolder, controlSocketPath } from '../src/claim-data-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'claim-'));
const claims: Claim[] = [];
const processes: ChildProcess[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  for (const claim of claims.splice(0)) if (claim.kind === 'claimed') await claim.release();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function claim(dataDir: string): Promise<Claim> {
  const created = await claimDataFolder(dataDir, (_request, response) => response.end('claimed'));
  claims.push(created);
  return created;
}

function createFolder(): string {
  return mkdtempSync(join(root, 'data-'));
}

function fetchText(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path: '/' }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    }).once('error', reject);
  });
}

/** Starts a process that claims the folder each time it is told to, and stays alive. */
function startProcess(dataDir: string) {
  const script = `
    import { claimDataFolder } from '@shelfwise/embedded/claim-data-folder';
    process.stdin.on('data', async () => console.log((await claimDataFolder(${JSON.stringify(dataDir)}, () => {})).kind));
    console.log('ready');`;
  const args = [...flagsOfTestProgram(), '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, {
    cwd: join(__dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const nextLine = async () => String((await once(child.stdout, 'data'))[0]).trim();
  return {
    ready: nextLine(),
    /** Resolves with the kind of its claim. */
    claim(): Promise<string> {
      child.stdin.write('claim');
      return nextLine();
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('the owner answers HTTP on the control socket of the folder', async () => {
  const dataDir = createFolder();
  expect((await claim(dataDir)).kind).toBe('claimed');
  expect(await fetchText(controlSocketPath(dataDir))).toBe('claimed');
});

test('a second claim finds the first one under any spelling of the folder', async () => {
  const dataDir = createFolder();
  await claim(dataDir);
  const second = await claim(`${dataDir}/../${dataDir.split('/').at(-1)}/`);
  expect(second).toEqual({ kind: 'taken', socketPath: controlSocketPath(dataDir) });
});

test('a released folder can be claimed immediately', async () => {
  const dataDir = createFolder();
  const first = await claim(dataDir);
  if (first.kind === 'claimed') await first.release();
  expect((await claim(dataDir)).kind).toBe('claimed');
});

test('exactly one of several concurrent claims succeeds, in each of 20 rounds', async () => {
  for (let round = 0; round < 20; round++) {
    const dataDir = createFolder();
    const results = await Promise.all([claim(dataDir), claim(dataDir), claim(dataDir)]);
    expect(results.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
  }
});

test('after the owner is killed, exactly one of several concurrent processes claims the folder', async () => {
  const dataDir = createFolder();
  const [owner, ...others] = [startProcess(dataDir), startProcess(dataDir), startProcess(dataDir)] as const;
  await Promise.all([owner, ...others].map(({ ready }) => ready));
  expect(await owner.claim()).toBe('claimed');
  expect((await claim(dataDir)).kind).toBe('taken');
  await owner.kill();
  const own = claim(dataDir);
  const kinds = await Promise.all([...others.map((other) => other.claim()), own.then(({ kind }) => kind)]);
  expect(kinds.sort()).toEqual(['claimed', 'taken', 'taken']);
  for (const { kill } of others) await kill();
  const claimed = await own;
  if (claimed.kind === 'claimed') await claimed.release();
  expect((await claim(dataDir)).kind).toBe('claimed');
});

test('a folder whose path is too long for a socket can be claimed', async () => {
  const dataDir = join(createFolder(), 'x'.repeat(120));
  mkdirSync(dataDir);
  expect((await claim(dataDir)).kind).toBe('claimed');
  expect((await claim(dataDir)).kind).toBe('taken');
  expect(Buffer.byteLength(controlSocketPath(dataDir))).toBeLessThanOrEqual(100);
});

test('missing parents of the folder are created, accessible to their owner only', async () => {
  const parent = join(createFolder(), 'parent');
  expect((await claim(join(parent, 'data'))).kind).toBe('claimed');
  expect(statSync(parent).mode & 0o777).toBe(0o700);
});

test.each(['/proc/shelfwise', '/proc', '/dev/null/shelfwise'])(
  'a folder that cannot be created or written to is refused: %s',
  async (folder) => {
    await expect(claim(folder)).rejects.toThrow(/^E[A-Z]+: /);
    expect(existsSync('/proc/shelfwise')).toBe(false);
  },
);

test('only the owner can access the socket', async () => {
  const dataDir = createFolder();
  await claim(dataDir);
  expect(statSync(join(controlSocketPath(dataDir), '..')).mode & 0o777).toBe(0o700);
  expect(statSync(controlSocketPath(dataDir)).mode & 0o777).toBe(0o600);
});
