import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import type { GrpcHandlers } from '@shelfwise/runtime/grpc-types';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { PartState } from '@shelfwise/runtime/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/status-service';
import { createRecordingLogger } from './recording-logger.ts';

export type TrackingHandlers = GrpcHandlers<typeof TrackingServiceService>;

/** A tracking service that says what the test tells it to, over real gRPC, and remembers what it was asked. */
export async function startFakeTracking() {
  const { logger } = createRecordingLogger();
  const server = createGrpcServer({ name: 'tracking', logger, metrics: createMetrics() });
  const asked: { method: string; request: unknown; requestId: string }[] = [];
  const answers: Partial<TrackingHandlers> = {};

  const handlers = Object.fromEntries(
    Object.keys(TrackingServiceService).map((method) => [
      method,
      (request: never, call: never) => {
        const { requestId } = call as { requestId: string };
        asked.push({ method, request, requestId });
        const answer = answers[method as keyof TrackingHandlers];
        if (!answer) throw new AppError('INTERNAL_ERROR', `the test has no answer for ${method}`);
        return answer(request, call);
      },
    ]),
  ) as TrackingHandlers;
  server.addService(TrackingServiceService, handlers);
  const sampleSource = {
    name: 'store source',
    state: PartState.OK,
    detail: 'sample',
    is_embedded: true,
  };
  server.addService(statusService, createStatusHandlers({ 'store source': async () => sampleSource }));
  const address = await server.listen('127.0.0.1:0');

  return {
    address,
    asked,
    /** From now on these RPCs answer so. */
    answer(next: Partial<TrackingHandlers>) {
      Object.assign(answers, next);
    },
    /** Takes back every answer and what was asked. */
    forget() {
      for (const name of Object.keys(answers)) delete answers[name as keyof TrackingHandlers];
      asked.length = 0;
    },
    stop: () => server.drain(1000),
  };
}
