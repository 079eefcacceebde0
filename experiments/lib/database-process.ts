import { once } from 'node:events';
import type { EngineProcess } from './engine-process.ts';
import { firstMessage, forkProgram } from './fork-program.ts';

export type DatabaseProcess = Pick<EngineProcess, 'kill' | 'freeze' | 'thaw' | 'restart'> & {
  uri: string;
  pid(): number;
  stop(): Promise<void>;
};

/** The embedded database in a process of its own, which ends with this one. */
export async function startDatabaseProcess(dataDir: string): Promise<DatabaseProcess> {
  let uri = '';
  const start = async () => {
    const started = forkProgram(new URL('embedded-database.ts', import.meta.url), dataDir);
    uri = await firstMessage<string>(started);
    started.once('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && !isStopping) console.error(`the database ended: ${code ?? signal}`);
    });
    return started;
  };
  let isStopping = false;
  let child = await start();
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    uri,
    pid: () => child.pid as number,
    kill: end,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      child = await start();
    },
    async stop() {
      isStopping = true;
      process.off('exit', end);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
