#!/usr/bin/env node
// Tests the OpenAPI document with schemathesis: thousands of generated requests to the whole system, with many
// accounts and the rate windows on. Needs python3 and a package index for requirements.txt.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callControlSocket } from '@shelfwise/app/data-folder/control-socket';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '64' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log('Usage: node experiments/schemathesis/schemathesis.mjs [--seed 1] [--accounts 64]');
  process.exit(0);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'shelfwise-schemathesis-'));
const dataDir = join(work, 'data');
const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

/** Processes that generate requests. The accounts are divided among them. */
const processes = 4;

/** Installs the requirements into a temporary virtual environment and runs the Python unit tests. */
async function installPython() {
  await run('python3', ['-m', 'venv', join(work, 'venv')]);
  const python = join(work, 'venv', 'bin', 'python');
  const quiet = ['--quiet', '--disable-pip-version-check'];
  await run(python, ['-m', 'pip', 'install', ...quiet, '--no-deps', '-r', join(folder, 'requirements.txt')]);
  await run(python, ['-m', 'unittest', 'discover', '--quiet', '--start-directory', folder]);
  return python;
}

/**
 * Runs in the temporary folder, because schemathesis writes files. Asynchronous, so that the output of the system is
 * read.
 */
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

/** Starts the built system on a new data folder. */
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

/** Creates accounts over the control socket and returns their keys. */
async function createKeys(plan, count) {
  const keys = [];
  while (keys.length < count) {
    const command = { action: 'create', email: `${randomUUID()}@example.com`, plan };
    const { status, body } = await callControlSocket(controlSocketPath(dataDir), '/accounts', command);
    if (status !== 200) throw new Error(`an account could not be created: ${body.error}`);
    keys.push(body.result.key);
  }
  return keys;
}

function hasEnded({ child }) {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The peak memory of a process; null when the operating system does not report it. */
function peakMebibytes(pid) {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const kibibytes = status.match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
}

/** The system must not have logged an error, and must exit with 0 on SIGINT. */
async function stop({ child, output, exit }) {
  child.kill('SIGINT');
  const code = await exit;
  if (code !== 0) throw new Error(`the system exited with ${code}`);
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
    burst_keys: await createKeys('unlimited', processes),
    free_key: (await createKeys('free', 1))[0],
  };
  await run(python, [join(folder, 'run.py')], JSON.stringify(setup));
  console.log(`peak memory of the system: ${peakMebibytes(system.child.pid)} MiB`);
  await stop(system);
} catch (error) {
  console.error(error.message);
  if (system && hasEnded(system))
    console.error(`the system exited with ${await system.exit}: ${system.output()}`);
  process.exitCode = 1;
} finally {
  if (system && !hasEnded(system)) {
    system.child.kill('SIGKILL');
    await system.exit;
  }
  rmSync(work, { recursive: true, force: true });
}
