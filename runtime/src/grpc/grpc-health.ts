import {
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';

type Watch = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;

/**
 * The health checking protocol of gRPC for these services, by full name, and for the server as a whole (an empty name). It tells
 * load balancers where to send calls: SERVING from the start on, NOT_SERVING while the server drains.
 */
export function createHealth(services: readonly string[]) {
  const known = new Set(['', ...services]);
  const watches = new Set<Watch>();
  let state: HealthCheckResponse['status'] = ServingStatus.SERVING;

  const implementation: HealthServer = {
    check(
      { request }: ServerUnaryCall<HealthCheckRequest, HealthCheckResponse>,
      reply: sendUnaryData<HealthCheckResponse>,
    ) {
      if (known.has(request.service)) return reply(null, { status: state });
      const details = `this server has no service ${request.service}`;
      reply({ code: status.NOT_FOUND, details, metadata: new Metadata() });
    },
    watch(call: Watch) {
      call.write({ status: known.has(call.request.service) ? state : ServingStatus.SERVICE_UNKNOWN });
      if (state === ServingStatus.NOT_SERVING) return call.end();
      watches.add(call);
      call.once('cancelled', () => watches.delete(call));
    },
  };

  return {
    definition: HealthService,
    implementation,
    /** From now on NOT_SERVING. Ends the open watches, which would otherwise keep their connections open. */
    drain() {
      state = ServingStatus.NOT_SERVING;
      for (const call of watches) {
        if (known.has(call.request.service)) call.write({ status: state });
        call.end();
      }
      watches.clear();
    },
  };
}

/** The full name of the health service. */
export const healthServiceName = 'grpc.health.v1.Health';
