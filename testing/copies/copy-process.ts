// A copy of a service in a process of its own, for copies.test.ts. Reports its address, then every write that it begins.
// Each call takes a while, so that all callers have one in flight at any time.
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcServer } from '@shelfwise/runtime/grpc/server/grpc-server';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import { writeService } from './write-service.ts';

const logger = createLogger({ name: 'copy', level: 'silent', destination: process.stderr });
const server = createGrpcServer({ name: 'copy', logger, metrics: createMetrics() });
const work = () => new Promise((resolve) => setTimeout(resolve, 60));
server.addService(StatusServiceService, {
  getStatus: async () => {
    await work();
    return { parts: [] };
  },
});
server.addService(writeService, {
  write: async (id) => {
    process.send?.({ begun: id });
    await work();
    return id;
  },
});

const run = createRun(logger);
const address = await server.listen(process.argv[2] ?? '127.0.0.1:0');
run.onStop('server', () => server.drain(8000));
process.send?.({ address });
await runUntilSignal(process, run, logger);
