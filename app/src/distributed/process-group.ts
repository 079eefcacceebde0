import type { ChildProcess } from 'node:child_process';
import { type PartName, type PlannedProcess, partNames } from './plan-processes.ts';
import { type SupervisedProcess, superviseProcess } from './supervise-process.ts';

/** All processes of one start. */
export type ProcessGroup = {
  /**
   * Starts the copies of one part after another, and resolves when all of them listen.
   * @throws StartError when a process ends before it listens
   */
  start(): Promise<void>;
  /** Stops the callers before what they call, so that calls in progress end. */
  stop(): Promise<void>;
  /** Ends all of them without waiting. */
  kill(): void;
};

/** Parts that stop at the same time; each group calls only later ones. */
const stopOrder: readonly (readonly PartName[])[] = [
  ['gateway'],
  ['mcp'],
  ['tracking', 'niche', 'chart', 'notify'],
  ['scoring'],
  ['store-fetch'],
];

/** @param deps.print shows a line, after the name of its process */
export function createProcessGroup(
  planned: readonly PlannedProcess[],
  deps: { spawn: (process: PlannedProcess) => ChildProcess; print: (line: string) => void },
): ProcessGroup {
  const nameLength = Math.max(...planned.map(({ name }) => name.length));
  const started: { part: PartName; process: SupervisedProcess }[] = [];
  let isStopping = false;

  async function startCopies(part: PartName): Promise<void> {
    const copies = planned
      .filter((one) => one.part === part)
      .map((one) =>
        superviseProcess({
          name: one.name,
          spawn: () => deps.spawn(one),
          print: (line) => deps.print(`${one.name.padEnd(nameLength)} | ${line}`),
        }),
      );
    started.push(...copies.map((process) => ({ part, process })));
    await Promise.all(copies.map(({ listens }) => listens));
  }

  return {
    async start() {
      for (const part of partNames) if (!isStopping) await startCopies(part);
    },
    async stop() {
      isStopping = true;
      for (const parts of stopOrder) {
        const copies = started.filter(({ part }) => parts.includes(part));
        await Promise.all(copies.map(({ process }) => process.stop()));
      }
    },
    kill() {
      isStopping = true;
      for (const { process } of started) process.kill();
    },
  };
}
