import { firstMessage, forkProgram } from '../../experiments/lib/fork-program.ts';

/** Starts `bare-express.ts` in a process of its own. @param bodies its answers, by route */
export async function startBareExpress(bodies: Record<string, object>) {
  const child = forkProgram(new URL('bare-express.ts', import.meta.url));
  child.send(bodies);
  const port = await firstMessage<number>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: () => child.disconnect(),
  };
}
