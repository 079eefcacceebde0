import type { Run } from '../../process/run.ts';
import type { GrpcClient, ServiceAddress, ServiceTable } from '../grpc-types.ts';
import type { GrpcSecurity } from '../tls/grpc-security.ts';
import { type ClientMetrics, createGrpcClient } from './grpc-client.ts';

/** A client (see `createGrpcClient`) that closes when the process stops. */
export function connectClient<Service extends ServiceTable>(
  onStop: Run['onStop'],
  called: {
    service: Service;
    name: string;
    address: ServiceAddress;
    security?: GrpcSecurity;
    metrics: ClientMetrics;
  },
): GrpcClient<Service> {
  const { client, close } = createGrpcClient(called);
  onStop(`${called.name} client`, async () => close());
  return client;
}
