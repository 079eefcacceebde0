import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import type { SnapshotCommand } from './parse-snapshot-command.ts';
import type { SnapshotResult } from './run-snapshot-command.ts';
import { formatDuration } from './snapshot-progress.ts';

/** What `--json` prints; plain data, days and moments as ISO 8601. */
type SnapshotReport = {
  is_complete: boolean;
  done: number;
  failed: number;
  left: number;
  started_at: string | null;
  ended_at: string | null;
  problems: string[];
  /** What happens to what was not read; null when nothing is left. */
  next: string | null;
};

/** What came of a run. It is complete when it is over, nothing failed and nothing is left. */
export function reportSnapshots(command: SnapshotCommand, { run, doneBy }: SnapshotResult): SnapshotReport {
  const { is_over: isOver, done, failed, left, started_at: startedAt, ended_at: endedAt, problems } = run;
  const isComplete = isOver && failed === 0 && left === 0;
  return {
    is_complete: isComplete,
    done,
    failed,
    left,
    problems,
    started_at: startedAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    next: isComplete ? null : whatNext(command, doneBy, run),
  };
}

/** The report for people. */
export function formatSnapshotReport(report: SnapshotReport): string {
  const { done, failed, left, started_at: startedAt, ended_at: endedAt, problems, next } = report;
  const seconds = startedAt && endedAt ? (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 : null;
  const time = seconds === null ? '' : ` in ${formatDuration(seconds)}`;
  return [
    done + failed + left === 0 ? 'Nothing is due.' : `${done} read${time}, ${failed} failed, ${left} left.`,
    ...problems.map((problem) => `  ${problem}`),
    ...(next ? [next] : []),
  ].join('\n');
}

function whatNext(
  { day }: SnapshotCommand,
  doneBy: SnapshotResult['doneBy'],
  { is_over: isOver }: SnapshotRun,
): string {
  if (day !== undefined) return `Run it again with --day ${day}: it reads only what has no page of that day.`;
  if (doneBy === 'service') {
    const stays = isOver ? '' : 'The service goes on with it. ';
    return `${stays}What could not be read comes due again by itself, as long as its day lasts; a day that ends unread stays missing.`;
  }
  return 'What could not be read comes due again: npm start reads it by itself, or run this again. A day that ends unread stays missing.';
}
