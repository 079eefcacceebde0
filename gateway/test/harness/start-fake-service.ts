import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import type { GrpcHandlers, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import { createGrpcServer } from '@shelfwise/runtime/grpc/server/grpc-server';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { PartState } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import { createRecordingLogger } from './recording-logger.ts';

/**
 * A service that gives the answers of the test and records its requests: of clients in the same process, where messages are
 * encoded as for gRPC, or, if `isRemote`, over gRPC.
 */
export async function startFakeService<Service extends ServiceTable>(
  name: string,
  service: Service,
  { isRemote }: { isRemote: boolean },
) {
  const { logger } = createRecordingLogger();
  const server = createGrpcServer({ name, logger, metrics: createMetrics() });
  const requests: { method: string; request: unknown; requestId: string; callerId?: string }[] = [];
  const answers: Partial<GrpcHandlers<Service>> = {};

  const handlers = Object.fromEntries(
    Object.keys(service).map((method) => [
      method,
      (request: never, call: never) => {
        const { requestId, callerId } = call as { requestId: string; callerId: string };
        requests.push({ method, request, requestId, callerId });
        const answer = answers[method];
        if (!answer) throw new AppError('INTERNAL_ERROR', `the test has no answer for ${method}`);
        return answer(request, call);
      },
    ]),
  ) as GrpcHandlers<Service>;
  server.addService(service, handlers);
  const sampleSource = { name: 'store source', state: PartState.OK, detail: 'sample', is_embedded: true };
  server.addService(statusService, createStatusHandlers({ 'store source': async () => sampleSource }));
  const address = await server.listen(isRemote ? '127.0.0.1:0' : null);

  return {
    address: isRemote ? address : server.inProcess,
    requests,
    /** Sets the answers of these RPCs. */
    answer(next: Partial<GrpcHandlers<Service>>) {
      Object.assign(answers, next);
    },
    /** Makes this RPC fail. */
    fail(method: keyof Service, code: ErrorCode, message = 'This is why.') {
      answers[method] = () => {
        throw new AppError(code, message);
      };
    },
    /** Makes every RPC fail with this code. */
    failAll(code: ErrorCode) {
      for (const method of Object.keys(service)) this.fail(method as keyof Service, code);
    },
    /** Removes all answers and recorded requests. */
    forget() {
      for (const method of Object.keys(answers)) delete answers[method];
      requests.length = 0;
    },
    /** The gateway has stopped: what a test has left unanswered is waited for in vain. */
    stop: () => server.drain(0),
  };
}
