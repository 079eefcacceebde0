import { Readable, Writable } from 'node:stream';
import type { CliHost } from '../../src/cli-host.ts';
import { runCli } from '../../src/run-cli.ts';

export type CliResult = { code: number; stdout: string; stderr: string };

/**
 * Runs a command line in this process, with these settings alone. A pause ends at once.
 * @param options.onPause what passes the time of a pause
 */
export async function runCliHere(
  args: readonly string[],
  options: Partial<Pick<CliHost, 'env' | 'homeDir' | 'fetch'>> & {
    input?: string | Buffer;
    signal?: AbortSignal;
    /** The width of the terminal; absent: the output is none. */
    columns?: number;
    onPause?(ms: number): void;
  } = {},
): Promise<CliResult> {
  const { env = {}, homeDir = '/nonexistent', input = '', columns, signal, onPause } = options;
  const written = { stdout: '', stderr: '' };
  const sink = (onText: (text: string) => void) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          onText(String(chunk));
          done();
        },
      }),
      columns === undefined ? {} : { isTTY: true, columns },
    );
  let now = 0;
  const code = await runCli({
    args,
    env,
    homeDir,
    stdin: Object.assign(Readable.from([input]), { isTTY: columns !== undefined }),
    stdout: sink((text) => {
      written.stdout += text;
    }),
    stderr: sink((text) => {
      written.stderr += text;
    }),
    fetch: options.fetch ?? fetch,
    clock: {
      nowMs: () => now,
      async pause(ms, stop) {
        await new Promise((resolve) => setImmediate(resolve));
        stop.throwIfAborted();
        now += ms;
        onPause?.(ms);
      },
      every: () => () => {},
    },
    watchSignals: () => signal ?? new AbortController().signal,
  });
  return { code, ...written };
}
