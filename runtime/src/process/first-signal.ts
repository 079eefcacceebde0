/** npm passes a Ctrl-C on to a process that the terminal has told already: both are one signal. */
const sameSignalMs = 1000;
/** Longer than it takes to drain and close. */
const stopWithinMs = 10_000;
const lookForParentMs = 250;

export type SignalHost = Pick<NodeJS.Process, 'on' | 'exit' | 'ppid'>;

/**
 * Fires with the first SIGINT or SIGTERM. A second one, or ten seconds, ends the process at once with exit code 1;
 * `onLate` is told before the ten seconds do.
 */
export function firstSignal(
  host: SignalHost,
  options: {
    onTimeout?: (withinSeconds: number) => void;
    /** npm starts a shell that does not pass SIGTERM on: then the parent's end counts as a signal. */
    isStartedByNpm?: boolean;
  } = {},
): AbortSignal {
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
  if (options.isStartedByNpm) onceParentIsGone(host, onSignal);
  return first.signal;
}

function onceParentIsGone(host: Pick<NodeJS.Process, 'ppid'>, tell: () => void): void {
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid === parent) return;
    clearInterval(timer);
    tell();
  }, lookForParentMs).unref();
}
