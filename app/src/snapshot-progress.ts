import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';

/** How a run gets on, with what can be said of its speed. */
type SnapshotProgress = {
  done: number;
  failed: number;
  left: number;
  /** Read in the last minute; null before two looks. */
  perMinute: number | null;
  /** Null when nothing was read in the last minute. */
  secondsLeft: number | null;
  /** What keeps markets from being read, one sentence of perhaps several; null when nothing does. */
  problem: string | null;
};

const windowMs = 60_000;

/** Makes progress of one look at the run after the other. The speed is that of the last minute. */
export function createSnapshotProgress() {
  const looks: { atMs: number; done: number }[] = [];

  return function note({ done, failed, left, problems }: SnapshotRun, nowMs: number): SnapshotProgress {
    looks.push({ atMs: nowMs, done });
    while (looks.length > 2 && nowMs - (looks[1]?.atMs ?? nowMs) >= windowMs) looks.shift();
    const [first] = looks;
    const problem = problems[0] ?? null;
    const passedMs = first === undefined ? 0 : nowMs - first.atMs;
    if (first === undefined || passedMs <= 0)
      return { done, failed, left, perMinute: null, secondsLeft: null, problem };
    const perMinute = ((done - first.done) / passedMs) * 60_000;
    const secondsLeft = perMinute > 0 ? Math.ceil((left / perMinute) * 60) : null;
    return { done, failed, left, perMinute, secondsLeft, problem };
  };
}

/** 120 read, 3 failed, 80 left, 40 a minute, about 2 min to go */
export function formatProgress(progress: SnapshotProgress): string {
  const { done, failed, left, perMinute, secondsLeft, problem } = progress;
  const parts = [`${count(done)} read`, `${count(failed)} failed`, `${count(left)} left`];
  if (perMinute !== null) parts.push(`${count(Math.round(perMinute))} a minute`);
  if (left > 0 && secondsLeft !== null) parts.push(`about ${formatDuration(secondsLeft)} to go`);
  return problem === null ? parts.join(', ') : `${parts.join(', ')}. ${problem}`;
}

/** 42 s, 3 min, 2 h 05 min */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Where progress is shown: one line that is written over on a terminal, a line every few seconds elsewhere. */
type ProgressLine = { show(text: string, nowMs: number): void; end(): void };

const lineEveryMs = 5000;

export function createProgressLine(stream: {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}): ProgressLine {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(text, nowMs) {
      if (stream.isTTY) {
        stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
        isOpen = true;
        return;
      }
      if (nowMs - shownAtMs < lineEveryMs) return;
      shownAtMs = nowMs;
      stream.write(`${text}\n`);
    },
    end() {
      if (isOpen) stream.write('\r\u001b[K');
      isOpen = false;
    },
  };
}
