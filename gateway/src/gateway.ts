import type { AddressInfo } from 'node:net';
import { type Assets, readAssets } from '@shelfwise/dashboard/server/assets';
import { sleep as realSleep, type Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import type { Part } from '@shelfwise/runtime/process/run';
import { mapListenError } from '@shelfwise/runtime/process/start-error';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import type { ServiceDeps } from '@shelfwise/runtime/service/service';
import { createFindKeyVersion } from './accounts/account-model.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createDeletedAccounts } from './accounts/deleted-accounts.ts';
import { createApp } from './app.ts';
import type { Clients } from './clients.ts';
import type { CreateDashboardPages } from './dashboard/dashboard-page.ts';
import { createDrafts } from './dashboard/drafts.ts';
import { createDashboardPages } from './dashboard/pages/dashboard-pages.ts';
import { createSessions } from './dashboard/sessions.ts';
import { createSharedAssets } from './dashboard/shared-assets.ts';
import { createSignInLinks, type SignInLinks } from './dashboard/sign-in-links.ts';
import { createStoreState } from './dashboard/store-state.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { createCallsInFlight } from './http/calls-in-flight.ts';
import { createConnectionUse } from './http/connection-use.ts';
import { createHttpServer } from './http/http-server.ts';
import type { TrustProxy } from './http/trust-proxy.ts';
import { createRunJobs } from './jobs/run-jobs.ts';
import { createSpendBatch } from './jobs/spend-batch.ts';
import { createAddressLimiter, createSharedAddressLimiter } from './limits/address-limiter.ts';
import { createLimits } from './limits/create-limits.ts';
import { createRecentRefusals } from './limits/recent-refusals.ts';
import { createReportQuotaUse } from './limits/report-quota-use.ts';
import { createUsageCounters } from './limits/usage-counters.ts';
import type { McpSettings } from './mcp/mcp-endpoint.ts';
import type { GetDocument } from './oauth/client-documents.ts';
import { createConnectPage } from './oauth/connect-page.ts';
import { canConnect, createOAuth } from './oauth/create-oauth.ts';
import { createOpenApiDocumentInSteps } from './openapi/openapi-document.ts';
import { readExample } from './openapi/recorded-examples.ts';
import { createSlots } from './overload/slots.ts';
import { createDocsPages } from './pages/docs-pages.ts';
import { createHealthPages } from './pages/health-pages.ts';
import { createMailPages } from './pages/mail-pages.ts';
import { createReadiness, type Readiness, toStates } from './pages/readiness.ts';
import type { Plans } from './plans/plans.ts';
import { routes as allRoutes } from './routes/index.ts';
import type { Route } from './routes/route/define-route.ts';
import { gatewaySchema } from './schema.ts';
import { createShareLinks } from './share-links/share-links.ts';
import { createSharedPage } from './share-links/shared-page.ts';

export type DashboardSettings = {
  /** Where browsers reach the gateway, without a slash at its end; undefined: on this machine, at its port. */
  publicUrl: string | undefined;
  /** pages to serve instead of the dashboard's, for tests */
  createPages?: CreateDashboardPages;
  /** the files of another build, for tests */
  assets?: Assets;
  /** reads documents of assistants instead of the guard of outgoing calls, for tests */
  getClientDocument?: GetDocument;
};

export type GatewayDeps = ServiceDeps & {
  clients: Clients;
  plans: Plans;
  /** Shares the limits with other gateways; absent: each gateway has its own. */
  redis?: RedisConnection | undefined;
  /** never goes back, in ms */
  monotonicMs: () => number;
  /** how background work waits until a time of `now`; real timers when absent */
  sleep?: Sleep | undefined;
  /** 0 lets the operating system choose */
  port: number;
  /** The address to listen on; absent: all of them. */
  host?: string | undefined;
  /** Connections above this number are closed at once. */
  maxConnections: number;
  trustProxy: TrustProxy;
  /** Absent: there is no /mcp. */
  mcp?: McpSettings | undefined;
  /** Absent: there is no dashboard. */
  dashboard?: DashboardSettings | undefined;
  /** shown on the health page; nothing secret */
  shownSettings: Readonly<Record<string, string>>;
  /** the running version of Node, from process.versions.node */
  nodeVersion: string;
  /** endpoints to serve instead of the API's, for tests of the pipeline */
  routes?: readonly Route[];
  /** false: nothing looks for jobs of accounts, for tests that count what services are asked */
  runsJobs?: boolean;
  /** times to use instead of `drainTimes`, for tests of the shutdown */
  drain?: typeof drainTimes;
};

export type Gateway = Part & {
  /** Where it listens; null before the start. */
  address(): AddressInfo | null;
  /** The accounts of this process: changes made here take effect immediately. Usable after the start. */
  accounts: Accounts;
  /** Makes links that sign in to the dashboard; null without one. */
  signInLinks: SignInLinks | null;
  /** The state of every part and service, with details that only operators see. */
  readReadiness(): Promise<Readiness>;
  /**
   * From now on /readyz is 503 and every answer closes its connection, so that load balancers stop sending requests.
   * Called some time before `stop`.
   */
  announceDraining(): void;
};

/**
 * In ms, counted from the start of `stop`: calls in flight are aborted and answered after `abortCallsAfterMs`;
 * connections without an answer are closed after `closeConnectionsAfterMs`. Thus the whole process, with all services
 * in it, stops within ten seconds.
 */
const drainTimes = { abortCallsAfterMs: 5000, closeConnectionsAfterMs: 7000 };

/** Calls without a valid key of one address a minute. */
const invalidKeysPerMinute = 30;
/**
 * Per address, apart from health pages. A browser needs seven for the documentation. Each gateway counts its own: this
 * protects the process, and a page is cheaper than a call of Redis.
 */
const pageCallsPerMinute = 120;

/** Assistants of one address that may register themselves in a minute. */
const registrationsPerMinute = 20;

export function createGateway(deps: GatewayDeps): Gateway {
  const { connection, clients, plans, logger, now, monotonicMs, trustProxy } = deps;
  const { routes = allRoutes, drain = drainTimes, dashboard, sleep = realSleep } = deps;
  let isDraining = false;

  const counters = createUsageCounters(connection, createReportQuotaUse({ notify: clients.notify, logger }));
  const limits = createLimits({
    redis: deps.redis,
    counters,
    findKeyVersion: createFindKeyVersion(connection),
    onLocalDecision: () => metrics.localDecisions.inc(),
    logger,
    monotonicMs,
  });
  const accounts = createAccounts({
    connection,
    plans,
    logger,
    now,
    monotonicMs,
    // No other process opens an embedded database while this one runs.
    isOnlyWriter: deps.isDatabaseEmbedded,
    onKeyReplaced: limits.replaceKey,
    onDeleted: () => deletedAccounts.wake(),
  });
  const sessions = createSessions({ connection, accounts, now });
  const publicUrl = () => dashboard?.publicUrl ?? `http://localhost:${address()?.port}`;
  const signInLinks = createSignInLinks({ connection, accounts, publicUrl, now });
  const own = dashboard ? (dashboard.assets ?? readAssets()) : null;
  const assets = createSharedAssets({ connection, own, logger, now, monotonicMs });
  const drafts = createDrafts({ connection, now });
  const shareLinks = createShareLinks({
    connection,
    accounts,
    plans,
    publicUrl: () => (dashboard ? publicUrl() : null),
    now,
  });
  const oauth = createOAuth({
    connection,
    accounts,
    plans,
    publicUrl,
    getDocument: dashboard?.getClientDocument,
    now,
  });
  const canAssistantsConnect = deps.mcp !== undefined && canConnect(dashboard?.publicUrl);
  const runJobs = createRunJobs({
    services: [clients.tracking, clients.scoring],
    spendBatch: createSpendBatch({ accounts, plans, counters, tracking: clients.tracking, now }),
    counters,
    logger,
    now,
    sleep,
  });
  const deletedAccounts = createDeletedAccounts({
    connection,
    owned: [counters, sessions, signInLinks, drafts, shareLinks, ...oauth.owned],
    expiring: [sessions, signInLinks, drafts, shareLinks, assets, ...oauth.expiring],
    services: clients.accountRows,
    logger,
    now,
    sleep,
  });
  const callsInFlight = createCallsInFlight();
  const connectionUse = createConnectionUse();
  const slots = createSlots(monotonicMs);
  const metrics = createGatewayMetrics(deps.metrics, {
    windowCount: limits.windowCount,
    slotLimits: slots.limits,
  });
  const readReadiness = createReadiness({
    checks: createGatewayChecks(deps, limits.status),
    services: clients.status,
    settings: deps.shownSettings,
    isDraining: () => isDraining,
    monotonicMs,
  });
  deps.metrics.parts.add('gateway', async () => toStates(await readReadiness()));
  const readStoreState = createStoreState(clients.status['store-fetch'], monotonicMs);
  const createOwnPages = createDashboardPages({
    assets,
    readStoreState,
    listSessions: sessions.list,
    listConnections: oauth.grants.list,
    canAssistantsConnect,
    findDraft: drafts.find,
    publicUrl,
    now,
  });
  const createPageOfConnection = createConnectPage({ oauth, head: assets.head });
  const createPageOfLink = createSharedPage({
    shareLinks,
    callsInFlight,
    head: assets.head,
    readStoreState,
    now,
  });
  const app = createApp({
    accounts,
    plans,
    limits: limits.decider,
    recentRefusals: createRecentRefusals(monotonicMs),
    counters,
    invalidKeyLimiter: deps.redis
      ? createSharedAddressLimiter(deps.redis, invalidKeysPerMinute)
      : createAddressLimiter(invalidKeysPerMinute),
    pageLimiter: createAddressLimiter(pageCallsPerMinute),
    connectionUse,
    clients,
    callsInFlight,
    slots,
    shareLinks,
    wakeJobs: runJobs.wake,
    routes,
    healthPages: createHealthPages(readReadiness),
    publicPages: createDocsPages({
      createDocument: () => createOpenApiDocumentInSteps(routes, readExample),
      hasDashboard: dashboard !== undefined,
    }),
    mailPages: createMailPages(clients),
    mcp: deps.mcp && {
      ...deps.mcp,
      // Assistants come by the stated address, and no page of another site can have its name.
      hosts: canAssistantsConnect ? [...deps.mcp.hosts, new URL(publicUrl()).hostname] : deps.mcp.hosts,
    },
    oauth: canAssistantsConnect ? oauth : undefined,
    registrationLimiter: createAddressLimiter(registrationsPerMinute),
    dashboard: dashboard && {
      sessions,
      links: signInLinks,
      drafts,
      connections: oauth,
      limits: { limits: limits.sessionDecider, recentRefusals: createRecentRefusals(monotonicMs) },
      style: assets.head?.style ?? null,
      isSecure: dashboard.publicUrl?.startsWith('https:') ?? false,
      createPages: (tools) => {
        const { pages, sendProblem } = (dashboard.createPages ?? createOwnPages)(tools);
        const connect = canAssistantsConnect ? [createPageOfConnection(tools)] : [];
        return { pages: [...pages, createPageOfLink(tools), ...connect], sendProblem };
      },
    },
    logger,
    metrics,
    trustProxy,
    diskSpace: deps.diskSpace,
    isDraining: () => isDraining,
    now,
    monotonicMs,
  });
  const server = createHttpServer(app, {
    nodeVersion: deps.nodeVersion,
    maxConnections: deps.maxConnections,
    monotonicMs,
    connectionUse,
    isKnownKey: (key) => accounts.isKnownKey(key) || oauth.tokens.isKnown(key),
    onConnectionEnded: (reason) => metrics.endedConnections.inc({ reason }),
  });

  function address(): AddressInfo | null {
    return server.address() as AddressInfo | null;
  }

  return {
    name: 'gateway',
    accounts,
    signInLinks: dashboard ? signInLinks : null,
    readReadiness,
    address,
    announceDraining: () => {
      isDraining = true;
    },
    async start() {
      await prepareDatabase(connection, gatewaySchema, deps.schemaMode);
      await assets.share();
      const listens = new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // With Node's 511 a burst of new connections loses some, which clients try again after 1, 3, 7 seconds.
        const backlog = deps.maxConnections;
        server.listen({ port: deps.port, host: deps.host, backlog }, resolve);
      });
      deletedAccounts.start();
      if (deps.runsJobs !== false) runJobs.start();
      await mapListenError(listens, listenTarget(deps));
    },
    async stop() {
      isDraining = true;
      // They wait to call this server, which accepts nothing more.
      deps.mcp?.endpoint.stopCalls?.();
      const abortTimer = setTimeout(callsInFlight.abortAll, drain.abortCallsAfterMs);
      const givingUp = new AbortController();
      const closed = closeServer(server, drain.closeConnectionsAfterMs);
      // A call that outlives its caller has no connection any more, but may still have to refund its use.
      await Promise.all([
        closed,
        deletedAccounts.stop(),
        runJobs.stop(),
        Promise.race([callsInFlight.ended(), realSleep(drain.closeConnectionsAfterMs, givingUp.signal)]),
      ]);
      givingUp.abort();
      clearTimeout(abortTimer);
    },
  };
}

