import { Gauge, type Registry } from 'prom-client';
import { ageSeconds, createSources } from './sources.ts';

/** The jobs of a kind that are due and not claimed. */
export type JobBacklog = {
  /** Counted up to a limit. */
  due: number;
  /** When the one that waits longest became due, after a failure at the time of its retry; null when none is due. */
  oldestDueAt: Date | null;
};

/** Gauges of the job queues. Each kind of job is added by its name: that of its `JobSource`. */
export function createJobMetrics(registry: Registry, now: () => Date) {
  const sources = createSources<JobBacklog>();
  const registers = [registry];
  new Gauge({
    name: 'shelfwise_jobs_due',
    help: 'Jobs that are due and not claimed by a worker, counted up to 1,000',
    labelNames: ['jobs'],
    registers,
    collect() {
      return sources.show(this, (jobs, { due }) => [{ labels: { jobs }, value: due }]);
    },
  });
  new Gauge({
    name: 'shelfwise_jobs_oldest_due_age_seconds',
    help: 'How long the job that waits longest has been due, in seconds; 0 when none is due. A retry is due at a new time',
    labelNames: ['jobs'],
    registers,
    collect() {
      return sources.show(this, (jobs, { oldestDueAt }) => [
        { labels: { jobs }, value: oldestDueAt ? ageSeconds(oldestDueAt, now()) : 0 },
      ]);
    },
  });
  return sources;
}
