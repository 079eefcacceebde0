import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';

/** The services behind the gateway, as the routes call them. */
export type Clients = {
  tracking: GrpcClient<typeof TrackingServiceService>;
  scoring: GrpcClient<typeof ScoringServiceService>;
  /** How each service is, by its name, for the health page. */
  status: Readonly<Record<string, GrpcClient<typeof StatusServiceService>>>;
};

/** Clients of the services at these addresses (host:port). They connect with the first call. */
export function createClients(addresses: { tracking: string; scoring: string; storeFetch: string }): {
  clients: Clients;
  close(): void;
} {
  const tracking = createGrpcClient({
    service: TrackingServiceService,
    name: 'tracking',
    address: addresses.tracking,
  });
  const scoring = createGrpcClient({
    service: ScoringServiceService,
    name: 'scoring',
    address: addresses.scoring,
  });
  const statusOf = (name: string, address: string) =>
    createGrpcClient({ service: StatusServiceService, name, address });
  const trackingStatus = statusOf('tracking', addresses.tracking);
  const scoringStatus = statusOf('scoring', addresses.scoring);
  const storeFetchStatus = statusOf('store-fetch', addresses.storeFetch);

  return {
    clients: {
      tracking: tracking.client,
      scoring: scoring.client,
      status: {
        tracking: trackingStatus.client,
        scoring: scoringStatus.client,
        'store-fetch': storeFetchStatus.client,
      },
    },
    close: () => {
      for (const { close } of [tracking, scoring, trackingStatus, scoringStatus, storeFetchStatus]) close();
    },
  };
}
