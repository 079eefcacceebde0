import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import express, { type Express, type IRouter, type RequestHandler } from 'express';
import type { Accounts } from './accounts/accounts.ts';
import type { Clients } from './clients.ts';
import { createCallAsSession } from './dashboard/call-as-session.ts';
import { type CreateDashboardPages, leadToSignIn, showProblems } from './dashboard/dashboard-page.ts';
import { createDraftCalls } from './dashboard/draft-calls.ts';
import type { Drafts } from './dashboard/drafts.ts';
import { createShowIcon } from './dashboard/icons.ts';
import { createManageSessions } from './dashboard/manage-sessions.ts';
import { requireOwnPage } from './dashboard/require-own-page.ts';
import { createReadSession, requireSession } from './dashboard/require-session.ts';
import { createSessionCookie } from './dashboard/session-cookie.ts';
import type { Sessions } from './dashboard/sessions.ts';
import { createDashboardHeaders } from './dashboard/set-dashboard-headers.ts';
import { createSignIn } from './dashboard/sign-in.ts';
import type { SignInLinks } from './dashboard/sign-in-links.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { CallsInFlight } from './http/calls-in-flight.ts';
import { createClientAddress } from './http/client-address.ts';
import type { ConnectionUse } from './http/connection-use.ts';
import type { TrustProxy } from './http/trust-proxy.ts';
import type { AddressLimiter } from './limits/address-limiter.ts';
import type { LimitDecider } from './limits/limit-decider.ts';
import type { RecentRefusals } from './limits/recent-refusals.ts';
import type { UsageCounters } from './limits/usage-counters.ts';
import { checkHost } from './mcp/check-host.ts';
import { limitMcpCalls } from './mcp/limit-mcp-calls.ts';
import type { McpSettings } from './mcp/mcp-endpoint.ts';
import { refuseDeepBody } from './mcp/refuse-deep-body.ts';
import { refuseMcpProblem } from './mcp/send-mcp-error.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { assignRequestId } from './middleware/assign-request-id.ts';
import {
  authenticate,
  createRefuseUnknown,
  type RefuseUnknown,
  requirePlan,
} from './middleware/authenticate.ts';
import { callHandler } from './middleware/call-handler.ts';
import { chooseAnswerFormat } from './middleware/choose-format.ts';
import { compressAnswers } from './middleware/compress-answers.ts';
import { decideLimits, type LimitDeps } from './middleware/decide-limits.ts';
import { detectFullDisk } from './middleware/detect-full-disk.ts';
import { enforceQuota } from './middleware/enforce-quota.ts';
import { enforceRate } from './middleware/enforce-rate.ts';
import { handleErrors } from './middleware/handle-errors.ts';
import { letBodyArrive } from './middleware/let-body-arrive.ts';
import { limitCallsInFlight } from './middleware/limit-calls-in-flight.ts';
import { limitPageCalls } from './middleware/limit-page-calls.ts';
import {
  detectBrokenPath,
  detectUnknownPath,
  detectWrongMethod,
  recordRoute,
} from './middleware/match-route.ts';
import { parseInput, refuseProblem } from './middleware/parse-input.ts';
import { readBody } from './middleware/read-body.ts';
import { recordRequest } from './middleware/record-request.ts';
import { refuseLongBody } from './middleware/refuse-long-body.ts';
import { repeatRefusal } from './middleware/repeat-refusal.ts';
import { setHeaders } from './middleware/set-headers.ts';
import { shedOverload, takeSlot } from './middleware/shed-overload.ts';
import { traceRequest } from './middleware/trace-request.ts';
import { acceptAccessToken } from './oauth/accept-access-token.ts';
import type { OAuth } from './oauth/create-oauth.ts';
import { createManageConnections } from './oauth/manage-connections.ts';
import { createOAuthRouter } from './oauth/oauth-router.ts';
import { useCallCredential } from './oauth/use-call-credential.ts';
import type { Slots } from './overload/slots.ts';
import type { MailPage } from './pages/mail-pages.ts';
import type { Plans } from './plans/plans.ts';
import type { PublicPage, Route, RouteDeps } from './routes/route/define-route.ts';

/** Where assistants reach the API by their protocol. */
const mcpPath = '/mcp';
/** Clients of the protocol look here for an OAuth server. Without one, a key is all that is needed. */
const wellKnownPath = '/.well-known';
const apiPath = '/api/v1';
const dashboardPath = '/dashboard';
/** A key or a code, and the JSON around it. */
const maxSecretBytes = 1024;
/** A path has one spelling: other letter cases, or a slash at the end, are other paths. */
const routing = { caseSensitive: true, strict: true };

