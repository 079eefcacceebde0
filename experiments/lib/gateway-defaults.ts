import { type Clients, createClients } from '@shelfwise/gateway/clients';
import { builtInPlans } from '@shelfwise/gateway/plans/plans';
import type { ServiceAddress } from '@shelfwise/runtime/grpc/grpc-types';

/** What the gateways of all measurements have in common, as the product starts them. */
export const gatewayDefaults = {
  plans: builtInPlans,
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  port: 0,
  maxConnections: 10_000,
  trustProxy: false,
  shownSettings: {},
  nodeVersion: process.versions.node,
} as const;

/** Clients of a gateway whose measured calls need one service only: all of them call it. */
export function createClientsOf(address: ServiceAddress): { clients: Clients; close(): void } {
  return createClients({
    tracking: address,
    scoring: address,
    storeFetch: address,
    niche: address,
    chart: address,
    notify: address,
  });
}
