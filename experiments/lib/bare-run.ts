import type { ChildProcess } from 'node:child_process';
import { firstMessage, forkProgram } from './fork-program.ts';
import { quantile } from './quantile.ts';

const everyMs = 100;
/** Far longer than a busy machine needs. */
const giveUpMs = 60_000;

/** The bare server. It needs nothing but Node. */
export const bareProgram = new URL('bare-server.mjs', import.meta.url);

/** Times in ms, of all calls, also failed ones; NaN without calls. `held`: the longest time for which its event loop was held. */
export type BareFigures = { calls: number; p99: number; max: number; held: number; failed: number };

/**
 * Calls a bare server in a process of its own, ten times a second, while this process measures something else. The bare
 * server does no work: its times are what a call waits for a processor in these minutes. They tell a slow machine from a
 * slow system (`judgeOnMachine`).
 * @param givenUrl one that runs already, where what is measured runs, too: with the same share of the processors
 */
export async function startBareRun(givenUrl?: string) {
  const server = givenUrl === undefined ? forkProgram(bareProgram) : null;
  const url = givenUrl ?? `http://127.0.0.1:${await firstMessage<number>(server as ChildProcess)}`;
  const pending = new Set<Promise<void>>();
  let times: number[] = [];
  let held = 0;
  let failed = 0;

  async function call(): Promise<void> {
    const sentAt = performance.now();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(giveUpMs) });
      held = Math.max(held, Number(await response.text()));
    } catch {
      failed++;
    }
    times.push(performance.now() - sentAt);
  }

  /** The figures of the calls that have ended since the last reading. */
  function read(): BareFigures {
    const [p99, max] = [quantile(times, 0.99), quantile(times, 1)];
    const figures = { calls: times.length, p99, max, held, failed };
    times = [];
    held = 0;
    failed = 0;
    return figures;
  }

  // The first call opens a connection, and compiles code.
  await call();
  read();
  const timer = setInterval(() => {
    const one = call().finally(() => pending.delete(one));
    pending.add(one);
  }, everyMs);
  return {
    read,
    async stop(): Promise<BareFigures> {
      clearInterval(timer);
      await Promise.all(pending);
      server?.disconnect();
      return read();
    },
  };
}
