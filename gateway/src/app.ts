import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import express, { type Express } from 'express';
import type { Accounts } from './accounts/accounts.ts';
import type { Clients } from './clients.ts';
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
import { authenticate, requirePlan } from './middleware/authenticate.ts';
import { callHandler } from './middleware/call-handler.ts';
import { chooseAnswerFormat } from './middleware/choose-format.ts';
import { compressAnswers } from './middleware/compress-answers.ts';
import { decideLimits } from './middleware/decide-limits.ts';
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
import { repeatRefusal } from './middleware/repeat-refusal.ts';
import { setHeaders } from './middleware/set-headers.ts';
import { shedOverload, takeSlot } from './middleware/shed-overload.ts';
import { traceRequest } from './middleware/trace-request.ts';
import type { Slots } from './overload/slots.ts';
import type { Plans } from './plans/plans.ts';
import type { PublicPage, Route } from './routes/route/define-route.ts';

/** Where assistants reach the API by their protocol. */
const mcpPath = '/mcp';
/** Clients of the protocol look here for an OAuth server. There is none: a key is all that is needed. */
const wellKnownPath = '/.well-known';

type AppDeps = {
  accounts: Accounts;
  plans: Plans;
  limits: LimitDecider;
  recentRefusals: RecentRefusals;
  counters: UsageCounters;
  /** Of calls without a valid key. */
  invalidKeyLimiter: AddressLimiter;
  pageLimiter: AddressLimiter;
  connectionUse: ConnectionUse;
  clients: Clients;
  callsInFlight: CallsInFlight;
  slots: Slots;
  routes: readonly Route[];
  healthPages: readonly PublicPage[];
  publicPages: readonly PublicPage[];
  mcp: McpSettings | undefined;
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
  const { accounts, plans, limits, counters, invalidKeyLimiter, pageLimiter, clients, callsInFlight } = deps;
  const { routes, healthPages, publicPages, logger, metrics, trustProxy, isDraining, now, monotonicMs } =
    deps;
  const { diskSpace, recentRefusals, slots, mcp, connectionUse } = deps;
  const limitDeps = { limits, recentRefusals, metrics, now, monotonicMs };
  const app = createExpress(trustProxy);

  const quietRoutes = healthPages.map(({ path }) => path);
  app.use(assignRequestId, recordRequest({ logger, metrics, monotonicMs, quietRoutes }));
  app.use(setHeaders({ isDraining }));
  app.use(compressAnswers);
  for (const { path, answer } of healthPages) app.get(path, recordRoute(path), answer);
  app.use(traceRequest);
  for (const { path, answer } of publicPages)
    app.get(path, recordRoute(path), limitPageCalls(pageLimiter), answer); // 429 after too many from one address

  app.use(wellKnownPath, limitPageCalls(pageLimiter), detectUnknownPath, refuseProblem); // 404, 429

  app.use(letBodyArrive);
  const { isProxy } = createClientAddress(app);
  app.use(authenticate({ accounts, plans, invalidKeyLimiter, connectionUse, isProxy })); // 401, and 429 after too many invalid keys
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
      serveMcp(mcp.endpoint),
    );
    app.all(mcpPath, recordRoute(mcpPath), detectWrongMethod(['POST']), refuseMcpProblem); // 405
  }

  const refuse = [decideLimits({ cost: 0 }, limitDeps), enforceRate, refuseProblem]; // 429, then 404, 405, 400
  const methodsByPath = groupMethodsByPath(routes, [...healthPages, ...publicPages]);
  // One Express route per path, because Express compares every request with all of them.
  for (const path of new Set(routes.map((route) => route.path))) {
    const endpoint = app.route(toExpressPath(path));
    // Express would answer HEAD with the handlers of GET.
    endpoint.head(recordRoute(path), detectWrongMethod(methodsByPath.get(path) ?? []), ...refuse);
    for (const route of routes.filter((other) => other.path === path))
      endpoint[route.method](
        recordRoute(path),
        repeatRefusal(limitDeps), //       429, before the body is read
        shedOverload(route.services, { slots, metrics }), // 503 while a service has too many calls
        limitCallsInFlight(callsInFlight), //   detects problems, answered below
        readBody(route.body !== null), // detects problems, answered below
        takeSlot(route.services, { slots, metrics }), // 503, as above
        detectFullDisk(route, diskSpace), // detects problems, answered below
        parseInput(route), //             detects problems, answered below
        chooseAnswerFormat(route, routes), // detects problems, answered below
        decideLimits(route, limitDeps),
        enforceRate, //   429: a rate window is full
        refuseProblem, // 400, 413, 503
        enforceQuota, //  429: the month's quota is spent
        callHandler(route, { clients, counters, callsInFlight, logger, now }),
      );
  }

  for (const [path, methods] of methodsByPath) app.all(toExpressPath(path), detectWrongMethod(methods));
  app.use(detectUnknownPath, detectBrokenPath);
  app.use(...refuse);

  app.use(handleErrors({ logger, limits }));
  return app;
}

function createExpress(trustProxy: TrustProxy): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // A path has one spelling: other letter cases, or a slash at the end, are other paths.
  app.enable('case sensitive routing');
  app.enable('strict routing');
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