/** The dashboard's sessions, the links that start them, and their own limits. */
export type DashboardDeps = {
  sessions: Sessions;
  links: SignInLinks;
  /** What is typed in the simulator. */
  drafts: Drafts;
  /** Shown and ended also while no new ones can be made. */
  connections: OAuth;
  limits: Pick<LimitDeps, 'limits' | 'recentRefusals'>;
  /** What is in the HTML of its pages; null: they are not built. */
  style: string | null;
  /** Whether browsers reach it by https. */
  isSecure: boolean;
  createPages: CreateDashboardPages;
};

type AppDeps = {
  accounts: Accounts;
  plans: Plans;
  limits: LimitDecider;
  recentRefusals: RecentRefusals;
  counters: UsageCounters;
  /** Counts calls without a valid key. */
  invalidKeyLimiter: AddressLimiter;
  pageLimiter: AddressLimiter;
  connectionUse: ConnectionUse;
  clients: Clients;
  callsInFlight: CallsInFlight;
  slots: Slots;
  shareLinks: RouteDeps['shareLinks'];
  wakeJobs: RouteDeps['wakeJobs'];
  routes: readonly Route[];
  healthPages: readonly PublicPage[];
  publicPages: readonly PublicPage[];
  mailPages: readonly MailPage[];
  mcp: McpSettings | undefined;
  /** Absent: there is no dashboard. */
  dashboard: DashboardDeps | undefined;
  /** Absent: assistants from elsewhere cannot connect. */
  oauth: OAuth | undefined;
  /** Counts registrations of assistants. */
  registrationLimiter: AddressLimiter;
  logger: Logger;
  metrics: GatewayMetrics;
  trustProxy: TrustProxy;
  diskSpace: DiskSpace | undefined;
  isDraining: () => boolean;
  now: () => Date;
  monotonicMs: () => number;
};

/**
 * The pipeline: every step of a request, in order. Problems of a request are answered after the rate windows, so that
 * wrong requests are limited, too.
 */
export function createApp(deps: AppDeps): Express {
  const { accounts, plans, limits, invalidKeyLimiter, pageLimiter } = deps;
  const { healthPages, publicPages, logger, metrics, trustProxy, isDraining, now, monotonicMs } = deps;
  const { recentRefusals, mcp, dashboard, oauth, connectionUse } = deps;
  const keyLimits = { limits, recentRefusals, metrics, now, monotonicMs };
  const app = createExpress(trustProxy);

  const quietRoutes = healthPages.map(({ path }) => path);
  app.use(assignRequestId, recordRequest({ logger, metrics, monotonicMs, quietRoutes }));
  app.use(setHeaders({ isDraining }));
  app.use(compressAnswers);
  for (const { path, answer } of healthPages) app.get(path, recordRoute(path), answer);
  app.use(traceRequest);
  for (const { path, answer } of publicPages)
    app.get(path, recordRoute(path), limitPageCalls(pageLimiter), answer); // 429 after too many from one address

  app.use(letBodyArrive);
  if (oauth) app.use(createOAuthRouter({ ...deps, oauth }));
  app.use(wellKnownPath, limitPageCalls(pageLimiter), detectUnknownPath, refuseProblem); // 404, 429

  for (const { path, show, act } of deps.mailPages) {
    const page = [recordRoute(path), limitPageCalls(pageLimiter)]; // 429
    app.get(toExpressPath(path), ...page, show);
    app.post(toExpressPath(path), ...page, readBody(false), refuseProblem, act); // 413
  }
  const { isProxy } = createClientAddress(app);
  const refuseUnknown = createRefuseUnknown({ invalidKeyLimiter, connectionUse, isProxy });
  if (dashboard)
    app.use(
      dashboardPath,
      createDashboardHeaders(dashboard.style),
      createDashboardRouter({
        ...deps,
        dashboard,
        refuseUnknown,
        sessionLimits: { ...keyLimits, ...dashboard.limits },
      }),
    );

  if (mcp && oauth)
    app.all(
      mcpPath,
      recordRoute(mcpPath),
      acceptAccessToken({
        oauth,
        plans,
        connectionUse,
        refuseUnknown,
        limitExpired: limitPageCalls(pageLimiter),
        now,
      }), // 401 that says where to connect, 429
    );
  app.use(authenticate({ accounts, plans, connectionUse, refuseUnknown, calls: oauth?.calls })); // 401, and 429 after too many invalid keys
  app.use(requirePlan); //                                          403

  if (mcp) {
    app.post(
      mcpPath,
      recordRoute(mcpPath),
      checkHost(mcp.hosts), // 403: a web page of another site
      limitMcpCalls(), //      429 and 503, before the body is read
      readBody(true), //       detects problems, answered below
      refuseMcpProblem, //     400, 413
      refuseDeepBody, //       400
      serveMcp(mcp.endpoint, oauth),
    );
    app.all(mcpPath, recordRoute(mcpPath), detectWrongMethod(['POST']), refuseMcpProblem); // 405
  }

  const pages = [...healthPages, ...publicPages];
  mountRoutes(app, { ...deps, limitDeps: keyLimits, pages, isForSessions: false });

  app.use(handleErrors({ logger, limits, calls: oauth?.calls }));
  return app;
}

