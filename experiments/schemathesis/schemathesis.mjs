#!/usr/bin/env node
// Tries the OpenAPI document out with schemathesis: thousands of made-up requests to the whole system as npm start runs
// it, over many accounts, with the rate windows on. It needs python3, and a package index for what
// experiments/schemathesis/requirements.txt names.
//
//   node experiments/schemathesis/schemathesis.mjs [--seed 1] [--accounts 64]
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { askHolder } from '../../app/dist/control.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'shelfwise-schemathesis-'));
const dataDir = join(work, 'data');
const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

/** Processes that make requests up; each has its share of the accounts. */
const processes = 4;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, accounts: { type: 'string', default: '64' } },
});

/** Python with what is needed, in a folder of its own. */
async function installPython() {
  await run('python3', ['-m', 'venv', join(work, 'venv')]);
  const python = join(work, 'venv', 'bin', 'python');
  const quiet = ['--quiet', '--disable-pip-version-check'];
  await run(python, ['-m', 'pip', 'install', ...quiet, '--no-deps', '-r', join(folder, 'requirements.txt')]);
  await run(python, ['-m', 'unittest', 'discover', '--quiet', '--start-directory', folder]);
  return python;
}

/** In the temporary folder, where schemathesis leaves notes. Not synchronous: the system's output is to be read meanwhile. */
function run(command, args, input = '') {
  const child = spawn(command, args, {
    cwd: work,
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)),
    );
  });
}

/** The built system on a fresh data folder. */
function startSystem() {
  const settings = {
    PORT: '0',
    SHELFWISE_DATA_DIR: dataDir,
    STORE_SOURCE: 'sample',
    SHELFWISE_DEMO_ACCOUNT: 'false',
  };
  const child = spawn(process.execPath, ['app/dist/main.js'], {
    cwd: root,
    env: { ...process.env, ...settings },
  });
  const exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        const url = output.match(/listens on (\S+)[\s\S]*Ctrl-C stops it/)?.[1];
        if (url !== undefined) resolve({ child, exit, url, output: () => output });
      });
    child.once('exit', () => reject(new Error(`the system ended:\n${output}`)));
  });
}

/** Keys of new accounts, made over the local socket as the account command makes them. */
async function createKeys(plan, count) {
  const keys = [];
  while (keys.length < count) {
    const command = { action: 'create', email: `${randomUUID()}@example.com`, plan };
    const { status, body } = await askHolder(controlSocketPath(dataDir), '/accounts', command);
    if (status !== 200) throw new Error(`an account could not be made: ${body.error}`);
    keys.push(body.result.key);
  }
  return keys;
}

function hasEnded({ child }) {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Of its memory; null where the operating system does not tell. */
function peakMebibytes(pid) {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const kibibytes = status.match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
}

/** What the system says of itself at the end: it must not have logged an error, and must stop when it is told to. */
async function stop({ child, output, exit }) {
  child.kill('SIGINT');
  const code = await exit;
  if (code !== 0) throw new Error(`the system ended with ${code}`);
  const errors = output().match(/^.*"level":[56]0.*$/gm);
  if (errors) throw new Error(`the system logged ${errors.length} errors, the first: ${errors[0]}`);
}

let system = null;
try {
  const python = await installPython();
  system = await startSystem();
  const setup = {
    url: system.url,
    seed: Number(values.seed),
    keys: await createKeys('unlimited', Number(values.accounts)),
    hasty_keys: await createKeys('unlimited', processes),
    free_key: (await createKeys('free', 1))[0],
  };
  await run(python, [join(folder, 'run.py')], JSON.stringify(setup));
  console.log(`the system took ${peakMebibytes(system.child.pid)} MiB at most`);
  await stop(system);
} catch (error) {
  console.error(error.message);
  if (system && hasEnded(system))
    console.error(`the system ended with ${await system.exit}: ${system.output()}`);
  process.exitCode = 1;
} finally {
  if (system && !hasEnded(system)) {
    system.child.kill('SIGKILL');
    await system.exit;
  }
  rmSync(work, { recursive: true, force: true });
}
