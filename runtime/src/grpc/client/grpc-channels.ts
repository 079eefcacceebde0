import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { repeatableMethods } from '@shelfwise/proto/repeatable-methods';
import { callMetadata, isStarted } from '../call-metadata.ts';
import { frequentPings } from '../frequent-pings.ts';
import { clientClosed, isRefused, newServiceError } from '../grpc-errors.ts';
import { addSecret } from '../grpc-secret.ts';
import type { SendCall } from '../grpc-types.ts';
import { toTarget } from '../service-address.ts';
import { createWatchedChannel } from './watched-channel.ts';

/** Calls alternate between the channels, because one HTTP/2 session is a bottleneck under load. */
const channelCount = 2;

/**
 * How often a call is sent again because a copy refused it. Each time it may meet the same copy again: of two copies, one call in a
 * million meets the one that stops each time.
 */
const maxRefusals = 20;
/**
 * How often a call is sent again whose copy ended or froze in the middle of its reply. The library repeats a call only as long as
 * no reply has begun, each time up to three times (`createChannelOptions`).
 */
const maxCutReplies = 2;
/**
 * At most, in ms, times how often the call has failed. Random, so that calls which take turns do not meet the same copy each
 * time.
 */
const refusedPauseMs = 5;

/** Sends calls over gRPC. Connects on the first call. */
export function createGrpcChannels(
  address: string,
  { credentials, secret }: { credentials: ChannelCredentials; secret: string | null },
  options: ChannelOptions,
): { send: SendCall; close(): void } {
  const target = toTarget(address);
  const open = (added: ChannelOptions) => new Client(target, credentials, { ...options, ...added });
  const channels = Array.from({ length: channelCount }, () => createWatchedChannel(open, frequentPings));
  let callCount = 0;
  let isClosed = false;
  /** A client for one call, of the channel whose turn it is or of one that is connected. */
  const beginCall = () => {
    const first = channels[callCount++ % channelCount];
    for (const channel of new Set([first, ...channels])) {
      const client = channel?.begin();
      if (channel && client) return { client, end: () => channel.end(client) };
    }
    return null;
  };
  return {
    send: async (path, request, call) => {
      let refusals = 0;
      for (let cutReplies = 0; ; ) {
        if (isClosed) throw clientClosed();
        const begun = beginCall();
        if (!begun) throw await unreachable();
        try {
          return await sendUnary({ client: begun.client, secret }, path, request, call);
        } catch (error) {
          const failure = error as FailedCall;
          if (isRefused(failure) && refusals < maxRefusals) refusals++;
          else if (isCut(path, failure) && cutReplies < maxCutReplies) cutReplies++;
          else throw failure;
        } finally {
          begun.end();
        }
        await sleep(Math.random() * refusedPauseMs * (refusals + cutReplies));
      }
    },
    close: () => {
      isClosed = true;
      for (const channel of channels) channel.close();
    },
  };
}

/** In the next turn of the event loop, so that callers who try again at once do not stop it. */
async function unreachable(): Promise<ServiceError> {
  await setImmediate();
  return newServiceError(status.UNAVAILABLE, 'no copy can be reached');
}

type FailedCall = ServiceError & { hasReplyBegun: boolean };

/** Whether the connection ended in the middle of the reply to a call that may be repeated. */
function isCut(path: string, { code, hasReplyBegun }: FailedCall): boolean {
  // INTERNAL: the stream ended without a status. A failure that a handler reports comes without the beginning of a reply.
  const isLost = code === status.UNAVAILABLE || code === status.INTERNAL;
  return hasReplyBegun && isLost && repeatableMethods.has(path);
}

/** Rejects with a FailedCall. */
function sendUnary(
  { client, secret }: { client: Client; secret: string | null },
  ...[path, request, options]: Parameters<SendCall>
): Promise<Buffer> {
  const { deadline, signal, onStarted } = options;
  const metadata = callMetadata(options);
  addSecret(metadata, secret);
  return new Promise((resolve, reject) => {
    let hasReplyBegun = false;
    const call = client.makeUnaryRequest(
      path,
      asIs,
      asIs,
      request,
      metadata,
      { deadline },
      (error: ServiceError | null, reply: Buffer | undefined) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(Object.assign(error, { hasReplyBegun }));
        else resolve(reply as Buffer);
      },
    );
    call.once('metadata', (sent: Metadata) => {
      if (!isStarted(sent)) hasReplyBegun = true;
      else onStarted?.();
    });
    const cancel = () => call.cancel();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Clients and servers encode the messages themselves, in the same way for every transport. */
function asIs(message: Buffer): Buffer {
  return message;
}
