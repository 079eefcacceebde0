import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';

/** The progress of a run that reads the ranks of one day for many keywords. */
type SnapshotProgress = {
  /** Keywords read since the run started. */
  done: number;
  /** Failed readings since then. Each is retried later. */
  failed: number;
  /** Keywords that the run has not tried yet. Failed ones are not among them. */
  left: number;
  /** Keywords read per minute, measured over the last minute; null at the first sample. */
  perMinute: number | null;
  /** An estimate; null when `perMinute` is null or 0. */
  secondsLeft: number | null;
  /** The first reason of the service why keywords are not read, as a sentence; null when there is none. */
  problem: string | null;
};

const windowMs = 60_000;

/**
 * Returns a function that turns the successive states of one run into its progress. `nowMs` comes from a clock that
 * never goes back.
 */
export function createSnapshotProgress() {
  const samples: { atMs: number; done: number }[] = [];

  return function toProgress({ done, failed, left, problems }: SnapshotRun, nowMs: number): SnapshotProgress {
    samples.push({ atMs: nowMs, done });
    // Keeps one sample that is at least a minute old, so that the speed covers the whole minute.
    while (samples.length > 2 && nowMs - (samples[1]?.atMs ?? nowMs) >= windowMs) samples.shift();
    const [oldest] = samples;
    const problem = problems[0] ?? null;
    const elapsedMs = oldest === undefined ? 0 : nowMs - oldest.atMs;
    if (oldest === undefined || elapsedMs <= 0)
      return { done, failed, left, perMinute: null, secondsLeft: null, problem };
    const perMinute = ((done - oldest.done) / elapsedMs) * 60_000;
    const secondsLeft = perMinute > 0 ? Math.ceil((left / perMinute) * 60) : null;
    return { done, failed, left, perMinute, secondsLeft, problem };
  };
}

/** For example `120 read, 3 failed, 80 left, 40 per minute, about 2 min to go. The App Store is blocked.` */
export function formatProgress(progress: SnapshotProgress): string {
  const { done, failed, left, perMinute, secondsLeft, problem } = progress;
  const phrases = [`${formatCount(done)} read`, `${formatCount(failed)} failed`, `${formatCount(left)} left`];
  if (perMinute !== null) phrases.push(`${formatCount(Math.round(perMinute))} per minute`);
  if (left > 0 && secondsLeft !== null) phrases.push(`about ${formatDuration(secondsLeft)} to go`);
  return problem === null ? phrases.join(', ') : `${phrases.join(', ')}. ${problem}`;
}

/** Rounded, for example `42 s`, `3 min`, `2 h 05 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}
