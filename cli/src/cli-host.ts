import type { Writable } from 'node:stream';

export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What the command line needs of its process. A test gives its own. */
export type CliHost = {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Of the user, for the default key file. */
  homeDir: string;
  /** What is piped in, or typed. */
  stdin: AsyncIterable<Buffer | string> & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  fetch: typeof fetch;
  clock: Clock;
  /** Fires with the first SIGINT or SIGTERM. */
  watchSignals(): AbortSignal;
};

export type Clock = {
  /** Never goes back. */
  nowMs(): number;
  /** @throws the reason of the signal */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back again and again. Returns what ends it. */
  every(ms: number, callback: () => void): () => void;
};
