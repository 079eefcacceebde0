import type { ErrorCode } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Account } from '../../accounts/accounts.ts';
import type { Clients, ServiceName } from '../../clients.ts';
import type { CountUse } from '../../limits/count-use.ts';
import type { UsageCounters } from '../../limits/usage-counters.ts';
import type { Plan } from '../../plans/plans.ts';
import type { ShareLinks } from '../../share-links/share-links.ts';
import { type CsvTable, csvParameters } from './csv-table.ts';
import type { TagName } from './tags.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type Caller = { account: Account; plan: Plan };

/** Everything that handlers can use. Each route names the part that it uses in its own `Deps`. */
export type RouteDeps = Omit<Clients, 'status'> & {
  counters: Pick<UsageCounters, 'readMonth'>;
  /** Counts uses of features that a plan may cap per month. */
  countUse: CountUse;
  shareLinks: Pick<ShareLinks, 'create' | 'list' | 'end' | 'endAll'>;
  /** Has the job that was just created run now, instead of within seconds. */
  wakeJobs: () => void;
};

/** The validated request, and who sent it. */
export type RouteRequest<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
> = Caller & {
  params: z.output<Params>;
  query: z.output<Query>;
  body: Body extends z.ZodType ? z.output<Body> : null;
  /** The data is written as CSV: what it leaves out need not be computed. */
  isCsv: boolean;
  /** request id, deadline and signal, for every call of a service */
  call: CallOptions;
  now: Date;
};

/** One endpoint as a route file writes it: what it does not have is left out. */
type RouteDefinition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
  Data extends z.ZodType,
  Meta extends z.ZodType | null,
  Deps,
  Request,
> = {
  method: Method;
  /** as OpenAPI writes it: /api/v1/applications/{id} */
  path: string;
  operationId: string;
  /** the group of the operation in the document */
  tag: TagName;
  summary: string;
  description: string;
  /** The status of a successful answer; absent: 200. 202: the work goes on after the answer. */
  status?: 202;
  /** API requests of the monthly quota that a call spends */
  cost: 0 | 1;
  /** A call of a page of the dashboard spends none: it reads no store and computes no score. */
  isFreeForPages?: true;
  /** The services that the handler calls. While one of them has too many calls in progress, further calls are 503. */
  services: readonly ServiceName[];
  /** Time of the handler's calls of services, from its start. A call that takes longer is aborted: 503. */
  deadlineMs: number;
  /**
   * Whether the handler goes on when its caller disconnects after the called service has started the work; absent, or
   * before: it is aborted.
   */
  outlivesCaller?: true;
  /** the parameters in the path */
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * A valid request to a new system on the sample store, where the first application, keyword, competitor and simulation
   * have the id 1. The recorded example, the refusals that are tested and the generated requests are derived from it.
   */
  sample?: Sample<Params, Query, Body>;
  data: Data;
  meta?: Meta;
  /** The data as CSV, for clients that accept text/csv; absent: the endpoint has none. */
  csv?: CsvTable<z.output<Data>>;
  /** The error codes of this endpoint, in addition to those of every endpoint, each with an example of its message. */
  errors?: Readonly<Partial<Record<ErrorCode, string>>>;
  handler: (deps: Deps, request: Request) => Promise<RouteAnswer<Data, Meta>>;
};

/**
 * One endpoint as data: its schemas, limits, documentation and handler. The pipeline and the OpenAPI document are
 * derived from it. A `body` or `meta` of null means that it has none. `Route` without arguments is any endpoint that the
 * pipeline can serve: `RouteDeps` has everything that its handler uses. The type of its request is `never`, because each
 * handler expects that of its own schemas.
 */
export type Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Data extends z.ZodType = z.ZodType,
  Meta extends z.ZodType | null = z.ZodType | null,
  Deps = RouteDeps,
  Request = never,
> = Required<Omit<RouteDefinition<Params, Query, Body, Data, Meta, Deps, Request>, OptionalPart>> &
  Pick<RouteDefinition<Params, Query, Body, Data, Meta, Deps, Request>, OptionalPart>;

type OptionalPart = 'status' | 'csv' | 'outlivesCaller' | 'isFreeForPages';

const noFields = z.object({});

/** The parts of a request as the client sends them. */
type Sample<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType | null> = {
  params?: z.input<Params>;
  query?: z.input<Query>;
  body?: Body extends z.ZodType ? z.input<Body> : never;
};

type RouteAnswer<Data extends z.ZodType, Meta extends z.ZodType | null> = {
  data: z.output<Data>;
} & (Meta extends z.ZodType ? { meta: z.output<Meta> } : { meta?: never });

/** A page that needs no key. */
export type PublicPage = { path: string; answer: RequestHandler };

/**
 * Returns the route. The types of the handler's request and answer follow from the schemas. A route with CSV also takes
 * `csvParameters`.
 */
export function defineRoute<
  Data extends z.ZodType,
  Deps,
  Params extends z.ZodObject = typeof noFields,
  Query extends z.ZodObject = typeof noFields,
  Body extends z.ZodType | null = null,
  Meta extends z.ZodType | null = null,
>(
  route: RouteDefinition<Params, Query, Body, Data, Meta, Deps, RouteRequest<Params, Query, Body>>,
): Route<Params, Query, Body, Data, Meta, Deps, RouteRequest<Params, Query, Body>> {
  const { params = noFields, query = noFields, body = null, meta = null } = route;
  return {
    sample: {},
    errors: {},
    ...route,
    // A part that is left out has the default of its type parameter.
    params: params as Params,
    query: (route.csv ? query.safeExtend(csvParameters) : query) as Query,
    body: body as Body,
    meta: meta as Meta,
  };
}
