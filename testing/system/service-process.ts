import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeArguments } from './node-arguments.ts';

export type ServiceProcess = {
  /** The output until the service listened or ended. */
  line: string;
  /** The gRPC address as host:port. */
  address: string;
  pid: number | undefined;
  output(): string;
  /** Sends the signal and waits until the process has ended. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
};

/** Starts one service with these settings only and waits until it listens or ends. Call it in the repository root. */
export async function startServiceProcess(
  entry: string,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, nodeArguments(entry), { env: { PATH, ...settings } });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  let output = '';
  const exited = once(child, 'exit');
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (isListening(output)) resolve();
      });
  });
  await Promise.race([exited, listening]);
  return {
    line: output,
    address: addressIn(output),
    pid: child.pid,
    output: () => output,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** Whether the service has printed where it listens. */
export function isListening(output: string): boolean {
  return / listens on .*\n/.test(output);
}

/** The gRPC address that it has printed; empty before. */
export function addressIn(output: string): string {
  return output.match(/127(?:\.\d+){3}:\d+/)?.[0] ?? '';
}
