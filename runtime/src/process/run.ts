import type { Logger } from '../logger.ts';
import { firstSignal, type SignalHost } from './first-signal.ts';

/** Something that runs. */
export type Part = {
  name: string;
  start(): Promise<void>;
  /** Takes nothing new, finishes what is in flight, lets go of what it holds. */
  stop(): Promise<void>;
};

/** A part that works by itself too. */
export type DrainingPart = Part & {
  /**
   * The process is about to end: it takes up no more work of its own, while it still answers others. `stop` comes later,
   * and is right without it.
   */
  announceDraining(): void;
};

/** What a process has started and must stop again, in the reverse order. */
export type Run = {
  /** Starts a part now; it is stopped when the run stops. */
  start<P extends Part>(part: P): Promise<P>;
  /** Remembers to let go of something that is open already. */
  onStop(name: string, close: () => Promise<unknown>): void;
  /** Stops everything; a later call changes nothing. */
  stop(exitCode: number): void;
  /** Resolves with the exit code once everything has stopped; 1 when something did not stop cleanly. */
  ended: Promise<number>;
};

export function createRun(logger: Logger): Run {
  const started: Pick<Part, 'name' | 'stop'>[] = [];
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let isStopping = false;

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
    stop(exitCode) {
      if (isStopping) return;
      isStopping = true;
      stopAll(started, logger).then(
        (isClean) => end(isClean ? exitCode : 1),
        () => end(1),
      );
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
  /** Told as soon as the first signal comes. */
  onDraining?: () => void;
  /** How long everything still answers after that, so that whoever watches the health page can turn away first. */
  lingerMs?: number;
  /** npm starts a shell that does not pass SIGTERM on: then the parent's end counts as a signal. */
  isStartedByNpm?: boolean;
};

/**
 * Runs until SIGINT or SIGTERM, then drains and ends the process. A second signal, or ten seconds, ends it at once.
 */
export async function runUntilSignal(
  host: SignalHost,
  run: Run,
  logger: Logger,
  { onDraining, lingerMs = 0, isStartedByNpm = false }: RunOptions = {},
): Promise<void> {
  const signal = firstSignal(host, {
    isStartedByNpm,
    onTimeout: (seconds) => logger.error(`did not stop within ${seconds} s, ending now`),
  });
  signal.addEventListener('abort', () => {
    onDraining?.();
    setTimeout(() => run.stop(0), lingerMs);
  });
  host.exit(await run.ended);
}
