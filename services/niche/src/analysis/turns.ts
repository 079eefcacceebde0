import { AppError } from '@shelfwise/runtime/errors';

export type Turns = ReturnType<typeof createTurns>;

/** Lets `atOnce` go at the same time; the others wait in a line, first come first served, `longestLine` at most. */
export function createTurns({ atOnce, longestLine }: { atOnce: number; longestLine: number }) {
  const line: (() => void)[] = [];
  let going = 0;

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        line.splice(line.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      line.push(go);
    });
  }

  /** Whoever is first in line takes the place over. */
  function leave(): void {
    const next = line.shift();
    if (next) next();
    else going--;
  }

  return {
    going: () => going,
    waiting: () => line.length,

    /**
     * Waits for a turn; what it gives back ends it, and is called once.
     * @throws SERVICE_UNAVAILABLE when the line is full, or the signal's reason
     */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (going < atOnce) going++;
      else if (line.length < longestLine) await wait(signal);
      else throw tooMany(line.length);
      return leave;
    },
  };
}

function tooMany(waiting: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${waiting} niche analyses of this store wait for their turn already. Try again in a few minutes.`,
  );
}
