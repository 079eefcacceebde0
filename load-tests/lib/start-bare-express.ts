import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts `bare-express.ts` in a process of its own. @param bodies its answers, by route */
export async function startBareExpress(bodies: Record<string, object>) {
  const file = fileURLToPath(new URL('./bare-express.ts', import.meta.url));
  const child = fork(file, [], { execArgv: ['--import', 'tsx', '--conditions=source'] });
  child.send(bodies);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: () => child.disconnect(),
  };
}
