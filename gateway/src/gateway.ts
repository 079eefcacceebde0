import type { AddressInfo } from 'node:net';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import type { Part } from '@shelfwise/runtime/process/run';
import { mapListenError } from '@shelfwise/runtime/process/start-error';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { Connection } from 'mongoose';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createApp } from './app.ts';
import { createCallsInFlight } from './calls-in-flight.ts';
import type { Clients } from './clients.ts';
import type { Route } from './define-route.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { createHttpServer } from './http-server.ts';
import { createGuessLimiter } from './limits/guess-limiter.ts';
import { createInProcessDecider } from './limits/in-process-decider.ts';
import { createUsageCounters } from './limits/usage-counters.ts';
import { createOpenApiDocument } from './openapi.ts';
import { docsPages } from './pages/docs-pages.ts';
import { healthPages } from './pages/health-pages.ts';
import { createReadiness } from './pages/readiness.ts';
import type { Plans } from './plans/plans.ts';
import { routes as allRoutes } from './routes/index.ts';
import type { TrustProxy } from './trust-proxy.ts';

export type GatewayDeps = {
  /** to the database shelfwise_gateway */
  connection: Connection;
  isDatabaseEmbedded: boolean;
  clients: Clients;
  plans: Plans;
  logger: Logger;
  metrics: Metrics;
  now: () => Date;
  /** never goes back, in ms */
  monotonicMs: () => number;
  /** 0 lets the system choose */
  port: number;
  trustProxy: TrustProxy;
  /** shown on the health page; nothing secret */
  shownSettings: Readonly<Record<string, string>>;
  /** the version of Node that runs this, as process.versions.node says */
  nodeVersion: string;
  /** other endpoints than the API's own, for tests of the pipeline */
  routes?: readonly Route[];
  /** other times than `drainTimes`, for tests of the stop */
  drain?: typeof drainTimes;
};

export type Gateway = Part & {
  /** Where it listens; null before the start. */
  address(): AddressInfo | null;
  /** The accounts of this process: changes made here take effect at once. Usable from the start on. */
  accounts: Accounts;
  /**
   * From now on /readyz says 503 and every answer ends its connection, so that nobody sends anything new; `stop` comes
   * later.
   */
  announceDraining(): void;
};

/**
 * From the beginning of a stop: calls in flight are given up and answered so after `giveUpMs`, and whoever has no answer
 * by then is cut off after `cutOffMs`, so that the whole process, with the services behind it in one, ends within ten
 * seconds.
 */
const drainTimes = { giveUpMs: 5000, cutOffMs: 7000 };

export function createGateway(deps: GatewayDeps): Gateway {
  const { connection, clients, metrics, shownSettings, routes = allRoutes, drain = drainTimes } = deps;
  let isDraining = false;

  const counters = createUsageCounters(connection);
  const limits = createInProcessDecider({ counters, monotonicMs: deps.monotonicMs });
  const accounts = createAccounts({ ...deps, onKeyReplaced: limits.replaceKey });
  const callsInFlight = createCallsInFlight();
  const readReadiness = createReadiness({
    checks: ownChecks(deps),
    services: clients.status,
    settings: shownSettings,
    isDraining: () => isDraining,
  });
  const app = createApp({
    ...deps,
    routes,
    accounts,
    limits,
    counters,
    callsInFlight,
    guessLimiter: createGuessLimiter(),
    isDraining: () => isDraining,
    metrics: createGatewayMetrics(metrics, limits.windowCount),
    pages: [...healthPages(readReadiness), ...docsPages(createOpenApiDocument(routes))],
  });
  const server = createHttpServer(app, deps.nodeVersion);

  return {
    name: 'gateway',
    accounts,
    address: () => server.address() as AddressInfo | null,
    announceDraining: () => {
      isDraining = true;
    },
    async start() {
      await prepareDatabase(connection);
      const listens = new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(deps.port, resolve);
      });
      await mapListenError(listens, { address: `Port ${deps.port}`, setting: 'PORT' });
    },
    async stop() {
      isDraining = true;
      const givingUp = setTimeout(callsInFlight.endAll, drain.giveUpMs);
      await closeServer(server, drain.cutOffMs);
      clearTimeout(givingUp);
    },
  };
}

/** Accepts nothing new, closes connections as they fall idle, and the rest after `cutOffMs`. */
async function closeServer(server: ReturnType<typeof createHttpServer>, cutOffMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}

function ownChecks({ connection, isDatabaseEmbedded }: GatewayDeps): Record<string, StatusCheck> {
  return {
    database: databaseStatus(connection, isDatabaseEmbedded),
    'rate windows': async () => ({
      name: 'rate windows',
      state: PartState.DEGRADED,
      detail: 'kept in this process, without Redis: right as long as one gateway runs',
      is_embedded: true,
    }),
  };
}
