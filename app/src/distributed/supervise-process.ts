import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type RetryDelays, retryDelayMs } from '@shelfwise/runtime/jobs/retry-delay';
import { StartError } from '@shelfwise/runtime/process/start-error';

/** A process that is started again when it ends by itself. */
export type SupervisedProcess = {
  name: string;
  /** Resolves with the line that says where it listens. Rejects when it ends before that. */
  listens: Promise<string>;
  /** Sends SIGTERM and waits until it has ended, killed after 12 s. */
  stop(): Promise<void>;
  /** Ends it without waiting. */
  kill(): void;
};

/** A process ends itself ten seconds after a signal. */
const killAfterMs = 12_000;
const restartDelays: RetryDelays = { firstMs: 1000, longestMs: 10_000 };
/** After this time an end no longer counts. */
const forgottenAfterMs = 60_000;

/**
 * Starts a process and passes its output on line by line. Once it has listened, it is started again whenever it ends: after
 * a second, and after longer when it ends again and again within a minute.
 */
export function superviseProcess(options: {
  name: string;
  spawn: () => ChildProcess;
  /** Shows a line of the process, or about it. */
  print: (line: string) => void;
}): SupervisedProcess {
  const { name, spawn, print } = options;
  let child: ChildProcess;
  let isStopping = false;
  /** How often it ended, each time within a minute. */
  let ends = 0;
  let restartTimer: NodeJS.Timeout | undefined;
  let ended: Promise<void>;
  const listens = new Promise<string>((resolve, reject) => start({ resolve, reject }));

  function start(first: { resolve(line: string): void; reject(reason: Error): void } | null): void {
    const startedAtMs = performance.now();
    let hasListened = false;
    child = spawn();
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        print(line);
        if (hasListened || !line.includes(' listens on ')) return;
        hasListened = true;
        first?.resolve(line);
      });
    }
    ended = new Promise((resolve) => {
      const onEnd = (reason: string) => {
        resolve();
        if (isStopping) return;
        if (first && !hasListened)
          return first.reject(new StartError(`${name} ${reason} before it was ready: see above.`));
        if (performance.now() - startedAtMs > forgottenAfterMs) ends = 0;
        const delayMs = retryDelayMs(++ends, () => 0, restartDelays);
        print(`${reason}; starting again in ${delayMs / 1000} s`);
        restartTimer = setTimeout(() => start(null), delayMs);
      };
      child.once('error', (error) => onEnd(`cannot be started (${error.message})`));
      child.once('exit', (code, signal) => onEnd(`ended with ${signal ?? `exit code ${code}`}`));
    });
  }

  return {
    name,
    listens,
    async stop() {
      isStopping = true;
      clearTimeout(restartTimer);
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await ended;
      clearTimeout(timer);
    },
    kill() {
      isStopping = true;
      clearTimeout(restartTimer);
      child.kill('SIGKILL');
    },
  };
}
