import { setTimeout as sleep } from 'node:timers/promises';
import type { PartName } from '@shelfwise/app/distributed/plan-processes';
import type { DistributedSystem } from './distributed-system.ts';

const backWithinMs = 120_000;

/**
 * SIGTERM to each copy of a part, the next one when the one before listens again and `untilCalm` has resolved: a new
 * process is slow while its code is compiled.
 */
export async function restartCopies(
  system: DistributedSystem,
  part: PartName,
  untilCalm: () => Promise<void>,
): Promise<void> {
  for (const _ of system.pidsOf(part)) {
    // pgrep lists the oldest first: it has not been restarted yet.
    const [pid] = system.pidsOf(part);
    if (pid === undefined) throw new Error(`no copy of ${part} runs`);
    const listening = countListens(system, part);
    process.kill(pid, 'SIGTERM');
    await untilListening(system, part, listening + 1);
    await untilCalm();
  }
}

/** Until copies of a part have begun to listen that often. @throws Error after two minutes */
export async function untilListening(
  system: DistributedSystem,
  part: PartName,
  times: number,
): Promise<void> {
  const deadline = performance.now() + backWithinMs;
  while (countListens(system, part) < times) {
    if (performance.now() > deadline) throw new Error(`${part} did not come back:\n${system.output()}`);
    await sleep(100);
  }
}

/** Exit codes of the copies that were restarted. */
export function exitCodes(system: DistributedSystem): string[] {
  return [...system.output().matchAll(/^\S+ +\| ended with (.*); starting again/gm)].map(
    ([, reason]) => reason as string,
  );
}

/** How often copies of a part have begun to listen. */
export function countListens(system: DistributedSystem, part: PartName): number {
  return [...system.output().matchAll(new RegExp(`^${part}-\\d+ +\\| ${part} listens on `, 'gm'))].length;
}
