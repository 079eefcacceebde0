/** npm passes a Ctrl-C on to a process that the terminal has told already: both are one signal. */
const sameSignalMs = 1000;
/** Longer than it takes to drain and close. */
const endWithinMs = 10_000;

/** Fires with the first SIGINT or SIGTERM. A second one, or ten seconds, ends the process at once. */
export function interruption(host: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const controller = new AbortController();
  let firstAtMs: number | null = null;
  const onSignal = () => {
    if (firstAtMs !== null) {
      if (performance.now() - firstAtMs > sameSignalMs) host.exit(1);
      return;
    }
    firstAtMs = performance.now();
    setTimeout(() => host.exit(1), endWithinMs).unref();
    controller.abort();
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  return controller.signal;
}
