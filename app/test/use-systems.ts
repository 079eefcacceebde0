import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { storeAddresses } from '../../testing/system/stand-in.ts';
import { type SystemProcess, startSystemProcess } from '../../testing/system/system-process.ts';

/** Starts systems and commands as separate processes on one data folder per test, and removes all of it afterwards. */
export function useSystems() {
  let dataDir: string;
  const systems: SystemProcess[] = [];
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
  });
  afterEach(async () => {
    await Promise.all(systems.splice(0).map((system) => system.end('SIGKILL')));
    rmSync(dataDir, { recursive: true, force: true });
  });

  function startCommand(entry: string, commandArgs: string[], settings: Record<string, string> = {}) {
    const args = [...nodeArguments(entry), ...commandArgs];
    const env = { ...process.env, SHELFWISE_DATA_DIR: dataDir, ...settings };
    const child = spawn(process.execPath, args, { env });
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk));
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      result: closed.then(([code]) => ({ code, ...printed })),
      interrupt: () => child.kill('SIGINT'),
      /** Resolves once stderr matches; rejects when the command ends first. */
      waitForStderr: (pattern: RegExp) =>
        new Promise<void>((resolve, reject) => {
          const check = () => pattern.test(printed.stderr) && resolve();
          child.stderr.on('data', check);
          check();
          void closed.then(() => reject(new Error(`the command ended first: ${printed.stderr}`)));
        }),
    };
  }

  return {
    dataDir: () => dataDir,
    async start(settings: Record<string, string> = {}): Promise<SystemProcess> {
      const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir, ...settings });
      systems.push(system);
      return system;
    },
    stopAll: () => Promise.all(systems.splice(0).map((system) => system.end('SIGINT'))),
    account: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/account.ts', args, settings).result,
    backup: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/backup.ts', args, settings).result,
    snapshot: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/snapshot.ts', args, settings).result,
    scores: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/scores.ts', args, settings).result,
    calibrate: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/calibrate.ts', args, settings).result,
    startCalibrate: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/calibrate.ts', args, settings),
    startSnapshot: (args: string[], settings?: Record<string, string>) =>
      startCommand('app/src/commands/snapshot.ts', args, settings),
  };
}

/** Runs a shell script with curl-stand-in.mjs in place of curl. */
export function runInShell(script: string): string {
  const standIn = `curl() { '${process.execPath}' app/test/curl-stand-in.mjs "$@"; }`;
  return execFileSync('sh', ['-c', `${standIn}\n${script}`], { encoding: 'utf8' });
}

/** Runs the curl lines of the banner unchanged and returns their answers. */
export function paste(output: string) {
  const lines = output.split('\n').map((line) => line.trim());
  const calls = lines.filter((line) => line.startsWith('curl '));
  return calls.map((call) => JSON.parse(runInShell(call)));
}

/** Settings for the live source with both stores at this address. */
export const live = (url: string) => ({
  ...storeAddresses(url),
  STORE_SOURCE: 'live',
  STORE_TIMEOUT_MS: '3000',
  SHELFWISE_DEMO_ACCOUNT: 'true',
});

/** The number of App Store searches for a term. Tracking an app also searches for the words of its listing. */
export function searchesFor(store: FakeStore, term: string): number {
  return store.calls().filter(({ path, query }) => path === '/search' && query.term === term).length;
}

export const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
