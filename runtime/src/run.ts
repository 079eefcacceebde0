import type { Logger } from './logger.ts';

/** Something that runs: started in order, stopped in the reverse order. */
export type Part = {
  name: string;
  start(): Promise<void>;
  /** Takes nothing new, finishes what is in flight, lets go of what it holds. */
  stop(): Promise<void>;
};

export type Run = {
  /** Resolves with the exit code once everything has stopped. */
  ended: Promise<number>;
  /** Stops everything; a later call changes nothing. */
  stop(exitCode: number): void;
};

/** Everything must have stopped this long after the first signal. */
const stopWithinMs = 10_000;

/**
 * Starts the parts in order. When one fails to start, those that run are stopped again.
 * @throws what the failing part threw
 */
export async function startParts(parts: readonly Part[], logger: Logger): Promise<Run> {
  const started: Part[] = [];
  for (const part of parts) {
    try {
      await part.start();
      started.push(part);
    } catch (error) {
      await stopParts(started, logger);
      throw error;
    }
  }
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let isStopping = false;
  return {
    ended,
    stop(exitCode) {
      if (isStopping) return;
      isStopping = true;
      stopParts(started, logger).then(
        (isClean) => end(isClean ? exitCode : 1),
        () => end(1),
      );
    },
  };
}

async function stopParts(parts: readonly Part[], logger: Logger): Promise<boolean> {
  let isClean = true;
  for (const part of [...parts].reverse()) {
    try {
      await part.stop();
    } catch (error) {
      isClean = false;
      logger.error({ err: error, part: part.name }, 'did not stop cleanly');
    }
  }
  return isClean;
}

/**
 * Runs until SIGINT or SIGTERM, then drains. A second signal, or ten seconds, ends the process at once.
 * `onDraining` is told as soon as the first signal comes.
 */
export async function runUntilSignal(
  host: NodeJS.Process,
  run: Run,
  logger: Logger,
  onDraining: () => void = () => {},
): Promise<void> {
  let signals = 0;
  const onSignal = () => {
    signals++;
    if (signals > 1) host.exit(1);
    onDraining();
    setTimeout(() => {
      logger.error(`did not stop within ${stopWithinMs / 1000} s, ending now`);
      host.exit(1);
    }, stopWithinMs).unref();
    run.stop(0);
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  host.exit(await run.ended);
}
