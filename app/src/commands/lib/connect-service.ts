import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { GrpcClient, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import { openGrpcSecurity } from '@shelfwise/runtime/grpc/tls/grpc-security';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { type FindServiceDeps, findService, type NeededService } from './find-service.ts';

/**
 * A client of the service that a command calls (see `findService`).
 * @throws StartError also when the certificates cannot be used, or calls would leave this machine without encryption
 */
export async function connectService<Service extends ServiceTable>(
  needed: NeededService & { service: Service; longestCallMs?: number },
  deps: FindServiceDeps,
): Promise<{ client: GrpcClient<Service>; close(): void }> {
  const address = await findService(needed, deps);
  const logger = createLogger({ name: 'command', level: 'error', destination: process.stderr });
  const closers: (() => Promise<unknown>)[] = [];
  const security = await openGrpcSecurity(deps.settings, {
    logger,
    onStop: (_part, close) => closers.push(close),
  });
  const { service, name, longestCallMs } = needed;
  const { client, close } = createGrpcClient({ service, name, address, security, longestCallMs });
  return {
    client,
    close() {
      close();
      for (const closeSecurity of closers) void closeSecurity();
    },
  };
}
