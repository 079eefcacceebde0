import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { storeAddresses } from '../../testing/system/stand-in.ts';
import { type SystemProcess, startSystemProcess } from '../../testing/system/system-process.ts';

/** Systems and commands as processes of their own, on a data folder per test. All of it is gone after the test. */
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

  /** A command in a process of its own; like a shell, what it printed and its exit code. */
  function startCommand(entry: string, words: string[], settings: Record<string, string> = {}) {
    const args = [...nodeArguments(entry), ...words];
    const env = { ...process.env, SHELFWISE_DATA_DIR: dataDir, ...settings };
    const child = spawn(process.execPath, args, { env });
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk));
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      result: closed.then(([code]) => ({ code, ...printed })),
      interrupt: () => child.kill('SIGINT'),
      /** Until it has said so on stderr; rejects when it ends before. */
      said: (pattern: RegExp) =>
        new Promise<void>((resolve, reject) => {
          const look = () => pattern.test(printed.stderr) && resolve();
          child.stderr.on('data', look);
          look();
          void closed.then(() => reject(new Error(`it ended before: ${printed.stderr}`)));
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
    account: (words: string[], settings?: Record<string, string>) =>
      startCommand('app/src/account.ts', words, settings).result,
    snapshot: (words: string[], settings?: Record<string, string>) =>
      startCommand('app/src/snapshot.ts', words, settings).result,
    scores: (words: string[], settings?: Record<string, string>) =>
      startCommand('app/src/scores.ts', words, settings).result,
    startSnapshot: (words: string[], settings?: Record<string, string>) =>
      startCommand('app/src/snapshot.ts', words, settings),
  };
}

/** Runs lines of shell as they stand; see the stand-in for why curl is not the system's. */
export function runInShell(script: string): string {
  const standIn = `curl() { '${process.execPath}' app/test/curl-stand-in.mjs "$@"; }`;
  return execFileSync('sh', ['-c', `${standIn}\n${script}`], { encoding: 'utf8' });
}

/** The calls that the start prints, run by a shell as they stand. */
export function paste(output: string) {
  const lines = output.split('\n').map((line) => line.trim());
  const calls = lines.filter((line) => line.startsWith('curl '));
  return calls.map((call) => JSON.parse(runInShell(call)));
}

/** Settings that read the stores on this address. */
export const live = (url: string) => ({
  ...storeAddresses(url),
  STORE_SOURCE: 'live',
  STORE_TIMEOUT_MS: '3000',
  SHELFWISE_DEMO_ACCOUNT: 'true',
});

/** How often the App Store was searched for a term; the words of an app that is tracked are searched for too. */
export function searchesFor(store: FakeStore, term: string): number {
  return store.calls().filter(({ path, query }) => path === '/search' && query.term === term).length;
}

export const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
