import type { Logger } from '../log/logger.ts';
import { defaultStopWithinMs, firstSignal, type SignalHost } from './first-signal.ts';

/** A component of a process with a start and a stop, such as a server. */
export type Part = {
  name: string;
  start(): Promise<void>;
  /** Accepts nothing new, finishes work in progress and releases resources. */
  stop(): Promise<void>;
};

/** A part that also works on its own, without requests. */
export type DrainingPart = Part & {
  /**
   * Called before the process stops: the part starts no new work of its own but still answers requests. `stop`
   * follows later and also works without this call.
   */
  announceDraining(): void;
};

/** The started parts of a process. They stop in the reverse order of their start. */
export type Run = {
  /** Starts a part, which stops with the run. */
  start<P extends Part>(part: P): Promise<P>;
  /** Registers a resource that is already open, to be closed at the stop. */
  onStop(name: string, close: () => Promise<unknown>): void;
  /** Starts to stop all parts. `exitCode` is for a clean stop. Later calls do nothing. */
  stop(exitCode: number): void;
  /**
   * Ends the process, because it cannot work any more: reports the reason and stops all parts. `ended` is 1 after five
   * seconds at the latest, because a part may wait for what has failed.
   */
  fail(failure: { sentence: string; cause: unknown }): void;
  /** Resolves with the exit code once all parts have stopped; 1 when one did not stop cleanly. */
  ended: Promise<number>;
};

const stopAfterFailureMs = 5000;

/** @param printFailure shows the operator why the process ends; the log has the reason in any case */
export function createRun(logger: Logger, printFailure: (sentence: string) => void = () => {}): Run {
  const started: Pick<Part, 'name' | 'stop'>[] = [];
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let isStopping = false;
  let failure: string | null = null;

  /** The reason of a failure is printed last, below what the parts log while they stop. */
  function finish(exitCode: number): void {
    if (failure !== null) printFailure(failure);
    failure = null;
    end(exitCode);
  }

  function stop(exitCode: number): void {
    if (isStopping) return;
    isStopping = true;
    stopAll(started, logger).then(
      (isClean) => finish(isClean ? exitCode : 1),
      () => finish(1),
    );
  }

  return {
    ended,
    async start(part) {
      await part.start();
      started.push(part);
      return part;
    },
    onStop(name, close) {
      started.push({
        name,
        stop: async () => {
          await close();
        },
      });
    },
    stop,
    fail({ sentence, cause }) {
      logger.fatal({ err: cause }, sentence);
      failure = sentence;
      setTimeout(() => finish(1), stopAfterFailureMs);
      stop(1);
    },
  };
}

async function stopAll(parts: readonly Pick<Part, 'name' | 'stop'>[], logger: Logger): Promise<boolean> {
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

export type RunOptions = {
  /** Called at the first signal. */
  onDraining?: () => void;
  /**
   * How long all parts still answer after the first signal, so that load balancers see the health page and stop
   * sending requests. The default is 0.
   */
  lingerMs?: number;
  /** npm starts a shell that does not pass on SIGTERM. Then the exit of the parent counts as a signal. */
  isStartedByNpm?: boolean;
};

/**
 * Runs until SIGINT or SIGTERM, then drains and ends the process. A second signal, or ten seconds after `lingerMs`, ends it
 * immediately with exit code 1.
 */
export async function runUntilSignal(
  host: SignalHost,
  run: Run,
  logger: Logger,
  { onDraining, lingerMs = 0, isStartedByNpm = false }: RunOptions = {},
): Promise<void> {
  const signal = firstSignal(host, {
    isStartedByNpm,
    stopWithinMs: lingerMs + defaultStopWithinMs,
    onTimeout: (seconds) => logger.error(`did not stop within ${seconds} s, exiting now`),
  });
  signal.addEventListener('abort', () => {
    onDraining?.();
    setTimeout(() => run.stop(0), lingerMs);
  });
  host.exit(await run.ended);
}