/** How a failure to listen names the address, and the setting that changes it. */
function listenTarget({ host, port }: Pick<GatewayDeps, 'host' | 'port'>) {
  return host === undefined
    ? { address: `Port ${port}`, setting: 'PORT' }
    : { address: `Port ${port} of ${host}`, setting: 'PORT or HOST' };
}

/**
 * Stops accepting connections, closes each open one as it becomes idle, and the rest after `closeConnectionsAfterMs`. Those that are
 * idle are closed when what has arrived is read, which `setImmediate` waits for: a busy process would reset calls that it has not read.
 */
async function closeServer(
  server: ReturnType<typeof createHttpServer>,
  closeConnectionsAfterMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    setImmediate(() => server.close(() => resolve()));
  });
  const idleTimer = setInterval(() => setImmediate(() => server.closeIdleConnections()), 50);
  const closeTimer = setTimeout(() => server.closeAllConnections(), closeConnectionsAfterMs);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(closeTimer);
}

function createGatewayChecks(
  {
    connection,
    isDatabaseEmbedded,
    diskSpace,
  }: Pick<GatewayDeps, 'connection' | 'isDatabaseEmbedded' | 'diskSpace'>,
  rateWindows: StatusCheck,
): Record<string, StatusCheck> {
  const checks: Record<string, StatusCheck> = {
    database: databaseStatus(connection, isDatabaseEmbedded),
    'rate windows': rateWindows,
  };
  if (diskSpace) checks['disk space'] = diskSpace.status;
  return checks;
}
