import { isIPv6 } from 'node:net';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { type Clients, createClients } from '@shelfwise/gateway/clients';
import { createGateway } from '@shelfwise/gateway/gateway';
import { readPlans } from '@shelfwise/gateway/plans/plans';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import type { StoreSource } from '@shelfwise/store-fetch/source';
import { answerAccountCommands } from './answer-account-commands.ts';
import { type StartDeps, startServices } from './start-services.ts';

export type System = {
  url: string;
  dataDir: string;
  /** Whether this start created the database. */
  isFresh: boolean;
  accounts: Accounts;
  clients: Clients;
  source: StoreSource;
  bus: EventBus;
  metrics: Metrics;
  /** Reports the coming stop on the health page and the control socket, and starts no more background work. */
  announceDraining(): void;
};

/**
 * Starts the whole product in one process: the services and the gateway. `run` stops all parts in reverse order.
 * @throws StartError, ConfigError, or the error of a part that cannot start
 */
export async function startSystem(deps: StartDeps): Promise<System> {
  const { settings, run, logger } = deps;
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const services = await startServices(deps);
  const { control, databases, dataDir, isFresh, source, bus, metrics, now, checks } = services;

  const { clients, close } = createClients(services);
  run.onStop('clients', async () => close());
  const gateway = createGateway({
    connection: databases.gateway,
    isDatabaseEmbedded: databases.isEmbedded,
    diskSpace: services.diskSpace,
    clients,
    plans,
    logger,
    metrics,
    now,
    monotonicMs: () => performance.now(),
    port: settings.PORT,
    host: settings.HOST,
    maxConnections: settings.MAX_CONNECTIONS,
    trustProxy: settings.TRUST_PROXY,
    shownSettings: { 'store source': settings.STORE_SOURCE },
    nodeVersion: deps.process.nodeVersion,
  });
  await run.start(gateway);
  if (settings.METRICS_PORT !== undefined)
    await run.start(createOpsServer({ port: settings.METRICS_PORT, metrics, checks }));

  const url = `http://${toReachableHost(settings.HOST)}:${gateway.address()?.port}`;
  control.setCommandHandler(answerAccountCommands(gateway.accounts, logger));
  control.update({ state: 'running', url });
  return {
    url,
    dataDir,
    isFresh,
    accounts: gateway.accounts,
    clients,
    source,
    bus,
    metrics,
    announceDraining() {
      control.update({ state: 'draining' });
      control.setCommandHandler(null);
      gateway.announceDraining();
      services.announceDraining();
    },
  };
}

/** The host in an address of this system that is printed. A server that listens on all addresses is on localhost, too. */
function toReachableHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
