import { setTimeout as sleep } from 'node:timers/promises';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { type Api, createApi } from '../../testing/system/api.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { createAccounts } from '../lib/create-accounts.ts';
import { embeddedDatabaseUri } from '../lib/open-embedded-database.ts';
import { readUsage } from '../lib/process-figures.ts';
import { quantile } from '../lib/quantile.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { defineTimes } from './define-times.ts';
import { appId, send, storefront } from './on-sample.ts';

/** The goals: CPU of a call with all that follows, in ms. */
const goals: Readonly<Record<string, number>> = { 'track a word': 20, 'remove a word': 10 };

/** A process is quiet when it takes less than this share of a core in three windows in a row. */
const quietShare = 0.04;
const quietWindowMs = 500;

type Subscriber = { api: Api; id: number };
type Call = () => Promise<unknown>;

export const times = defineTimes({
  name: 'known-words',
  question:
    'What do tracking a word that is scored today and removing it take of npm start, with all that follows?',
  options: {
    rounds: [3, 'rounds', [1, 20]],
    words: [3, 'words that every account tracks and removes', [1, 20]],
    accounts: [140, 'accounts, which call in turn', [10, 500]],
  },
  async run({ rounds, words: wordCount, accounts }) {
    const dataDir = temporaryFolder('known-words');
    const system = await startSystemProcess({ SHELFWISE_DATA_DIR: dataDir });
    try {
      const created = await createAccounts(embeddedDatabaseUri(dataDir), accounts + 1);
      const subscribers: Subscriber[] = [];
      for (const { key } of created) {
        const api = createApi(system.url, key, { isPlain: true, isPatient: true });
        const { data } = await send(api, 'POST', '/applications', { app_id: appId, ...storefront });
        subscribers.push({ api, id: data.id });
      }
      const words = Array.from({ length: wordCount }, (_, index) => `habit tracker ${index}`);
      const track = ({ api, id }: Subscriber, keywords: readonly string[]) =>
        send(api, 'POST', '/keywords', { keywords, app_id: id, ...storefront });
      const [first, ...others] = subscribers as [Subscriber, ...Subscriber[]];
      await track(first, words);
      const inTurns = (call: (who: Subscriber, word: string) => Promise<unknown>): Call[] =>
        words.flatMap((word) => others.map((who) => () => call(who, word)));

      const figures = new Map<string, number[]>();
      const measure = async (name: string, calls: readonly Call[]) => {
        const before = await untilQuiet(system.pid);
        for (const call of calls) await call();
        const cpuMs = ((await untilQuiet(system.pid)) - before) / calls.length;
        figures.set(name, [...(figures.get(name) ?? []), cpuMs]);
      };
      for (let round = 0; round < rounds; round++) {
        await measure(
          'usage',
          inTurns(({ api }) => send(api, 'GET', '/account/usage')),
        );
        await measure(
          'track a word',
          inTurns((who, word) => track(who, [word])),
        );
        await measure('remove a word', await listRemovals(others));
      }
      print(figures, words.length * others.length);
    } finally {
      await system.end('SIGTERM');
    }
  },
});

/** A call for each keyword, one of each account after the other. */
async function listRemovals(accounts: readonly Subscriber[]): Promise<Call[]> {
  const removals: Call[][] = [];
  for (const { api, id } of accounts) {
    const { data } = await send(api, 'GET', '/keywords?per_page=100');
    for (const [index, { keyword_id: keywordId }] of data.entries()) {
      const call = () => send(api, 'DELETE', `/keywords/${keywordId}/apps/${id}`);
      removals[index] = [...(removals[index] ?? []), call];
    }
  }
  return removals.flat();
}

/** Waits for what follows from the calls. @returns the CPU time of the process, in ms */
async function untilQuiet(pid: number): Promise<number> {
  let cpuMs = readUsage(pid).cpuMs;
  for (let quiet = 0; quiet < 3; ) {
    await sleep(quietWindowMs);
    const now = readUsage(pid).cpuMs;
    quiet = now - cpuMs < quietWindowMs * quietShare ? quiet + 1 : 0;
    cpuMs = now;
  }
  return cpuMs;
}

function print(figures: ReadonlyMap<string, readonly number[]>, calls: number): void {
  const of = (name: string) => quantile(figures.get(name) ?? [], 0.5);
  const rows = [...figures].map(([name, all]) => {
    const goal = goals[name];
    return [
      name,
      of(name).toFixed(1),
      all.map((one) => one.toFixed(1)).join(' '),
      `x${(of(name) / of('usage')).toFixed(1)}`,
      goal === undefined ? '' : `${goal}: ${of(name) <= goal ? 'reached' : 'MISSED'}`,
    ];
  });
  console.log(`${calls} calls of each, one at a time`);
  console.log(formatTable(['call', 'CPU ms', 'by round', 'of usage', 'goal'], rows));
}
