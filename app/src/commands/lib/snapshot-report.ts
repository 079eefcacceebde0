import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import { formatDuration } from './snapshot-progress.ts';

/** The request of StartSnapshotRun. `day` is YYYY-MM-DD; absent: the run reads the ranks of today. */
export type SnapshotRequest = { all_of_today: boolean; day?: string };

/** The output of `--json`. `done`, `failed` and `left` count keywords, as in the progress. Times are ISO 8601. */
type SnapshotReport = {
  is_complete: boolean;
  done: number;
  failed: number;
  left: number;
  /** Null when the service did not report the time, for example the end of a run that is not over. */
  started_at: string | null;
  ended_at: string | null;
  problems: string[];
  /** What happens to unread keywords; null when everything was read. */
  next: string | null;
};

/** A run is complete when it is over, nothing failed and nothing is left. */
export function reportSnapshots(command: SnapshotRequest, run: SnapshotRun): SnapshotReport {
  const { done, failed, left, problems } = run;
  const isComplete = run.is_over && failed === 0 && left === 0;
  return {
    is_complete: isComplete,
    done,
    failed,
    left,
    problems,
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
    next: isComplete ? null : describeNext(command, run),
  };
}

/** The report as text. */
export function formatSnapshotReport(report: SnapshotReport): string {
  const { done, failed, left, problems, next } = report;
  const seconds =
    report.started_at && report.ended_at
      ? (Date.parse(report.ended_at) - Date.parse(report.started_at)) / 1000
      : null;
  const time = seconds === null ? '' : ` in ${formatDuration(seconds)}`;
  return [
    done + failed + left === 0 ? 'Nothing is due.' : `${done} read${time}, ${failed} failed, ${left} left.`,
    ...problems.map((problem) => `  ${problem}`),
    ...(next ? [next] : []),
  ].join('\n');
}

function describeNext({ day }: SnapshotRequest, run: SnapshotRun): string {
  if (day !== undefined)
    return `Run it again with --day ${day}: keywords that have a snapshot of that day are skipped.`;
  const continues = run.is_over ? '' : 'The service continues the run. ';
  return `${continues}Unread keywords stay due, and the service retries them. A day that is not read before it ends (UTC) stays missing.`;
}
