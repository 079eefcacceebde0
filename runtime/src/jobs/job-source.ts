/**
 * Jobs of one kind in one store that become due every UTC day. A worker claims them and runs several at once, as long as
 * any are due and the store can be read.
 */
export type JobSource<Job> = {
  /** As progress and the health page show it: "App Store result pages". */
  name: string;
  /** How many jobs run at the same time, at most. */
  maxConcurrency: number;
  /**
   * Claims up to `count` due jobs, the most important first. A claimed job belongs to this worker alone, across all
   * copies of the service, until the claim expires; a job of a copy that died becomes due again then.
   *
   * A trial finds out whether the store can be read again. It claims the jobs that have been due for longest: a job that
   * fails then sorts last, so that each trial uses another job.
   */
  claim(count: number, isTrial: boolean): Promise<Job[]>;
  /**
   * Reads from the store and saves the result; the job is not due again that day. `skipped`: the result is no longer
   * needed, or another copy has read it meanwhile; the store was not called.
   * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
   */
  run(job: Job, call: { requestId: string; signal: AbortSignal }): Promise<'done' | 'skipped'>;
  /**
   * Schedules a retry of a failed job. The delay grows with each failure that the job itself is to blame for; while no
   * job can run at all, it is not to blame and is retried soon.
   */
  fail(job: Job, isToBlame: boolean): Promise<void>;
  /** Makes claimed jobs that were not started due again at once. */
  requeue(jobs: readonly Job[]): Promise<void>;
};
