import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Logger } from '@shelfwise/runtime/logger';
import express, { type Express } from 'express';
import type { Accounts } from './accounts/accounts.ts';
import type { CallsInFlight } from './calls-in-flight.ts';
import type { Clients } from './clients.ts';
import type { Route } from './define-route.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { GuessLimiter } from './limits/guess-limiter.ts';
import type { LimitDecider } from './limits/limit-decider.ts';
import type { UsageCounters } from './limits/usage-counters.ts';
import { assignRequestId } from './middleware/assign-request-id.ts';
import { authenticate } from './middleware/authenticate.ts';
import { callHandler } from './middleware/call-handler.ts';
import { decideLimits } from './middleware/decide-limits.ts';
import { enforceQuota } from './middleware/enforce-quota.ts';
import { enforceRate } from './middleware/enforce-rate.ts';
import { handleErrors } from './middleware/handle-errors.ts';
import { noteRoute } from './middleware/note-route.ts';
import { noteBrokenPath, noteUnknownPath, noteWrongMethod } from './middleware/note-unknown-route.ts';
import { parseInput } from './middleware/parse-input.ts';
import { readBody } from './middleware/read-body.ts';
import { recordRequest } from './middleware/record-request.ts';
import { refuseProblem } from './middleware/refuse-problem.ts';
import { requirePlan } from './middleware/require-plan.ts';
import { setHeaders } from './middleware/set-headers.ts';
import type { PublicPage } from './pages/public-page.ts';
import type { Plans } from './plans/plans.ts';
import type { TrustProxy } from './trust-proxy.ts';

type AppDeps = {
  accounts: Accounts;
  plans: Plans;
  limits: LimitDecider;
  counters: UsageCounters;
  guessLimiter: GuessLimiter;
  clients: Clients;
  callsInFlight: CallsInFlight;
  routes: readonly Route[];
  pages: readonly PublicPage[];
  logger: Logger;
  metrics: GatewayMetrics;
  trustProxy: TrustProxy;
  isDraining: () => boolean;
  now: () => Date;
  monotonicMs: () => number;
};

/** The pipeline, in the order that a client meets it. */
export function createApp(deps: AppDeps): Express {
  const app = createExpress(deps.trustProxy);

  app.use(assignRequestId, recordRequest(deps), setHeaders(deps));
  for (const page of deps.pages) app.get(page.path, noteRoute(page.path), page.answer);

  app.use(authenticate(deps)); //  401, and 429 for who guesses keys
  app.use(requirePlan); //         403

  for (const route of deps.routes)
    app[route.method](
      toExpressPath(route.path),
      noteRoute(route.path),
      readBody(route.body !== null), // noted, answered below
      parseInput(route), //             noted, answered below
      decideLimits(route, deps),
      enforceRate, //   429 of a window
      refuseProblem, // 400, 413
      enforceQuota, //  429 of the month
      callHandler(route, deps),
    );

  for (const [path, methods] of methodsByPath(deps)) app.all(toExpressPath(path), noteWrongMethod(methods));
  app.use(noteUnknownPath, noteBrokenPath);
  app.use(decideLimits({ cost: 0 }, deps), enforceRate, refuseProblem); // 429 of a window; 404, 405, 400

  app.use(handleErrors(deps));
  return app;
}

function createExpress(trustProxy: TrustProxy): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.set('trust proxy', trustProxy);
  return app;
}

/** Of any number of parameters, or the ones behind a limit would be lost in silence. The size of the headers bounds it. */
function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** OpenAPI writes {id} where Express writes :id. */
function toExpressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function methodsByPath({ routes, pages }: AppDeps): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  const add = (path: string, method: string) => methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const { path } of pages) add(path, 'GET');
  for (const { path, method } of routes) add(path, method.toUpperCase());
  for (const allowed of methods.values()) if (allowed.includes('GET')) allowed.push('HEAD');
  return methods;
}