/**
 * The dashboard's pages, their ways in and out, and the API for them: the same endpoints, with a session instead of a key. Nothing
 * else under its path goes on to the API.
 */
function createDashboardRouter(
  deps: AppDeps & { dashboard: DashboardDeps; refuseUnknown: RefuseUnknown; sessionLimits: LimitDeps },
): IRouter {
  const { accounts, plans, pageLimiter, callsInFlight, connectionUse, now } = deps;
  const { dashboard, oauth, refuseUnknown, sessionLimits } = deps;
  const { sessions, links, drafts, isSecure, createPages } = dashboard;
  const callAsSession = createCallAsSession(deps);
  const cookie = createSessionCookie({ isSecure });
  const readSession = createReadSession({ sessions, cookie, plans, connectionUse });
  const signIn = createSignIn({ accounts, sessions, links, cookie, plans, readSession, refuseUnknown });
  const { signOut, list, end, replaceKey, setShortcuts } = createManageSessions({
    accounts,
    sessions,
    cookie,
    readSession,
    now,
  });
  const withSession = requireSession(readSession, refuseUnknown); // 401, and 429 after too many without one
  const inWindows = [decideLimits({ cost: 0 }, sessionLimits), enforceRate]; // 429
  const pageLimit = limitPageCalls(pageLimiter); //                           429

  const { pages, sendProblem } = createPages({ readSession, callAsSession });

  const router = express.Router(routing);
  router.use(showProblems(sendProblem));
  const mount = (method: 'get' | 'post' | 'put' | 'delete', path: string, ...steps: RequestHandler[]) =>
    router[method](toExpressPath(path), recordRoute(`${dashboardPath}${path}`), ...steps);
  for (const { path, isPublic, answer, answerAtOnce } of pages) {
    const admit = isPublic
      ? [pageLimit]
      : [
          leadToSignIn(readSession, pageLimit),
          ...inWindows,
          limitCallsInFlight(callsInFlight),
          refuseProblem,
        ]; // 302, 429, 503
    mount('get', path, ...(answerAtOnce ? [answerAtOnce] : []), ...admit, answer);
  }

  const { findByKey, findByCode, showAccount, useCode, start } = signIn;
  const readSecret = [requireOwnPage, refuseLongBody(maxSecretBytes), readBody(true)]; // 403: a page of another site
  mount('post', '/session/key', ...readSecret, findByKey, ...inWindows, start);
  mount('post', '/session/link/account', ...readSecret, findByCode, ...inWindows, showAccount);
  mount('post', '/session/link', ...readSecret, findByCode, ...inWindows, useCode, start);
  mount('delete', '/session', requireOwnPage, pageLimit, signOut);
  mount('get', '/sessions', withSession, ...inWindows, list);
  mount('delete', '/sessions/{id}', requireOwnPage, withSession, ...inWindows, end);
  const readJson = [readBody(true), ...inWindows, refuseProblem];
  mount('post', '/key', requireOwnPage, withSession, ...readJson, replaceKey);
  mount('put', '/shortcuts', requireOwnPage, withSession, ...readJson, setShortcuts);
  const connections = createManageConnections(dashboard.connections);
  if (oauth) mount('post', '/connect', requireOwnPage, withSession, ...readJson, connections.allow);
  mount('get', '/connections', withSession, ...inWindows, connections.list);
  mount('delete', '/connections', requireOwnPage, withSession, ...inWindows, connections.endAll);
  mount('delete', '/connections/{id}', requireOwnPage, withSession, ...inWindows, connections.end);
  const draftCalls = createDraftCalls(drafts, callAsSession);
  const readDraft = [limitCallsInFlight(callsInFlight), readBody(true), ...inWindows, refuseProblem];
  mount('put', '/apps/{id}/draft', requireOwnPage, withSession, ...readDraft, draftCalls.keep);
  mount('delete', '/apps/{id}/draft', requireOwnPage, withSession, ...readDraft, draftCalls.remove);
  mount(
    'get',
    '/icons/{store}/{app_id}',
    withSession,
    limitCallsInFlight(callsInFlight, 'icons'),
    refuseProblem, // 503
    createShowIcon(callAsSession), // 204: there is none
  );

  const api = express.Router(routing);
  mountRoutes(api, { ...deps, limitDeps: sessionLimits, pages: [], isForSessions: true });
  router.use('/api', withSession, api);
  router.use(pageLimit, detectUnknownPath, detectBrokenPath, refuseProblem); // 404, 400
  return router;
}

