import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import type { GrpcHandlers } from '@shelfwise/runtime/grpc/grpc-types';
import { createGrpcServer } from '@shelfwise/runtime/grpc/server/grpc-server';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';

const nothing = { applications: [], total: 0 };

/** A tracking service that answers every call with an empty list. */
export function createEmptyTracking() {
  const methods = Object.keys(TrackingServiceService).map((name) => [name, async () => nothing]);
  const handlers = Object.fromEntries(methods) as GrpcHandlers<typeof TrackingServiceService>;
  const logger = createLogger({ name: 'bench', level: 'silent', destination: process.stderr });
  const server = createGrpcServer({ name: 'tracking', logger, metrics: createMetrics() });
  server.addService(TrackingServiceService, handlers);
  return server;
}
