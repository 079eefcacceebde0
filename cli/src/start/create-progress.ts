import { createProgressLine } from '@shelfwise/runtime/process/progress-line';
import type { CliHost } from '../cli-host.ts';

export type Progress = ReturnType<typeof createProgress>;

/** News of long work: of a command, and of a call that takes longer than a moment. */
export function createProgress({ stderr, clock }: Pick<CliHost, 'stderr' | 'clock'>) {
  const line = createProgressLine(stderr);
  let task = 'waiting for the answer';
  return {
    show(text: string) {
      task = text;
      line.show(task, clock.nowMs());
    },
    /** Says it without forgetting how far the work is. */
    mention: (text: string) => line.show(text, clock.nowMs()),
    /** The call in progress has lasted this long. */
    tick: (seconds: number) => line.show(`${task} (${seconds} s)`, clock.nowMs()),
    end: () => line.end(),
  };
}
