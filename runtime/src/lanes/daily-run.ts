import { PartState, type StatusCheck } from '../status.ts';
import { describeTrouble } from './describe-trouble.ts';
import type { Lane } from './lane.ts';

/** How what is read by itself stands. */
export type DailyProgress = {
  all: number;
  /** Those that were read on this UTC day. */
  readToday: number;
  /** Those that are due at this moment. */
  due: number;
  /** Those that should have been read long ago. */
  late: number;
};

/**
 * Everything that happens by itself every day. Any number of copies may run over one database: what one of them has
 * claimed no other reads.
 */
export function createDailyRun(deps: {
  /** This copy takes part. */
  isOn: boolean;
  lanes: readonly Lane[];
  /** What goes on beside them until the signal fires; each deals with its failures itself. */
  background: readonly { run(signal: AbortSignal): Promise<void> }[];
  /** What is read: `markets`. */
  what: string;
  /** How far it was when it was counted last; null: not counted on this day yet. */
  readProgress: () => { at: Date; counts: DailyProgress } | null;
}) {
  const { isOn, lanes, background } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void>[] = [];
  let stopped: Promise<unknown> | undefined;

  return {
    isOn: () => isOn,
    start(): void {
      if (!isOn) return;
      running = background.map((work) => work.run(signal));
      for (const lane of lanes) lane.start();
    },
    /** Once, whoever asks for it first. */
    async stop(): Promise<void> {
      stopping.abort();
      stopped ??= Promise.all([...running, ...lanes.map((lane) => lane.stop())]);
      await stopped;
    },
    status: isOn ? statusOf(deps) : isOff,
  };
}

const name = 'daily run';

/** How far the day's readings are. Degraded when some are late or something cannot be read. */
function statusOf({
  lanes,
  what,
  readProgress,
}: Pick<Parameters<typeof createDailyRun>[0], 'lanes' | 'what' | 'readProgress'>): StatusCheck {
  return async () => {
    const progress = readProgress();
    const troubles = lanes.flatMap(describeTrouble);
    const isBehind = troubles.length > 0 || (progress?.counts.late ?? 0) > 0;
    return {
      name,
      state: isBehind ? PartState.DEGRADED : PartState.OK,
      detail: [progress ? describe(progress, what) : 'not counted today yet', ...troubles].join('; '),
      is_embedded: false,
    };
  };
}

/** In a copy that takes no part. */
const isOff: StatusCheck = async () => ({
  name,
  state: PartState.OK,
  detail: 'not in this copy (DAILY_RUN=false)',
  is_embedded: false,
});

function describe({ at, counts }: { at: Date; counts: DailyProgress }, what: string): string {
  const countedAt = at.toISOString().slice(11, 16);
  const [all, readToday, due, late] = [counts.all, counts.readToday, counts.due, counts.late].map((count) =>
    count.toLocaleString('en-US'),
  );
  return `counted at ${countedAt} UTC: ${readToday} of ${all} ${what} read today, ${due} due, ${late} late`;
}
