import type { ServiceError } from '@grpc/grpc-js';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { currentTracing } from '../../tracing/tracing.ts';
import { outcomeOf } from '../call-outcome.ts';
import { fromGrpcError } from '../grpc-errors.ts';
import type {
  CallOptions,
  GrpcClient,
  SendCall,
  ServiceAddress,
  ServiceTable,
  UnaryMethod,
} from '../grpc-types.ts';
import { checkMessageSize } from '../message-size.ts';
import { inCallSpan } from '../rpc-spans.ts';
import { type GrpcSecurity, toChannelSecurity } from '../tls/grpc-security.ts';
import { type CallProfile, createChannelOptions } from './channel-options.ts';
import { createGrpcChannels } from './grpc-channels.ts';
import { createInProcessChannel } from './in-process-channel.ts';

export type ClientMetrics = Pick<Metrics, 'rpcClientSeconds'>;

/**
 * A typed client of one service, over gRPC or in the same process. Every call needs a deadline, and rejects with an
 * AppError.
 * @throws StartError when calls would leave this machine without encryption
 */
export function createGrpcClient<Service extends ServiceTable>(
  options: CallProfile & {
    service: Service;
    /** The service name in error messages. */
    name: string;
    address: ServiceAddress;
    /** Default: plain connections, which must not leave this machine. */
    security?: GrpcSecurity | undefined;
    /** Absent in commands, whose metrics are not scraped. */
    metrics?: ClientMetrics | undefined;
  },
): { client: GrpcClient<Service>; close(): void } {
  const { service, name, address, metrics } = options;
  const { send, close } =
    typeof address === 'string' ? connectOver(address, options) : createInProcessChannel(address);
  const client: Record<string, unknown> = {};
  for (const [rpc, method] of Object.entries(service))
    client[rpc] = createCall({ name, rpc, send, method: method as UnaryMethod<unknown, unknown>, metrics });
  return { client: client as GrpcClient<Service>, close };
}

/** @throws StartError when calls would leave this machine without encryption */
function connectOver(
  address: string,
  { service, name, security, longestCallMs }: Parameters<typeof createGrpcClient>[0],
) {
  const { credentials, options, secret } = toChannelSecurity({ address, name }, security);
  const channelOptions = { ...createChannelOptions(service, { longestCallMs }), ...options };
  return createGrpcChannels(address, { credentials, secret }, channelOptions);
}

function createCall(options: {
  name: string;
  rpc: string;
  send: SendCall;
  method: UnaryMethod<unknown, unknown>;
  metrics: ClientMetrics | undefined;
}) {
  const { name, rpc, send, method, metrics } = options;

  async function callMethod(request: unknown, call: CallOptions): Promise<unknown> {
    const message = convert(() => checkMessageSize(method.requestSerialize(request)), name);
    const reply = await send(method.path, message, call).catch((error: ServiceError) => {
      throw fromGrpcError(name, error);
    });
    return convert(() => method.responseDeserialize(reply), name);
  }

  function callTraced(request: unknown, call: CallOptions): Promise<unknown> {
    const tracing = currentTracing();
    if (tracing === null) return callMethod(request, call);
    return inCallSpan(tracing, { path: method.path, call }, () => callMethod(request, call));
  }

  if (!metrics) return callTraced;
  return async (request: unknown, call: CallOptions): Promise<unknown> => {
    const startedAt = performance.now();
    let outcome = 'OK';
    try {
      return await callTraced(request, call);
    } catch (error) {
      outcome = outcomeOf(error, call);
      throw error;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.rpcClientSeconds.observe({ service: name, method: rpc, outcome }, seconds);
    }
  };
}

/** @throws AppError when a message cannot be encoded or decoded, or is too large */
function convert<Result>(work: () => Result, serviceName: string): Result {
  try {
    return work();
  } catch (cause) {
    throw new AppError('INTERNAL_ERROR', `The ${serviceName} service failed. Try again later.`, { cause });
  }
}
