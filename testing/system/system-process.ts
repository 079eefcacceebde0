import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeArguments } from './node-arguments.ts';
import { describeSystem, type RunningSystem } from './running-system.ts';

export type SystemProcess = Omit<RunningSystem, 'end'> & {
  pid: number;
  startedInMs: number;
  /** Sends the signal and waits until the process has ended. */
  end(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
};

/** Starts the whole system as `npm start` does and waits until it is ready. Call it in the repository root. */
export async function startSystemProcess(
  settings: Record<string, string>,
  entry = 'app/src/main.ts',
): Promise<SystemProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, nodeArguments(entry), {
    env: { ...process.env, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await untilReady(child, () => output);
  return {
    ...describeSystem(output),
    pid: child.pid as number,
    output: () => output,
    startedInMs: performance.now() - startedAt,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** The banner is printed whole. */
function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const checkOutput = () => {
      if (output().includes('Ctrl-C stops it.')) resolve();
    };
    child.stdout?.on('data', checkOutput);
    child.once('exit', (code) => reject(new Error(`the system ended with ${code}:\n${output()}`)));
  });
}
