import type { Metrics } from '@shelfwise/runtime/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** What the gateway measures beside what every process does. Labels are routes and outcomes, never paths or ids. */
export function createGatewayMetrics({ registry }: Metrics, windowCount: () => number) {
  const registers = [registry];
  new Gauge({
    name: 'shelfwise_gateway_in_process_windows',
    help: 'Accounts whose rate windows this process keeps by itself, because there is no shared store of them',
    registers,
    collect() {
      this.set(windowCount());
    },
  });
  return {
    requestMs: new Histogram({
      name: 'shelfwise_gateway_request_duration_ms',
      help: 'Time to answer one request, in milliseconds',
      labelNames: ['method', 'route', 'status'],
      buckets: [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000,
      ],
      registers,
    }),
    decisions: new Counter({
      name: 'shelfwise_gateway_decisions_total',
      help: 'Decisions on limits, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
