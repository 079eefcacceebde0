import type { ChannelOptions } from '@grpc/grpc-js';
import { repeatableMethods } from '@shelfwise/proto/repeatable-methods';
import type { ServiceTable, UnaryMethod } from '../grpc-types.ts';
import { maxMessageBytes } from '../message-size.ts';

/** The longest deadline of a call, unless a client says otherwise. */
const defaultLongestCallMs = 60_000;

/** What a client says about its calls. */
export type CallProfile = {
  /** The longest deadline of a call, in milliseconds; default 60,000. Decides how often a connection is checked. */
  longestCallMs?: number | undefined;
};

/**
 * The settings of the channels of one service. The client reconnects within 0.6 s after a service returns, and the calls take
 * turns over all its addresses.
 */
export function createChannelOptions(service: ServiceTable, profile: CallProfile): ChannelOptions {
  return {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.dns_min_time_between_resolutions_ms': 10_000,
    ...keepaliveOptions(profile),
    // Channels would otherwise share one connection.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.service_config': JSON.stringify(toServiceConfig(service)),
    // A DNS record must not replace them.
    'grpc.service_config_disable_resolution': 1,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  };
}

/**
 * Pings while a call waits find a peer that is frozen or gone. They are few until the peer says that it accepts frequent ones
 * (`frequentPings`): by default, gRPC servers close a connection after the fourth ping since they last sent anything, however slow
 * the pings are (below five minutes). So a call gets three pings at most. The timeout is longer than this process, or a busy peer,
 * may block its event loop.
 */
function keepaliveOptions({ longestCallMs = defaultLongestCallMs }: CallProfile): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': Math.ceil(longestCallMs / 3),
    'grpc.keepalive_timeout_ms': 5000,
    'grpc.keepalive_permit_without_calls': 0,
  };
}

/**
 * A call that its method declares repeatable is sent again when a copy fails before it has answered. A call that no copy has begun
 * is sent again in any case.
 */
function toServiceConfig(service: ServiceTable): object {
  const repeatable = Object.values(service)
    .map((method) => (method as UnaryMethod<unknown, unknown>).path)
    .filter((path) => repeatableMethods.has(path))
    .map((path) => ({ service: path.split('/')[1], method: path.split('/')[2] }));
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: repeatable.length > 0 ? [{ name: repeatable, retryPolicy }] : [],
    // Calls of a copy that died fail together: 500 of them may be sent again. In a longer outage, few are.
    retryThrottling: { maxTokens: 1000, tokenRatio: 0.1 },
  };
}
