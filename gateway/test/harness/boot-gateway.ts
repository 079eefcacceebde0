import type { AddressInfo } from 'node:net';
import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { monotonicMs } from '../../../testing/system-clock.ts';
import { createClients } from '../../src/clients.ts';
import { createGateway, type GatewayDeps } from '../../src/gateway.ts';
import { builtInPlans } from '../../src/plans/plans.ts';
import { createRecordingLogger } from './recording-logger.ts';
import { startDatabase } from './start-database.ts';
import { startFakeService } from './start-fake-service.ts';

/** `isRemote`: the services are called over gRPC, not in this process. */
export type BootOptions = Partial<GatewayDeps> & { isRemote?: boolean };

/** The real gateway on a free port, with its own database and fake services behind it. */
export async function bootGateway({ isRemote = false, ...options }: BootOptions = {}) {
  const database = await startDatabase();
  const tracking = await startFakeService('tracking', TrackingServiceService, { isRemote });
  const scoring = await startFakeService('scoring', ScoringServiceService, { isRemote });
  const storeFetch = await startFakeService('store-fetch', StoreFetchServiceService, { isRemote });
  const niche = await startFakeService('niche', NicheServiceService, { isRemote });
  const chart = await startFakeService('chart', ChartServiceService, { isRemote });
  const notify = await startFakeService('notify', NotifyServiceService, { isRemote });
  const services = { tracking, scoring, storeFetch, niche, chart, notify };
  const { clients, close } = createClients({
    tracking: tracking.address,
    scoring: scoring.address,
    storeFetch: storeFetch.address,
    niche: niche.address,
    chart: chart.address,
    notify: notify.address,
  });
  const { connection } = database;
  const gateway = createGateway({
    connection,
    isDatabaseEmbedded: true,
    clients,
    plans: builtInPlans,
    logger: createRecordingLogger().logger,
    metrics: createMetrics(),
    now: () => new Date(),
    monotonicMs,
    port: 0,
    maxConnections: 1000,
    trustProxy: false,
    dashboard: { publicUrl: undefined },
    runsJobs: false,
    shownSettings: {},
    nodeVersion: process.versions.node,
    ...options,
  });
  /** The test may already have stopped the gateway itself. */
  async function stop() {
    await gateway.stop();
    close();
    await Promise.all(Object.values(services).map((service) => service.stop()));
    await database.stop();
  }
  try {
    await gateway.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const { port } = gateway.address() as AddressInfo;
  return {
    gateway,
    services,
    connection,
    port,
    url: `http://127.0.0.1:${port}`,
    stop,
  };
}

export type BootedGateway = Awaited<ReturnType<typeof bootGateway>>;
