import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { type Clients, createClients } from '@shelfwise/gateway/clients';
import { toDashboard } from '@shelfwise/gateway/config';
import type { SignInLinks } from '@shelfwise/gateway/dashboard/sign-in-links';
import { createGateway, type Gateway } from '@shelfwise/gateway/gateway';
import type { Readiness } from '@shelfwise/gateway/pages/readiness';
import { readPlans } from '@shelfwise/gateway/plans/plans';
import { systemClock } from '@shelfwise/mcp/api/system-clock';
import { createHttpHandler } from '@shelfwise/mcp/http/create-http-handler';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { createOpsServer } from '@shelfwise/runtime/process/ops-server';
import type { StoreSource } from '@shelfwise/store-fetch/source';
import { answerAccountCommands } from './answer-account-commands.ts';
import { answerEventsCommands } from './answer-events-commands.ts';
import { toLocalHost } from './local-host.ts';
import type { Buses } from './open-buses.ts';
import { type StartDeps, startServices } from './start-services.ts';

export type System = {
  url: string;
  /** The server for operators; null without METRICS_PORT. */
  opsUrl: string | null;
  dataDir: string;
  /** Whether this start created the database. */
  isFresh: boolean;
  accounts: Accounts;
  /** Null without a dashboard. */
  signInLinks: SignInLinks | null;
  clients: Clients;
  source: StoreSource;
  buses: Buses;
  metrics: Metrics;
  /** The state of every part, with details that only operators see. */
  readReadiness(): Promise<Readiness>;
  /** Reports the coming stop on the health page and the control socket, and starts no more background work. */
  announceDraining(): void;
};

/**
 * Starts the whole product in one process: the services and the gateway. `run` stops all parts in reverse order.
 * @throws StartError, ConfigError, or the error of a part that cannot start
 */
export async function startSystem(deps: StartDeps): Promise<System> {
  const { settings, run, logger, monotonicMs = () => performance.now() } = deps;
  const plans = await readPlans(settings.SHELFWISE_PLANS_FILE);
  const services = await startServices(deps);
  const { control, databases, dataDir, isFresh, source, buses, metrics, now } = services;

  const { clients, close } = createClients(services, { metrics });
  run.onStop('clients', async () => close());
  const mcp = createHttpHandler({
    // Its tools call the API as any client does: keys, plans and limits are checked in one place.
    baseUrl: () => `http://${toLocalHost(settings.HOST)}:${gateway.address()?.port}`,
    onUnreachable: (error) => logger.warn({ err: error }, 'the assistant server cannot reach the API'),
    onRefused: (reason) => logger.debug({ reason }, 'a request of /mcp is refused'),
    clock: { nowMs: monotonicMs, after: systemClock.after },
  });
  run.onStop('assistant server', mcp.close);
  const gateway: Gateway = createGateway({
    connection: databases.gateway,
    isDatabaseEmbedded: databases.isEmbedded,
    diskSpace: services.diskSpace,
    clients,
    plans,
    redis: services.redis,
    logger,
    metrics,
    now,
    monotonicMs,
    sleep: deps.sleep,
    port: settings.PORT,
    host: settings.HOST,
    maxConnections: settings.MAX_CONNECTIONS,
    trustProxy: settings.TRUST_PROXY,
    mcp: { endpoint: mcp, hosts: settings.MCP_HOSTS },
    dashboard: toDashboard(settings),
    shownSettings: { 'store source': settings.STORE_SOURCE },
    nodeVersion: deps.process.nodeVersion,
  });
  await run.start(gateway);
  const { readReadiness } = gateway;
  const { METRICS_PORT: opsPort, METRICS_HOST: host } = settings;
  const ops =
    opsPort === undefined
      ? null
      : await run.start(createOpsServer({ host, port: opsPort, metrics, readReadiness }));

  const url = `http://${toReachableHost(settings.HOST)}:${gateway.address()?.port}`;
  control.setCommandHandlers({
    accounts: answerAccountCommands({ accounts: gateway.accounts, signInLinks: gateway.signInLinks, logger }),
    events: answerEventsCommands(buses.admin, logger),
  });
  control.update({ state: 'running', url });
  return {
    url,
    opsUrl: ops?.url() ?? null,
    dataDir,
    isFresh,
    accounts: gateway.accounts,
    signInLinks: gateway.signInLinks,
    clients,
    source,
    buses,
    metrics,
    readReadiness,
    announceDraining() {
      control.update({ state: 'draining' });
      control.setCommandHandlers(null);
      gateway.announceDraining();
      services.announceDraining();
    },
  };
}

/** The host in an address of this system that is printed. A server that listens on all addresses is on localhost, too. */
function toReachableHost(host: string | undefined): string {
  return host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : toLocalHost(host);
}
