import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { type ClientMetrics, createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { GrpcClient, ServiceAddress, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import type { GrpcSecurity } from '@shelfwise/runtime/grpc/tls/grpc-security';

/** The services behind the gateway, as the routes call them. */
export type Clients = {
  tracking: GrpcClient<typeof TrackingServiceService>;
  scoring: GrpcClient<typeof ScoringServiceService>;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  niche: GrpcClient<typeof NicheServiceService>;
  chart: GrpcClient<typeof ChartServiceService>;
  notify: GrpcClient<typeof NotifyServiceService>;
  /** The services with rows of accounts, in the order in which they delete them. */
  accountRows: Readonly<Record<string, GrpcClient<typeof AccountRowsServiceService>>>;
  /** The status RPC of each service, by its name, for the health page. */
  status: Readonly<Record<string, GrpcClient<typeof StatusServiceService>>>;
};

/** A service, by its name in metrics, in logs and on the health page. */
export type ServiceName = 'tracking' | 'scoring' | 'store-fetch' | 'niche' | 'chart' | 'notify';

export type ServiceAddresses = Readonly<
  Record<Exclude<keyof Clients, 'status' | 'accountRows'>, ServiceAddress>
>;

/** The deadline of an analysis of a niche; those of all other calls are a minute at most. */
export const longestAnalysisMs = 300_000;

/** Clients of the services at these addresses. Each connects on its first call. */
export function createClients(
  addresses: ServiceAddresses,
  { security, metrics }: { security?: GrpcSecurity; metrics?: ClientMetrics } = {},
): { clients: Clients; close(): void } {
  const closers: (() => void)[] = [];
  const connect = <Service extends ServiceTable>(
    service: Service,
    name: string,
    address: ServiceAddress,
    longestCallMs?: number,
  ) => {
    const { client, close } = createGrpcClient({
      service,
      name,
      address,
      longestCallMs,
      security,
      metrics,
    });
    closers.push(close);
    return client;
  };
  const connectRows = (name: string, address: ServiceAddress) =>
    connect(AccountRowsServiceService, name, address);
  const connectStatus = (name: string, address: ServiceAddress) =>
    connect(StatusServiceService, name, address);

  return {
    clients: {
      tracking: connect(TrackingServiceService, 'tracking', addresses.tracking),
      scoring: connect(ScoringServiceService, 'scoring', addresses.scoring),
      storeFetch: connect(StoreFetchServiceService, 'store-fetch', addresses.storeFetch),
      niche: connect(NicheServiceService, 'niche', addresses.niche, longestAnalysisMs),
      chart: connect(ChartServiceService, 'chart', addresses.chart),
      notify: connect(NotifyServiceService, 'notify', addresses.notify),
      accountRows: {
        tracking: connectRows('tracking', addresses.tracking),
        scoring: connectRows('scoring', addresses.scoring),
        niche: connectRows('niche', addresses.niche),
        notify: connectRows('notify', addresses.notify),
        'store-fetch': connectRows('store-fetch', addresses.storeFetch),
      },
      status: {
        tracking: connectStatus('tracking', addresses.tracking),
        scoring: connectStatus('scoring', addresses.scoring),
        'store-fetch': connectStatus('store-fetch', addresses.storeFetch),
        niche: connectStatus('niche', addresses.niche),
        chart: connectStatus('chart', addresses.chart),
        notify: connectStatus('notify', addresses.notify),
      },
    },
    close: () => {
      for (const close of closers) close();
    },
  };
}
