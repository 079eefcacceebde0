import { Gauge, type Registry } from 'prom-client';
import { ageSeconds, createSources } from './sources.ts';

/** What waits in the outboxes of a service. */
export type OutboxBacklog = {
  /** The documents with pending events, counted up to a limit. */
  pendingDocuments: number;
  /** Null when nothing waits. */
  oldestAt: Date | null;
};

/** Gauges of the outboxes. Each service of the process adds its own. */
export function createOutboxMetrics(registry: Registry, now: () => Date) {
  const sources = createSources<OutboxBacklog>();
  const registers = [registry];
  new Gauge({
    name: 'shelfwise_outbox_pending_documents',
    help: 'Documents with events that are not published yet, counted up to 1,000',
    labelNames: ['service'],
    registers,
    collect() {
      return sources.show(this, (service, { pendingDocuments }) => [
        { labels: { service }, value: pendingDocuments },
      ]);
    },
  });
  new Gauge({
    name: 'shelfwise_outbox_oldest_event_age_seconds',
    help: 'Time since the newest event of the document that has waited longest to be published, in seconds; 0 when nothing waits',
    labelNames: ['service'],
    registers,
    collect() {
      return sources.show(this, (service, { oldestAt }) => [
        { labels: { service }, value: oldestAt ? ageSeconds(oldestAt, now()) : 0 },
      ]);
    },
  });
  return sources;
}
