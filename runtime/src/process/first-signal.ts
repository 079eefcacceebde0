/** npm passes a Ctrl-C on to a process that has already received it from the terminal. Both count as one signal. */
const sameSignalMs = 1000;
/** Longer than a normal drain and shutdown. */
export const defaultStopWithinMs = 10_000;
/** Seldom, because it wakes an idle process. */
const parentPollMs = 1000;

export type SignalHost = Pick<NodeJS.Process, 'on' | 'exit' | 'ppid'>;

/**
 * Fires with the first SIGINT or SIGTERM. A second signal, or `stopWithinMs`, ends the process immediately with exit
 * code 1. `onTimeout` is called before the exit after that time.
 */
export function firstSignal(
  host: SignalHost,
  options: {
    onTimeout?: (withinSeconds: number) => void;
    /** npm starts a shell that does not pass on SIGTERM. Then the exit of the parent counts as a signal. */
    isStartedByNpm?: boolean;
    /** After this time the process ends in any case; default: ten seconds. */
    stopWithinMs?: number;
  } = {},
): AbortSignal {
  const { stopWithinMs = defaultStopWithinMs } = options;
  const first = new AbortController();
  let firstAtMs: number | null = null;
  const onSignal = () => {
    if (firstAtMs !== null) {
      if (performance.now() - firstAtMs > sameSignalMs) host.exit(1);
      return;
    }
    firstAtMs = performance.now();
    setTimeout(() => {
      options.onTimeout?.(stopWithinMs / 1000);
      host.exit(1);
    }, stopWithinMs).unref();
    first.abort();
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  if (options.isStartedByNpm) onParentExit(host, onSignal);
  return first.signal;
}

function onParentExit(host: Pick<NodeJS.Process, 'ppid'>, onExit: () => void): void {
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, parentPollMs).unref();
}
