import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';

/** The services behind the gateway, as the routes call them. */
export type Clients = {
  tracking: GrpcClient<typeof TrackingServiceService>;
  /** How each service is, by its name, for the health page. */
  status: Readonly<Record<string, GrpcClient<typeof StatusServiceService>>>;
};

/** Clients of the services at these addresses (host:port). They connect with the first call. */
export function createClients(addresses: { tracking: string; storeFetch: string }): {
  clients: Clients;
  close(): void;
} {
  const { tracking: trackingAddress, storeFetch: storeFetchAddress } = addresses;
  const tracking = createGrpcClient({
    service: TrackingServiceService,
    name: 'tracking',
    address: trackingAddress,
  });
  const statusOf = (name: string, address: string) =>
    createGrpcClient({ service: StatusServiceService, name, address });
  const trackingStatus = statusOf('tracking', trackingAddress);
  const storeFetchStatus = statusOf('store-fetch', storeFetchAddress);

  return {
    clients: {
      tracking: tracking.client,
      status: { tracking: trackingStatus.client, 'store-fetch': storeFetchStatus.client },
    },
    close: () => {
      for (const { close } of [tracking, trackingStatus, storeFetchStatus]) close();
    },
  };
}
