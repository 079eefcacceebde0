import type { AddressInfo } from 'node:net';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { createClients } from '../../src/clients.ts';
import { createGateway, type GatewayDeps } from '../../src/gateway.ts';
import { builtInPlans } from '../../src/plans/plans.ts';
import { createRecordingLogger } from './recording-logger.ts';
import { startDatabase } from './start-database.ts';
import { startFakeTracking } from './start-fake-tracking.ts';

/** The real gateway on a free port, with a database of its own and a fake tracking service. */
export async function bootGateway(options: Partial<GatewayDeps> = {}) {
  const database = await startDatabase();
  const tracking = await startFakeTracking();
  const { address } = tracking;
  const { clients, close } = createClients({ tracking: address, storeFetch: address });
  const { connection } = database;
  const gateway = createGateway({
    connection,
    isDatabaseEmbedded: true,
    clients,
    plans: builtInPlans,
    logger: createRecordingLogger().logger,
    metrics: createMetrics(),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    port: 0,
    trustProxy: false,
    shownSettings: {},
    nodeVersion: process.versions.node,
    ...options,
  });
  await gateway.start();
  const { port } = gateway.address() as AddressInfo;
  return {
    gateway,
    tracking,
    connection,
    port,
    url: `http://127.0.0.1:${port}`,
    /** May come after the test has stopped the gateway itself. */
    async stop() {
      await gateway.stop();
      close();
      await tracking.stop();
      await database.stop();
    },
  };
}

export type BootedGateway = Awaited<ReturnType<typeof bootGateway>>;
