import type { ChannelOptions, Client } from '@grpc/grpc-js';
import {
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';

/**
 * Finds a frozen copy within 3.5 seconds, so that a call of five seconds can be sent to another copy. The timeout is longer than
 * a busy process blocks its event loop. Pings without calls: a copy that froze while nothing was called costs no call.
 */
export const frequentPings: ChannelOptions = {
  'grpc.keepalive_time_ms': 500,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
};

/**
 * Servers that accept these pings say that this "service" is SERVING. By default, the servers of other libraries close connections
 * for them, and the calls on them fail.
 */
export const frequentPingsName = 'shelfwise.runtime.v1.FrequentPings';

const answerMs = 2000;

/** Whether the server says so. */
export function acceptsFrequentPings(client: Client): Promise<boolean> {
  const { path, requestSerialize, responseDeserialize } = HealthService.check;
  return new Promise((resolve) =>
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: frequentPingsName },
      { deadline: Date.now() + answerMs },
      (error, reply) => resolve(error === null && reply?.status === ServingStatus.SERVING),
    ),
  );
}
