import type { JobBacklog } from '../metrics/job-metrics.ts';
import type { DueJob } from './job-queue.ts';

/**
 * Jobs of one kind, such as those that become due every UTC day and read from one upstream. A worker claims them and runs
 * several at the same time while any are due and the upstream can be read.
 */
export type JobSource<Job> = {
  /** The name in logs, metrics and the health page: a plural noun. */
  name: string;
  /** What the jobs belong to, in logs. Default: daily run. */
  work?: string;
  /** The maximum number of jobs that run at the same time. */
  maxConcurrency: number;
  /** False: always as many as possible, for jobs that do not share an upstream. Default: as many as the upstream accepts. */
  isAdaptive?: boolean;
  /** Whether people wait for jobs of this kind, so that one that another copy has made due must start soon. */
  isAwaited: boolean;
  /**
   * Claims up to `count` due jobs, the most important first. Until the claim expires, a claimed job belongs to this
   * worker alone, across all copies of the service. The job of a crashed copy becomes due again when its claim
   * expires.
   *
   * A trial tests whether the upstream can be read again. It claims the jobs that have been due longest. A failed job
   * then sorts last, so that each trial uses another job.
   */
  claim(count: number, isTrial: boolean): Promise<Job[]>;
  /** When the first of all jobs is due, or the first claim expires; null when there is none. */
  nextDueAt(): Promise<Date | null>;
  /**
   * Reads from the upstream and saves the result; the job is not due again on that day. `skipped`: the result is no
   * longer needed, or another copy has already read it. The upstream was not called.
   * @throws an error with the code of an upstream failure (`isUpstreamFailure`), or the signal's reason
   */
  run(job: Job, call: { requestId: string; signal: AbortSignal }): Promise<'done' | 'skipped'>;
  /**
   * Schedules a retry of a failed job. If the job is to blame, its delay grows with each failure. A job is not to
   * blame while no job can run at all; it is then retried soon.
   */
  fail(job: Job, isToBlame: boolean): Promise<void>;
  /** What a job consists of, with the failures from before the claim: itself, or each member of a group. */
  partsOf(job: Job): readonly Pick<DueJob, '_id' | 'failures'>[];
  /** The jobs of this kind that are due, for metrics. */
  readBacklog(): Promise<JobBacklog>;
  /** Makes claimed jobs that did not run due again immediately. */
  requeue(jobs: readonly Job[]): Promise<void>;
};