/**
 * The endpoints of the API, for callers that earlier steps have found, and the refusal of everything else that comes to the
 * router. That of the sessions is mounted under a path of its own.
 * Problems of a request are answered after the rate windows, so that wrong requests are limited, too.
 */
function mountRoutes(
  router: IRouter,
  deps: AppDeps & { limitDeps: LimitDeps; pages: readonly PublicPage[]; isForSessions: boolean },
): void {
  const { routes, pages, isForSessions, limitDeps, clients, counters, callsInFlight, slots, metrics } = deps;
  const { diskSpace, shareLinks, wakeJobs, oauth, logger, now } = deps;
  const toPath = (path: string) => toExpressPath(isForSessions ? path.slice(apiPath.length) : path);
  const refuse = [decideLimits({ cost: 0 }, limitDeps), enforceRate, refuseProblem]; // 429, then 404, 405, 400
  const methodsByPath = groupMethodsByPath(routes, pages);
  // One Express route per path, because Express compares every request with all of them.
  for (const path of new Set(routes.map((route) => route.path))) {
    const endpoint = router.route(toPath(path));
    const record = recordRoute(isForSessions ? path.replace(apiPath, `${dashboardPath}/api`) : path);
    // Express would answer HEAD with the handlers of GET.
    endpoint.head(record, detectWrongMethod(methodsByPath.get(path) ?? []), ...refuse);
    for (const route of routes.filter((other) => other.path === path))
      endpoint[route.method](
        record,
        ...(isForSessions ? requireOwnPageFor(route) : []), // 403: a page of another site
        repeatRefusal(limitDeps), //       429, before the body is read
        shedOverload(route.services, { slots, metrics }), // 503 while a service has too many calls
        limitCallsInFlight(callsInFlight), //   detects problems, answered below
        readBody(route.body !== null), // detects problems, answered below
        takeSlot(route.services, { slots, metrics }), // 503, as above
        detectFullDisk(route, diskSpace), // detects problems, answered below
        parseInput(route), //             detects problems, answered below
        chooseAnswerFormat(route, routes), // detects problems, answered below
        decideLimits(isForSessions && route.isFreeForPages ? { cost: 0 } : route, limitDeps),
        enforceRate, //   429: a rate window is full
        refuseProblem, // 400, 413, 503
        ...(isForSessions ? [] : [useCallCredential(route, oauth?.calls)]), // 401: a second call of a tool
        enforceQuota, //  429: the month's quota is spent
        callHandler(route, { clients, counters, callsInFlight, shareLinks, wakeJobs, logger, now }),
      );
  }

  for (const [path, methods] of methodsByPath) router.all(toPath(path), detectWrongMethod(methods));
  router.use(detectUnknownPath, detectBrokenPath, ...refuse);
}

/** A session is enough for a call that changes and spends nothing. */
function requireOwnPageFor({ method, cost }: Pick<Route, 'method' | 'cost'>): RequestHandler[] {
  return method === 'get' && cost === 0 ? [] : [requireOwnPage];
}

function createExpress(trustProxy: TrustProxy): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', routing.caseSensitive);
  app.set('strict routing', routing.strict);
  app.set('query parser', parseQuery);
  app.set('trust proxy', trustProxy);
  return app;
}

/** Parses all parameters: with a maximum, Node silently drops the rest. The header size limit bounds the query. */
function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** OpenAPI writes {id} where Express writes :id. */
function toExpressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The methods of each path, for the answer 405. HEAD is for pages: of an endpoint it would cost as much as GET. */
function groupMethodsByPath(routes: readonly Route[], pages: readonly PublicPage[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  const add = (path: string, method: string) => methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const { path } of pages) for (const method of ['GET', 'HEAD']) add(path, method);
  for (const { path, method } of routes) add(path, method.toUpperCase());
  return methods;
}
