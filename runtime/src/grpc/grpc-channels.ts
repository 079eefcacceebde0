import { type ChannelOptions, Client, credentials, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { callMetadata, isStarted } from './call-metadata.ts';
import { clientClosed } from './grpc-errors.ts';
import type { SendCall } from './grpc-types.ts';
import { maxMessageBytes } from './message-size.ts';
import { toTarget } from './service-address.ts';

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
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // The settings above are this program's own, never those of a DNS record.
  'grpc.service_config_disable_resolution': 1,
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
};
/** Calls alternate between the channels, because one HTTP/2 session is a bottleneck under load. */
const channelCount = 2;

/** Sends calls over gRPC. Connects on the first call. */
export function createGrpcChannels(address: string): { send: SendCall; close(): void } {
  const channels = Array.from(
    { length: channelCount },
    () => new Client(toTarget(address), credentials.createInsecure(), channelOptions),
  );
  let callCount = 0;
  let isClosed = false;
  const nextChannel = () => channels[callCount++ % channelCount] as Client;
  return {
    send: async (path, request, call) => {
      if (isClosed) throw clientClosed();
      return sendUnary(nextChannel(), path, request, call);
    },
    close: () => {
      isClosed = true;
      for (const channel of channels) channel.close();
    },
  };
}

function sendUnary(channel: Client, ...[path, request, options]: Parameters<SendCall>): Promise<Buffer> {
  const { deadline, signal, onStarted } = options;
  return new Promise((resolve, reject) => {
    const call = channel.makeUnaryRequest(
      path,
      asIs,
      asIs,
      request,
      callMetadata(options),
      { deadline },
      (error: ServiceError | null, reply: Buffer | undefined) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(error);
        else resolve(reply as Buffer);
      },
    );
    if (onStarted) call.once('metadata', (sent: Metadata) => isStarted(sent) && onStarted());
    const cancel = () => call.cancel();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Clients and servers encode the messages themselves, in the same way for every transport. */
function asIs(message: Buffer): Buffer {
  return message;
}
