// A copy of a service in a process of its own, for copies.test.ts. Reports its address, then every write that it begins, and when.
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcServer } from '../../src/grpc/grpc-server.ts';
import { createLogger } from '../../src/logger.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createRun, runUntilSignal } from '../../src/process/run.ts';
import { writeService } from './write-service.ts';

const logger = createLogger({ name: 'copy', level: 'silent', destination: process.stderr });
const server = createGrpcServer({ name: 'copy', logger, metrics: createMetrics() });
const work = () => new Promise((resolve) => setTimeout(resolve, 20));
server.addService(StatusServiceService, {
  getStatus: async () => {
    await work();
    return { parts: [] };
  },
});
server.addService(writeService, {
  write: async (id) => {
    process.send?.({ begun: id, at: Date.now() });
    await work();
    return id;
  },
});

const run = createRun(logger);
const address = await server.listen(process.argv[2] ?? '127.0.0.1:0');
run.onStop('server', () => server.drain(8000));
process.send?.({ address });
await runUntilSignal(process, run, logger);
