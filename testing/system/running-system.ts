/** A system that a test or a script has started. */
export type RunningSystem = {
  url: string;
  /** The server for operators; null without METRICS_PORT. */
  opsUrl: string | null;
  /** Null without a demo account. */
  key: string | null;
  /** What it has printed so far. */
  output(): string;
  /** Stops it as Ctrl-C does, and waits until it has ended. Returns the exit code. */
  end(): Promise<number | null>;
};

/** What a system prints when it is ready. */
export function describeSystem(output: string): Pick<RunningSystem, 'opsUrl' | 'key'> & { url: string } {
  const url = output.match(/Shelfwise listens on (http:\/\/[^\s.]+)/)?.[1];
  if (url === undefined) throw new Error(`the system has printed no address:\n${output}`);
  return {
    url,
    opsUrl: output.match(/Metrics +(http\S+)\/metrics/)?.[1] ?? null,
    key: output.match(/sw_live_\w+/)?.[0] ?? null,
  };
}
