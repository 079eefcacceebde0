import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type FakeStore,
  startFakeStore,
} from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { nodeArguments } from '../../testing/system/node-arguments.ts';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import type { RunningSystem } from '../../testing/system/running-system.ts';
import { storeAddresses } from '../../testing/system/stand-in.ts';
import { startSystemHere } from '../../testing/system/start-system-here.ts';
import { type SystemProcess, startSystemProcess } from '../../testing/system/system-process.ts';
import { account } from '../src/commands/account.ts';
import { backup } from '../src/commands/backup.ts';
import { calibrate } from '../src/commands/calibrate.ts';
import { events } from '../src/commands/events.ts';
import type { Command } from '../src/commands/lib/define-command.ts';
import { scores } from '../src/commands/scores.ts';
import { snapshot } from '../src/commands/snapshot.ts';

/**
 * Starts systems and commands on one data folder per test, and removes all of it afterwards. They run in this process,
 * which is much cheaper; tests of signals, crashes and exit codes start processes.
 */
export function useSystems() {
  let dataDir: string;
  const systems: RunningSystem[] = [];
  const processes: SystemProcess[] = [];
  const stores: FakeStore[] = [];
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
  });
  afterEach(async () => {
    // First, so that no system waits for a store that hangs.
    await Promise.all(stores.splice(0).map((store) => store.stop()));
    await stopAll();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function stopAll(): Promise<void> {
    await Promise.all(processes.splice(0).map((system) => system.end('SIGKILL')));
    await Promise.all(systems.splice(0).map((system) => system.end()));
  }

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

  const command =
    <Asked, Result>(definition: Command<Asked, Result>) =>
    (args: string[], settings?: Record<string, string>) =>
      runCommandHere(definition, args, { SHELFWISE_DATA_DIR: dataDir, ...settings });

  return {
    dataDir: () => dataDir,
    /** In this process, with `api` for its demo account. */
    async start(
      settings: Record<string, string> = {},
    ): Promise<Awaited<ReturnType<typeof startSystemHere>> & { api: Api }> {
      const system = await startSystemHere({ SHELFWISE_DATA_DIR: dataDir, ...settings });
      systems.push(system);
      return { ...system, api: createApi(system.url, system.key ?? '') };
    },
    async startProcess(settings: Record<string, string> = {}): Promise<SystemProcess> {
      const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir, ...settings });
      processes.push(system);
      return system;
    },
    /** A store for `live`, until the end of the test. */
    async startStore(): Promise<FakeStore> {
      const store = await startFakeStore();
      stores.push(store);
      return store;
    },
    stopAll,
    account: command(account),
    backup: command(backup),
    events: command(events),
    snapshot: command(snapshot),
    scores: command(scores),
    calibrate: command(calibrate),
    startCommand: (name: string, args: string[], settings?: Record<string, string>) =>
      startCommand(`app/src/commands/${name}.ts`, args, settings),
  };
}

/** One system in this process for all tests of a file, with a data folder of its own and the settings that `choose` returns. */
export function useSharedSystem(choose: () => Promise<Record<string, string>> = async () => ({})) {
  let dataDir: string;
  let settings: Record<string, string>;
  let system: Awaited<ReturnType<typeof startSystemHere>>;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
    settings = { SHELFWISE_DATA_DIR: dataDir, ...(await choose()) };
    system = await startSystemHere(settings);
  });
  afterAll(async () => {
    await system?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir: () => dataDir,
    system: () => system,
    /** For the demo account. */
    api: () => createApi(system.url, system.key ?? ''),
    async restart(): Promise<void> {
      await system.end();
      system = await startSystemHere(settings);
    },
  };
}

/** Runs a shell script; where there is no curl, with curl-stand-in.mjs, which takes ten times as long. */
export async function runInShell(script: string): Promise<string> {
  const standIn = `curl() { '${process.execPath}' app/test/curl-stand-in.mjs "$@"; }`;
  const withCurl = `command -v curl > /dev/null || ${standIn}\n${script}`;
  const env = { ...process.env, no_proxy: '*' };
  return (await promisify(execFile)('sh', ['-c', withCurl], { env, encoding: 'utf8' })).stdout;
}

/** Tracks an app and three keywords with the demo account, as the calls of the banner do. Returns the list of keywords. */
export async function trackExample({ url, key }: Pick<RunningSystem, 'url' | 'key'>) {
  const api = createApi(url, key ?? '');
  const app = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
  const keywords = ['habit tracker', 'daily planner', 'routine'];
  await api('POST', '/keywords', { app_id: app.body.data.id, keywords, ...storefront });
  return (await api('GET', '/keywords')).body.data;
}

/** Runs the curl lines of the banner unchanged and returns their answers. */
export async function paste(output: string) {
  const lines = output.split('\n').map((line) => line.trim());
  const answers = [];
  for (const call of lines.filter((line) => line.startsWith('curl ')))
    answers.push(JSON.parse(await runInShell(call)));
  return answers;
}

/** Settings for the live source with both stores at this address, with budgets of calls that no test waits for. */
export const live = (url: string) => ({
  ...storeAddresses(url),
  STORE_SOURCE: 'live',
  STORE_TIMEOUT_MS: '3000',
  STORE_ITUNES_PER_MINUTE: '6000',
  STORE_ITUNES_PAGES_PER_MINUTE: '6000',
  STORE_ITUNES_HINTS_PER_MINUTE: '6000',
  STORE_PLAY_PER_MINUTE: '6000',
  SHELFWISE_DEMO_ACCOUNT: 'true',
});

/** The number of App Store searches for a term. Tracking an app also searches for the words of its listing. */
export function searchesFor(store: FakeStore, term: string): number {
  return store.calls().filter(({ path, query }) => path === '/search' && query.term === term).length;
}

export const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
