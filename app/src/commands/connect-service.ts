import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { openGrpcSecurity } from '@shelfwise/runtime/grpc/grpc-security';
import type { GrpcClient, ServiceTable } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
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
  // A command ends before its certificates change: nothing needs to be closed.
  const security = await openGrpcSecurity(deps.settings, { logger, onStop: () => {} });
  const { service, name, longestCallMs } = needed;
  return createGrpcClient({ service, name, address, security, longestCallMs });
}
