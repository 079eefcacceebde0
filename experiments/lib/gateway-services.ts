import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import type { GrpcHandlers } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';

/** A database, and a tracking service that answers every call with an empty list. */
const nothing = { applications: [], total: 0 };
const methods = Object.keys(TrackingServiceService).map((name) => [name, async () => nothing]);
const handlers = Object.fromEntries(methods) as GrpcHandlers<typeof TrackingServiceService>;

const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-bench-'));
const engine = await startEngine({ dataDir });
const logger = createLogger({ name: 'bench', level: 'silent', destination: process.stderr });
const server = createGrpcServer({ name: 'tracking', logger, metrics: createMetrics() });
server.addService(TrackingServiceService, handlers);
process.send?.({ address: await server.listen('127.0.0.1:0'), mongodbUri: engine.mongodbUri });

process.once('disconnect', async () => {
  await server.drain(1000);
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
