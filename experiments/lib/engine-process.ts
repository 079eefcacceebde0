import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An engine that `deploy/without-docker/engines/infra.sh` has started, which an experiment kills and freezes. */
export type EngineProcess = {
  pid(): number;
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Stops it in an orderly way. */
  terminate(): Promise<void>;
  /** Starts it again after `kill` or `terminate`. Resolves when it accepts connections. */
  restart(): Promise<void>;
};

/** @param startAgain starts every process whose pid file is missing */
export function createEngineProcess(deps: {
  pidFile: string;
  port: number;
  startAgain: () => Promise<unknown>;
}): EngineProcess {
  const { pidFile, port, startAgain } = deps;
  const pid = () => {
    const written = Number(readFileSync(pidFile, 'utf8'));
    // 0 would be the process group of this script.
    if (!(written > 1)) throw new Error(`${pidFile} has no process id`);
    return written;
  };
  /** The engine and what started it are one process group. */
  const signal = (name: NodeJS.Signals) => process.kill(-pid(), name);
  return {
    pid,
    kill() {
      signal('SIGKILL');
      // In a container without an init process, the killed one would count as running.
      rmSync(pidFile);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async terminate() {
      signal('SIGTERM');
      while (isAlive(pid())) await sleep(50);
      rmSync(pidFile);
    },
    async restart() {
      await startAgain();
      while (!(await isOpen(port))) await sleep(50);
    },
  };
}

/** False also for an ended process that its parent has not collected. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
