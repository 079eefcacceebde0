import { type ChannelOptions, Client, credentials, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { callMetadata, isStarted } from './call-metadata.ts';
import { fromGrpcError } from './grpc-errors.ts';
import { maxMessageBytes } from './grpc-server.ts';
import type { CallOptions, GrpcClient, ServiceTable, UnaryMethod } from './grpc-types.ts';

/**
 * The client reconnects within a second after a service returns, and detects a frozen peer within seven seconds. A
 * shorter timeout would also hit a busy peer, or this process itself, which may block its event loop for a second or
 * two.
 */
const channelOptions: ChannelOptions = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.keepalive_time_ms': 2000,
  'grpc.keepalive_timeout_ms': 5000,
  // Channels would otherwise share one connection.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
};
/** Calls alternate between the channels, because one HTTP/2 session is a bottleneck under load. */
const channelCount = 2;

/** A typed client of one service. Every call needs a deadline, and rejects with an AppError. */
export function createGrpcClient<Service extends ServiceTable>(options: {
  service: Service;
  /** The service name in error messages. */
  name: string;
  /** host:port */
  address: string;
}): { client: GrpcClient<Service>; close(): void } {
  const channels = Array.from(
    { length: channelCount },
    () => new Client(options.address, credentials.createInsecure(), channelOptions),
  );
  let callCount = 0;
  const nextChannel = () => channels[callCount++ % channelCount] as Client;

  const client: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(options.service))
    client[name] = (request: unknown, call: CallOptions) =>
      callUnary(nextChannel(), options.name, method as UnaryMethod<unknown, unknown>, request, call);

  return {
    client: client as GrpcClient<Service>,
    close: () => {
      for (const channel of channels) channel.close();
    },
  };
}

function callUnary(
  channel: Client,
  serviceName: string,
  method: UnaryMethod<unknown, unknown>,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  const { deadline, signal, onStarted } = options;
  return new Promise((resolve, reject) => {
    const call = channel.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      callMetadata(options),
      { deadline },
      (error: ServiceError | null, reply: unknown) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(fromGrpcError(serviceName, error));
        else resolve(reply);
      },
    );
    if (onStarted) call.once('metadata', (sent: Metadata) => isStarted(sent) && onStarted());
    const cancel = () => call.cancel();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}
