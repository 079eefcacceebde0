import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** The gateway's own metrics, in addition to those of every process. Labels are routes and outcomes, never paths or ids. */
export function createGatewayMetrics(
  { registry }: Metrics,
  { windowCount, slotLimits }: { windowCount: () => number; slotLimits: () => Record<string, number> },
) {
  const registers = [registry];
  new Gauge({
    name: 'shelfwise_gateway_in_flight_limit',
    help: 'How many calls of a service may be in progress: a fixed number, or as many as it answers in a second if that is more, and fewer while its answers are late. All services together have a limit of their own',
    labelNames: ['service'],
    registers,
    collect() {
      for (const [service, limit] of Object.entries(slotLimits())) this.set({ service }, limit);
    },
  });
  new Gauge({
    name: 'shelfwise_gateway_in_process_windows',
    help: 'Accounts that this gateway has admitted calls of in the last minute: their windows in its memory',
    registers,
    collect() {
      this.set(windowCount());
    },
  });
  return {
    requestSeconds: new Histogram({
      name: 'shelfwise_gateway_request_duration_seconds',
      help: 'Time to answer one request, in seconds',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      registers,
    }),
    endedConnections: new Counter({
      name: 'shelfwise_gateway_ended_connections_total',
      help: 'Connections that the server ended or refused because of a limit, by reason',
      labelNames: ['reason'],
      registers,
    }),
    localDecisions: new Counter({
      name: 'shelfwise_gateway_local_decisions_total',
      help: 'Decisions with the windows of this gateway alone, because Redis was away',
      registers,
    }),
    shedCalls: new Counter({
      name: 'shelfwise_gateway_shed_calls_total',
      help: 'Calls that were refused because too many calls were in progress, by service, or all: of all services',
      labelNames: ['service'],
      registers,
    }),
    decisions: new Counter({
      name: 'shelfwise_gateway_decisions_total',
      help: 'Rate and quota decisions, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
